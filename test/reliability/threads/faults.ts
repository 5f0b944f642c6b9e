import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@orch/machinery';
import { poll } from '@orch/machinery/testing';
import type { Store } from '@orch/storage';
import type { EtcdCluster, TcpProxy } from '@orch/storage/testing';
import type { ApiClient } from '@orch/testkit';
import type { Follower } from './follower.ts';

export interface Troubled {
  readonly etcd: EtcdCluster;
  /** The network between the server and etcd. */
  readonly network: TcpProxy;
  /** The store, not over that network. */
  readonly store: Store;
  readonly followers: readonly Follower[];
  readonly client: ApiClient;
  readonly random: Random;
}

type Fault = (troubled: Troubled) => Promise<void>;

const LONGEST_STALL_MS = 2000;
const WAIT_MS = 60_000;
/** The bytes of some events. */
const CUT_WITHIN_BYTES = 20_000;

/** Resolves when the first watch that is not held has received the number of further events. */
export async function events({ followers }: Pick<Troubled, 'followers'>, count: number): Promise<void> {
  const [first] = followers;
  const before = first?.seen.length ?? 0;
  await poll(`${count} more events`, WAIT_MS, () => (first?.seen.length ?? 0) >= before + count);
}

const some = <T>(items: readonly T[], random: Random): readonly T[] =>
  items.filter(() => random.int(2) === 0);

/** The faults, by name. Each resolves when it is over. */
export const faults: Readonly<Record<string, Fault>> = {
  'etcd killed': async ({ etcd }) => await etcd.members[0]?.restart(),
  // A watch that resumes has to continue from the history of the server, since the store no longer has it.
  'history compacted': async ({ store, followers }) =>
    await store.compact(Math.min(...followers.map(({ revision }) => revision)), AbortSignal.timeout(WAIT_MS)),
  'connections to etcd cut': async ({ network }) => network.cutAll(),
  'connections to etcd cut within a message': async ({ network, random }) =>
    network.cutAfter('toClient', 1 + random.int(CUT_WITHIN_BYTES)),
  'etcd without answers': async ({ network, random }) => {
    network.stall(true);
    await sleep(random.int(LONGEST_STALL_MS));
    network.stall(false);
  },
  'watches over new connections': async ({ followers, random }) => {
    for (const follower of some(followers, random)) follower.roll();
  },
  'slow watches': async (troubled) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const follower of some(troubled.followers.slice(1), troubled.random)) follower.hold(promise);
    await events(troubled, 100).finally(resolve);
  },
};

/** The names of all faults, in random order. */
export function shuffledFaults(random: Random): readonly string[] {
  const rest = Object.keys(faults);
  const mixed: string[] = [];
  while (rest.length > 0) mixed.push(...rest.splice(random.int(rest.length), 1));
  return mixed;
}

/** Causes a fault, and waits until the server is ready. */
export async function cause(name: string, troubled: Troubled): Promise<void> {
  await faults[name]?.(troubled);
  await poll(
    `the server after '${name}'`,
    WAIT_MS,
    async () => (await troubled.client.get('/readyz')).status === 200,
  );
}
