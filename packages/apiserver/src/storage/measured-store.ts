import { type Clock, type HistogramSeries, type Metrics, requestDurationBuckets } from '@orch/machinery';
import {
  type Committed,
  ForwardingStore,
  type KeyRange,
  type Page,
  type ScanOptions,
  type ScanPart,
  type Store,
  type Write,
} from '@orch/storage';

type Operation = 'create' | 'update' | 'delete' | 'get' | 'list';

/** A store that records the duration of requests, by operation and by the resource of the keys. */
export function measuredStore(
  store: Store,
  prefix: string,
  env: { readonly clock: Clock; readonly metrics: Metrics },
): Store {
  return new MeasuredStore(store, prefix, env);
}

class MeasuredStore extends ForwardingStore {
  readonly #clock: Clock;
  readonly #timerOf: (operation: Operation, key: string) => HistogramSeries;

  constructor(store: Store, prefix: string, env: { readonly clock: Clock; readonly metrics: Metrics }) {
    super(store);
    this.#clock = env.clock;
    this.#timerOf = timers(env.metrics, prefix);
  }

  override get(key: string, signal: AbortSignal): ReturnType<Store['get']> {
    return this.#timed('get', key, super.get(key, signal));
  }

  override list(range: KeyRange, options: Parameters<Store['list']>[1], signal: AbortSignal): Promise<Page> {
    return this.#timed('list', range.start, super.list(range, options, signal));
  }

  /** Every part counts as a list, with the time that the reader has waited for it. */
  override async *scan(range: KeyRange, options: ScanOptions, signal: AbortSignal): AsyncGenerator<ScanPart> {
    const parts = super.scan(range, options, signal)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.#timed('list', range.start, parts.next());
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await parts.return?.();
    }
  }

  override commit(write: Write, signal: AbortSignal): Promise<Committed> {
    return this.#timed(write.op, write.key, super.commit(write, signal));
  }

  #timed<T>(operation: Operation, key: string, work: Promise<T>): Promise<T> {
    const started = this.#clock.monotonic();
    const done = (): void =>
      this.#timerOf(operation, key).observe((this.#clock.monotonic() - started) / 1000);
    work.then(done, done);
    return work;
  }
}

function timers(metrics: Metrics, prefix: string): (operation: Operation, key: string) => HistogramSeries {
  const family = metrics.histogram({
    name: 'etcd_request_duration_seconds',
    help: 'Time that requests to the store took, by operation and resource.',
    labels: ['operation', 'type'],
    buckets: requestDurationBuckets,
    stability: 'ALPHA',
  });
  const series = new Map<string, HistogramSeries>();
  return (operation, key) => {
    const end = key.indexOf('/', prefix.length);
    const type = key.startsWith(prefix) && end > 0 ? key.slice(prefix.length, end) : '';
    const id = `${operation} ${type}`;
    let found = series.get(id);
    if (found === undefined) {
      found = family.series(operation, type);
      series.set(id, found);
    }
    return found;
  };
}
