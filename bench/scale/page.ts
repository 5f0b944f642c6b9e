/** The page of the results, `docs/scale.md`, with its plots. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linePlot, type Range, rangePlot } from '../lib/plot.ts';
import { round } from '../lib/round.ts';
import { WATCH_DELAY } from './latencies.ts';
import { checked, type Model, modelOf, predicted, quantities, quantityNames } from './model.ts';
import { planned } from './planned.ts';
import type { ScaleResults, ScaleRun } from './results.ts';
import { objectiveMs, runLines } from './tables.ts';
import type { Role } from './usage.ts';

/** Sizes beyond those that were measured. */
const BEYOND = [15_000, 50_000, 100_000];
const BEYOND_RATE = 500;
/** With one run less, there are still as many as factors. */
const FEWEST_RUNS = 5;

type Runs = readonly ScaleRun[];

const nodesOf = ({ sizes }: ScaleRun): number => sizes.load.nodes;
const thousands = (value: number): string => value.toLocaleString('en');
const at = (run: ScaleRun, value: number): readonly [number, number] => [nodesOf(run), value];

const roles: readonly (readonly [Role, string])[] = [
  ['server', 'API servers'],
  ['etcd', 'etcd'],
  ['manager', 'controllers'],
  ['load', 'agents and users'],
];

/** The runs of different numbers of nodes: for each number, that with the most pods per second. */
const growing = (runs: Runs): Runs => [
  ...new Map(
    runs
      .toSorted((a, b) => nodesOf(a) - nodesOf(b) || a.sizes.load.podsPerSecond - b.sizes.load.podsPerSecond)
      .map((run) => [nodesOf(run), run]),
  ).values(),
];

const ofRole = (runs: Runs, role: Role, value: 'cores' | 'bytes', scale: number) =>
  runs.map((run) => {
    const programs = run.programs.filter((program) => program.role === role);
    return at(run, programs.reduce((sum, program) => sum + program[value], 0) / scale);
  });

/** The plots by file name. */
export function plotsOf({ runs }: ScaleResults): Readonly<Record<string, string>> {
  const grown = growing(runs);
  const last = grown.at(-1);
  if (last === undefined) return {};
  const ranges: Range[] = last.latencies.map(({ request, p50Ms, p99Ms }) => ({
    name: request === WATCH_DELAY ? 'delay of a watch event' : request,
    from: p50Ms,
    to: p99Ms,
    mark: objectiveMs(request),
  }));
  const lines = (value: 'cores' | 'bytes', scale: number) =>
    roles.map(([role, name]) => ({ name, points: ofRole(grown, role, value, scale) }));
  const delays = (which: 'p50Ms' | 'p99Ms') =>
    grown.map((run) => at(run, run.latencies.find(({ request }) => request === WATCH_DELAY)?.[which] ?? 0));
  return {
    'latencies.svg': rangePlot(
      `Median to 99th percentile, and objective, with ${thousands(nodesOf(last))} nodes`,
      ranges,
      'ms',
    ),
    'cpu.svg': linePlot('CPU by number of nodes', lines('cores', 1), { x: 'nodes', y: 'cores' }),
    'memory.svg': linePlot('Resident memory by number of nodes', lines('bytes', 1e6), {
      x: 'nodes',
      y: 'MB',
    }),
    'watch-delay.svg': linePlot(
      'Delay of a watch event by number of nodes',
      [
        { name: 'median', points: delays('p50Ms') },
        { name: '99th percentile', points: delays('p99Ms') },
      ],
      { x: 'nodes', y: 'ms' },
    ),
  };
}

/** The page with all results. */
export const pageOf = ({ hardware, note, runs }: ScaleResults): string => `${introduction}
## Plots

${growing(runs).length === 0 ? 'No results yet.' : pictures}

## Model

${model(runs)}

## Runs

Hardware: ${hardware}.${note === '' ? '' : ` ${note}`}

${runLines(runs).join('\n')}`;

const pictures = [
  '![Latencies of the largest run by request](scale/latencies.svg)',
  '![CPU of each program by number of nodes](scale/cpu.svg)',
  '![Resident memory of each program by number of nodes](scale/memory.svg)',
  '![Delay of a watch event by number of nodes](scale/watch-delay.svg)',
].join('\n\n');

