import { type Clock, type Logger, type Metrics, messageOf } from '@orch/machinery';
import { sleep, withDeadline } from '@orch/machinery/concurrency';
import type { Store } from '@orch/storage';

const POLL_MS = 1_000;
const REQUEST_TIMEOUT_MS = 5_000;

/** Updates the gauge of the store's size; returns when the signal aborts. */
export async function watchStoreSize(
  store: Store,
  endpoint: string,
  env: { readonly clock: Clock; readonly metrics: Metrics; readonly log: Logger },
  signal: AbortSignal,
): Promise<void> {
  const size = env.metrics
    .gauge({
      name: 'etcd_db_total_size_in_bytes',
      help: 'Bytes that the store occupies.',
      labels: ['endpoint'],
      stability: 'ALPHA',
    })
    .series(endpoint);
  const full = env.metrics
    .gauge({
      name: 'apiserver_storage_full',
      help: '1 while the store is full and accepts only writes that make room.',
      labels: ['endpoint'],
      stability: 'ALPHA',
    })
    .series(endpoint);
  while (!signal.aborted) {
    try {
      using limit = withDeadline(signal, env.clock, REQUEST_TIMEOUT_MS);
      const found = await store.size(limit.signal);
      size.set(found.bytes);
      full.set(found.full === undefined ? 0 : 1);
    } catch (error) {
      if (!signal.aborted)
        env.log.debug(1, 'the size of the store is not known', { error: messageOf(error) });
    }
    await sleep(env.clock, POLL_MS, signal).catch(() => undefined);
  }
}
