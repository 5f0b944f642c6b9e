import type { Random } from '@orch/machinery';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { seededRandom } from '@orch/machinery/testing';
import type { LossyClients } from '../../conformance/opened-store.ts';
import { ForwardingStore } from '../../forwarding-store.ts';
import type { Committed, Store, Write } from '../../store.ts';
import { type EtcdCluster, TcpProxy } from '../../testing/index.ts';
import { openEtcdStore } from '../index.ts';

/** Upper limit of the bytes of a commit and its answer on the connection. */
const REQUEST_BYTES = 500;
const ANSWER_BYTES = 150;

/** One client whose connections are reset at some byte of every other commit, before or behind etcd. */
async function lossyClient(
  stack: AsyncDisposableStack,
  cluster: EtcdCluster,
  random: Random,
): Promise<Store> {
  const env = { clock: systemClock, random: systemRandom, log: silentLogger };
  const proxies: TcpProxy[] = [];
  for (const { clientPort } of cluster.members) {
    proxies.push(stack.use(await TcpProxy.listen({ port: clientPort })));
  }
  const endpoints = proxies.map(({ port }) => `http://127.0.0.1:${port}`);
  const store = await openEtcdStore({ endpoints, env });
  stack.defer(() => store.close());
  const cut = (): void => {
    const where = random.int(4);
    for (const proxy of proxies) {
      if (where === 0) proxy.cutAfter('toServer', 1 + random.int(REQUEST_BYTES));
      if (where === 1) proxy.cutAfter('toClient', 1 + random.int(ANSWER_BYTES));
    }
  };
  return new LossyStore(store, cut);
}

/** Calls `cut` before every commit. */
class LossyStore extends ForwardingStore {
  readonly #cut: () => void;

  constructor(inner: Store, cut: () => void) {
    super(inner);
    this.#cut = cut;
  }

  override commit(write: Write, signal: AbortSignal): Promise<Committed> {
    this.#cut();
    return super.commit(write, signal);
  }
}

/** Two such clients; the seed determines which connections are reset at which byte. */
export async function lossyClients(cluster: EtcdCluster, seed: number): Promise<LossyClients> {
  await using stack = new AsyncDisposableStack();
  const random = seededRandom(seed);
  const stores = [
    await lossyClient(stack, cluster, random),
    await lossyClient(stack, cluster, random),
  ] as const;
  const owned = stack.move();
  return { stores, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
