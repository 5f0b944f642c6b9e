/**
 * `make scale ARGS="--nodes=500"`: the load of a cluster on one server over etcd: node agents, a scheduler, churn of pods, and
 * users. Prints latencies by request beside the objectives of the community, and CPU and memory of the server and of each etcd.
 * `--overrides` stores leases and events in a separate etcd.
 */
import { fork } from 'node:child_process';
import { on } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEtcd } from '@orch/storage/testing';
import { launchServerProcess } from '@orch/testkit';
import { hardwareLine } from '../lib/hardware.ts';
import { cpuMicros, innermost, rssBytes } from '../lib/proc.ts';
import type { Summary } from './latencies.ts';
import type { LoadOptions } from './load.ts';
import { latencyTable, programTable } from './tables.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '500' },
    'pods-per-node': { type: 'string', default: '10' },
    rate: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '60' },
    overrides: { type: 'boolean', default: false },
  },
});
const options: LoadOptions = {
  nodes: Number(values.nodes),
  podsPerNode: Number(values['pods-per-node']),
  podsPerSecond: Number(values.rate),
  namespaces: 10,
};
const seconds = Number(values.seconds);

type Message =
  | { readonly phase: 'ready' | 'filled' | 'begun' }
  | { readonly phase: 'ended'; readonly latencies: readonly Summary[] };

await using stack = new AsyncDisposableStack();
const main = stack.use(await startEtcd());
const other = values.overrides ? stack.use(await startEtcd()) : undefined;
const overrides =
  other === undefined
    ? []
    : ['/events', 'coordination.k8s.io/leases'].map((resource) => `${resource}#${other.endpoints.join(';')}`);
const server = stack.use(
  await launchServerProcess({
    naming: 'kubernetes',
    release: 'latest',
    etcd: main.endpoints,
    args: overrides.length === 0 ? [] : [`--etcd-servers-overrides=${overrides.join()}`],
  }),
);
const load = fork(
  join(import.meta.dirname, 'load-program.ts'),
  [server.adminConfig, JSON.stringify(options)],
  {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  },
);
stack.defer(() => void load.kill('SIGKILL'));
const ended = new AbortController();
load.once('exit', (code) => ended.abort(new Error(`the load ended with status ${code}`)));

const programs = [
  { name: 'API server', pid: innermost(server.process.child.pid ?? 0) },
  { name: other === undefined ? 'etcd' : 'etcd of all other resources', pid: main.members[0]?.pid ?? 0 },
  ...(other === undefined ? [] : [{ name: 'etcd of events and leases', pid: other.members[0]?.pid ?? 0 }]),
  { name: 'load', pid: load.pid ?? 0 },
];
const usage = () => programs.map(({ pid }) => cpuMicros(pid));
let before = usage();
for await (const [message] of on(load, 'message', { signal: ended.signal }) as AsyncIterable<[Message]>) {
  if (message.phase === 'ready') load.send({ fill: true });
  if (message.phase === 'filled') load.send({ seconds });
  if (message.phase === 'begun') before = usage();
  if (message.phase !== 'ended') continue;
  const cores = usage().map((after, i) => (after - (before[i] ?? 0)) / 1_000_000 / seconds);
  console.log(`${hardwareLine()}\n`);
  console.log(
    `${options.nodes} nodes, ${options.nodes * options.podsPerNode} pods, ${options.podsPerSecond} pods a second, ${seconds} s\n`,
  );
  for (const line of latencyTable(message.latencies)) console.log(line);
  console.log('');
  const rows = programs.map(({ name, pid }, i) => ({ name, cores: cores[i] ?? 0, bytes: rssBytes(pid) }));
  for (const line of programTable(rows, options)) console.log(line);
  break;
}
