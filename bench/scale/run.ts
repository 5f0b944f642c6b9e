/** The load of a cluster on servers over etcd: `make scale`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programArguments } from '@orch/testkit/program-arguments';
import { hardwareLine } from '../lib/hardware.ts';
import { runCluster } from './cluster.ts';
import { writePage } from './page.ts';
import { type ScaleResults, type ScaleRun, type Sizes, seriesOf, withRuns } from './results.ts';
import { runLines } from './tables.ts';

const usage = `make scale ARGS='[OPTION …]'

Runs the load of a cluster on servers over etcd: node agents, a scheduler, controllers, churn of pods, and users. Prints latencies
by request beside the objectives of the community, and CPU and memory of each program.

  --nodes=N[,N…]        sizes that run one after the other (500)
  --pods-per-node=N     (30)
  --rate=N              pods created and deleted each second (10)
  --references=N        secrets and config maps of a pod, which its node watches (2)
  --own-connections=N   percentage of the agents that have a TLS connection each (2)
  --seconds=N           how long a size is measured (60)
  --replicas=N          servers (1)
  --threads=N           threads of a server (1)
  --overrides           keeps events and leases in a separate etcd
  --no-controllers      leaves out the controllers
  --series              runs the sizes of a whole page up to a number of nodes
  --note=TEXT           a remark about the machine, for the page
  --update              adds the results to bench/results/scale.json, and writes docs/scale.md with its plots
  --page                writes docs/scale.md alone
`;

const { values } = programArguments(usage, {
  options: {
    nodes: { type: 'string', default: '500' },
    'pods-per-node': { type: 'string', default: '30' },
    rate: { type: 'string', default: '10' },
    references: { type: 'string', default: '2' },
    'own-connections': { type: 'string', default: '2' },
    seconds: { type: 'string', default: '60' },
    replicas: { type: 'string', default: '1' },
    threads: { type: 'string', default: '1' },
    overrides: { type: 'boolean', default: false },
    'no-controllers': { type: 'boolean', default: false },
    series: { type: 'boolean', default: false },
    note: { type: 'string', default: '' },
    update: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
  },
});

const sizesOf = (nodes: number): Sizes => ({
  load: {
    nodes,
    podsPerNode: Number(values['pods-per-node']),
    podsPerSecond: Number(values.rate),
    namespaces: 10,
    references: Number(values.references),
    ownConnections: Number(values['own-connections']),
    controllers: !values['no-controllers'],
  },
  replicas: Number(values.replicas),
  threads: Number(values.threads),
  overrides: values.overrides,
});

const file = join(import.meta.dirname, '..', 'results', 'scale.json');
const docs = join(import.meta.dirname, '..', '..', 'docs');
const committed = (): ScaleResults =>
  existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as ScaleResults)
    : { hardware: hardwareLine(), note: values.note, runs: [] };

/** Results that are complete are kept, should a later size fail. */
function update(results: ScaleResults, run: ScaleRun): ScaleResults {
  const next = withRuns({ ...results, hardware: hardwareLine(), note: values.note }, [run]);
  writeFileSync(file, `${JSON.stringify(next, undefined, 2)}\n`);
  writePage(next, docs);
  return next;
}

/** A series replaces all results. */
async function measureAll(): Promise<void> {
  const chosen = values.nodes.split(',').map((nodes) => sizesOf(Number(nodes)));
  const all = values.series ? chosen.flatMap(seriesOf) : chosen;
  let results = values.series ? { ...committed(), runs: [] } : committed();
  for (const sizes of all) {
    const run = await runCluster(sizes, { seconds: Number(values.seconds), warmUpSeconds: 10 });
    console.log(`${hardwareLine()}\n`);
    for (const line of runLines([run])) console.log(line);
    if (values.update) results = update(results, run);
  }
}

if (values.page) writePage(committed(), docs);
else await measureAll();