const introduction = `# Scale

\`make scale ARGS="--nodes=500"\` runs the load of a cluster on API servers over a real etcd, and prints how long requests took and the
CPU and memory of each program. With \`--update\` it writes this page. The objectives beside the latencies are those of the Kubernetes
community for the 99th percentile: a second for a request for one object, five for a list of a namespace, thirty for a list of all
objects. Failed requests are not repeated: they count as failures.

The programs use the client library over TLS and HTTP/2:

| part        | does                                                                                                             |
| ----------- | ---------------------------------------------------------------------------------------------------------------- |
| node agents | each renews a Lease every 10 s and reports the status of its node every 5 min                                    |
|             | watches the pods of its node, and with a watch each, \`--references\` config maps and as many secrets              |
|             | reports the status of each new pod, with an event, and removes pods that are being deleted                       |
| scheduler   | watches pods without a node, and binds them                                                                      |
| controllers | those of Deployments, ReplicaSets and EndpointSlices, in the controller manager                                  |
| churn       | creates half of \`--rate\` pods per second as single pods, which live for 20 s                                     |
|             | and changes Deployments, so that their controllers replace the other half                                        |
| users       | 10 GETs of nodes and an apply per second, a list of a namespace every 2 s, a list of all pods every 30 s         |

\`--pods-per-node\` pods run already: they are copied into etcd before the servers start. \`--replicas\` servers are used in turn, each
with \`--threads\`. Agents share connections, apart from \`--own-connections\` percent of them. \`--seconds\` is the length of the
measurement, which begins 10 s after the last agent has started. \`--overrides\` stores Leases and events in
[a separate etcd](storage-by-resource.md). For the costs of single requests see [performance](performance.md).

\`make scale ARGS="--series --nodes=5000 --rate=20 --replicas=2 --seconds=180 --update"\` replaces all results below: it measures a
tenth, a third, two thirds and all of the nodes, in about half an hour.
`;

/** Whether a run was not overloaded: half of the requests of each kind met the objective, and none failed. */
const isSteady = ({ latencies }: ScaleRun): boolean =>
  latencies.every(({ request, p50Ms, failures }) => failures === 0 && p50Ms <= objectiveMs(request));

/** The factors, the errors and the predictions of the model. */
function model(all: Runs): string {
  const runs = all.filter(isSteady);
  if (runs.length < FEWEST_RUNS)
    return `The model needs at least ${FEWEST_RUNS} runs that were not overloaded. There are ${runs.length}.`;
  const whole = modelOf(runs);
  return [
    'Each quantity is a sum of terms, fitted to those runs below that were not overloaded, so that the relative errors are least.',
    '',
    ...factorLines(whole),
    '',
    'The model of all other runs predicts each run. Measured values, and the errors of the predictions:',
    '',
    ...checkLines(runs),
    '',
    `With ${BEYOND_RATE} pods per second and 30 pods per node, it needs these replicas, no thread of which is busy for more than 70 % of its time; the 99th percentile is that of a simulation of their queues, without the network:`,
    '',
    ...beyondLines(whole, runs),
  ].join('\n');
}

const factorLines = ({ factors }: Model): readonly string[] => [
  '| quantity | terms |',
  '| --- | --- |',
  ...quantityNames.map((name) => {
    const { name: title, unit, terms } = quantities[name];
    const sum = terms.flatMap((term, i) => {
      const factor = factors[name][i] ?? 0;
      return factor === 0 ? [] : [`${Number(factor.toPrecision(3))} ${term}`];
    });
    return `| ${title}, ${unit} | ${sum.join(' + ')} |`;
  }),
];

/** A row for each run, with what was measured and the error of the prediction. */
const checkLines = (runs: Runs): readonly string[] => [
  `| nodes, pods per second, replicas | ${quantityNames.map((name) => quantities[name].short).join(' | ')} |`,
  `| --- |${' --: |'.repeat(quantityNames.length)}`,
  ...runs.map((run) => {
    const { load, replicas } = run.sizes;
    const cells = checked(runs, run).map(({ measured, predicted: value }) =>
      measured === 0 ? '–' : `${round(measured)}, ${signed((value / measured - 1) * 100)} %`,
    );
    return `| ${load.nodes}, ${load.podsPerSecond}, ${replicas} | ${cells.join(' | ')} |`;
  }),
];

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(0)}`;

function beyondLines(whole: Model, runs: Runs): readonly string[] {
  const [example] = runs;
  if (example === undefined) return [];
  const lines = BEYOND.map((nodes) => {
    const load = { ...example.sizes.load, nodes, podsPerSecond: BEYOND_RATE, podsPerNode: 30 };
    const plan = planned(whole, load);
    if (plan === undefined) return `| ${thousands(nodes)} | none suffices | | | | | | | |`;
    const of = (name: Parameters<typeof predicted>[1]): string => round(predicted(whole, name, plan.sizes));
    const cells = [
      ...[plan.sizes.replicas, plan.sizes.threads, `${(plan.busy * 100).toFixed(0)} %`],
      ...[of('serverCores'), of('serverBytes'), of('etcdCores'), of('writes'), of('network')],
      round(plan.p99Micros / 1000),
    ];
    return `| ${[thousands(nodes), ...cells].join(' | ')} |`;
  });
  return [
    '| nodes | replicas | threads | busiest | cores of servers | MB per server | cores of etcd | changes per s | MB per s | p99 ms |',
    '| --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |',
    ...lines,
  ];
}

/** Writes the page and its plots into a folder of documents. */
export function writePage(results: ScaleResults, docs: string): void {
  writeFileSync(join(docs, 'scale.md'), pageOf(results));
  mkdirSync(join(docs, 'scale'), { recursive: true });
  for (const [name, plot] of Object.entries(plotsOf(results))) writeFileSync(join(docs, 'scale', name), plot);
}
