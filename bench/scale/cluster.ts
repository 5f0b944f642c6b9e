import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { type EtcdCluster, startEtcd, tempDir } from '@orch/storage/testing';
import { launchServerProcess, type ServerProcess, start } from '@orch/testkit';
import { ForkedProgram } from '../lib/forked-program.ts';
import { innermost } from '../lib/proc.ts';
import { addCopies, createFirst } from './filling.ts';
import type { Summary } from './latencies.ts';
import { pause } from './load.ts';
import type { ScaleRun, Sizes } from './results.ts';
import { type Program, Usage } from './usage.ts';

const QUOTA = ['--quota-backend-bytes', String(8 * 2 ** 30)];
const CONTROLLERS = 'deployment,replicaset,endpointslice';
const root = join(import.meta.dirname, '..', '..');

/** Starts the programs of a cluster, measures them for some time, and ends them. */
export async function runCluster(
  sizes: Sizes,
  { seconds, warmUpSeconds }: { readonly seconds: number; readonly warmUpSeconds: number },
): Promise<ScaleRun> {
  await using stack = new AsyncDisposableStack();
  const etcds = [stack.use(await startEtcd({ flags: QUOTA }))];
  if (sizes.overrides) etcds.push(stack.use(await startEtcd({ flags: QUOTA })));
  const { servers, startMs } = await startServers(stack, etcds, sizes);
  const [first] = servers;
  if (first === undefined) throw new RangeError('there is no server');
  const configs = servers.map(({ adminConfig }) => adminConfig);
  const manager = sizes.load.controllers ? startManager(stack, first.adminConfig) : undefined;
  const words = [JSON.stringify(configs), JSON.stringify(sizes.load)];
  const [agents, users] = (['agents', 'users'] as const).map((part) =>
    stack.use(new ForkedProgram(join(import.meta.dirname, 'load-program.ts'), [part, ...words])),
  ) as [ForkedProgram, ForkedProgram];
  await agents.ask('start');
  await users.ask('start');
  await pause(warmUpSeconds * 1000);
  const usage = new Usage(
    [
      ...servers.map(({ process }, i) => program(`API server ${i + 1}`, 'server', process.child)),
      ...etcds.map(({ members: [member] }, i) => ({
        name: ['etcd', 'etcd of Leases and events'][i] ?? '',
        role: 'etcd' as const,
        pid: member?.pid ?? 0,
      })),
      ...(manager === undefined ? [] : [program('controllers', 'manager', manager)]),
      { name: 'agents', role: 'load', pid: agents.pid },
      { name: 'users', role: 'load', pid: users.pid },
    ],
    etcds,
  );
  await usage.begin();
  const answers = (await Promise.all([agents, users].map((load) => load.ask(seconds)))) as Summary[][];
  const latencies = answers.flat().sort((a, b) => (a.request < b.request ? -1 : 1));
  return { sizes, seconds, startMs, latencies, ...(await usage.end()) };
}

const program = (name: string, role: Program['role'], { pid = 0 }: ChildProcess): Program => ({
  ...{ name, role },
  pid: innermost(pid),
});

/** The replicas of the API server, over an etcd that is filled before they start. */
async function startServers(
  stack: AsyncDisposableStack,
  etcds: readonly EtcdCluster[],
  { load, replicas, threads }: Sizes,
): Promise<{ readonly servers: readonly ServerProcess[]; readonly startMs: number }> {
  const [main, other] = etcds;
  if (main === undefined) throw new RangeError('there is no etcd');
  const overridden = ['/events', 'coordination.k8s.io/leases'].map(
    (resource) => `${resource}#${other?.endpoints.join(';')}`,
  );
  const options = {
    naming: 'kubernetes',
    release: 'latest',
    etcd: main.endpoints,
    certDir: stack.use(await tempDir('orch-scale-')).path,
    args: [
      `--threads=${threads}`,
      ...(other === undefined ? [] : [`--etcd-servers-overrides=${overridden.join()}`]),
    ],
  } as const;
  {
    await using server = await launchServerProcess(options);
    await createFirst(server, load);
  }
  await addCopies(main, other ?? main, load);
  const began = performance.now();
  const servers = [stack.use(await launchServerProcess(options))];
  const startMs = performance.now() - began;
  while (servers.length < replicas) servers.push(stack.use(await launchServerProcess(options)));
  return { servers, startMs };
}

/** The built-in controllers of Deployments, ReplicaSets and EndpointSlices. */
function startManager(stack: AsyncDisposableStack, adminConfig: string): ChildProcess {
  const manager = start(join(root, 'bin', 'orch-controller-manager'), [
    `--client-config=${adminConfig}`,
    '--naming=kubernetes',
    '--leader-elect=false',
    `--controllers=${CONTROLLERS}`,
  ]);
  return stack.use(manager).child;
}
