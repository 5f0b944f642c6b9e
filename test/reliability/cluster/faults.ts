import type { Random } from '@orch/machinery';
import { type Cluster, lease, type ManagerProcess } from './cluster.ts';
import type { Supervised } from './supervised.ts';

type Fault = (cluster: Cluster) => Promise<void>;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The leading manager according to its log; another one when none leads. */
function likelyLeader({ managers }: Cluster, random: Random): ManagerProcess | undefined {
  const leading = managers.find(({ program }) => /"msg":"leading"|\bleading\b.*fence/.test(program.output));
  return random.int(3) > 0 && leading !== undefined ? leading : managers[random.int(managers.length)];
}

/** Longer than the process can be considered the leader. */
const longPause = (random: Random): number => lease.durationMs + 500 + random.int(2500);

async function pause(program: Supervised | undefined, ms: number): Promise<void> {
  program?.signal('SIGSTOP');
  await wait(ms);
  program?.signal('SIGCONT');
}

async function breakLink(cluster: Cluster, how: 'cut' | 'blackHole' | 'deafen'): Promise<void> {
  const { random } = cluster.env;
  const link = likelyLeader(cluster, random)?.link;
  link?.[how]();
  await wait(500 + random.int(6000));
  link?.mend();
}

const anyServer = ({ servers, env }: Cluster): Supervised | undefined =>
  servers[env.random.int(servers.length)];

/** The faults, by name. Each resolves when it is over; processes that ended are started by their supervisors. */
export const faults: Readonly<Record<string, Fault>> = {
  'manager killed': async (cluster) => likelyLeader(cluster, cluster.env.random)?.program.signal('SIGKILL'),
  'manager told to end': async (cluster) =>
    likelyLeader(cluster, cluster.env.random)?.program.signal('SIGTERM'),
  'manager stopped': (cluster) =>
    pause(likelyLeader(cluster, cluster.env.random)?.program, longPause(cluster.env.random)),
  'manager cut off': (cluster) => breakLink(cluster, 'cut'),
  'manager in a black hole': (cluster) => breakLink(cluster, 'blackHole'),
  'manager deaf': (cluster) => breakLink(cluster, 'deafen'),
  'server killed': async (cluster) => anyServer(cluster)?.signal('SIGKILL'),
  'server stopped': (cluster) => pause(anyServer(cluster), longPause(cluster.env.random)),
  'etcd leader killed': async ({ etcd, env }) => {
    // Without a second member etcd has no quorum, and nothing can be observed.
    if (etcd.members.some(({ running }) => !running)) return;
    const leader = await etcd.leader();
    await leader.kill();
    await wait(500 + env.random.int(3000));
    leader.start();
    await leader.ready();
  },
};

/**
 * Causes one fault after another, at random intervals, for the given time; resolves with the number of each, when all
 * are over.
 */
export async function disturb(cluster: Cluster, forMs: number): Promise<ReadonlyMap<string, number>> {
  const { random } = cluster.env;
  const counts = new Map<string, number>();
  const running = new Set<Promise<void>>();
  const kinds = Object.keys(faults);
  // Every kind occurs once before one occurs a second time.
  let turn: string[] = [];
  for (const until = performance.now() + forMs; performance.now() < until; ) {
    if (turn.length === 0) turn = shuffled(kinds, random);
    const name = turn.pop() ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const fault = faults[name]?.(cluster) ?? Promise.resolve();
    running.add(fault);
    // A failure is reported at the end.
    fault.then(
      () => running.delete(fault),
      () => undefined,
    );
    await wait(300 + random.int(3500));
  }
  await Promise.all(running);
  return counts;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const rest = [...items];
  const mixed: T[] = [];
  while (rest.length > 0) mixed.push(...rest.splice(random.int(rest.length), 1));
  return mixed;
}
