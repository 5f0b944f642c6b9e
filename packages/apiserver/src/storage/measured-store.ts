import {
  ApiError,
  type Clock,
  type CounterSeries,
  type HistogramSeries,
  type Metrics,
  requestDurationBuckets,
} from '@orch/machinery';
import { DeadlineExceeded } from '@orch/machinery/concurrency';
import {
  type Committed,
  ForwardingStore,
  type KeyRange,
  type Page,
  type Revision,
  type ScanOptions,
  type ScanPart,
  type Store,
  StoreError,
  type StoreErrorCode,
  type Write,
} from '@orch/storage';

/** The operations of dashboards, and those of this store. */
type Operation = 'create' | 'update' | 'delete' | 'get' | 'list' | 'currentRevision' | 'size';

/** A store that records durations and failures of requests, by operation and by the resource of the keys. */
export function measuredStore(
  store: Store,
  prefix: string,
  env: { readonly clock: Clock; readonly metrics: Metrics },
): Store {
  return new MeasuredStore(store, prefix, env);
}

class MeasuredStore extends ForwardingStore {
  readonly #clock: Clock;
  readonly #seriesOf: (operation: Operation, key: string) => RequestSeries;

  constructor(store: Store, prefix: string, env: { readonly clock: Clock; readonly metrics: Metrics }) {
    super(store);
    this.#clock = env.clock;
    this.#seriesOf = requestSeries(env.metrics, prefix);
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

  override currentRevision(signal: AbortSignal): Promise<Revision> {
    return this.#timed('currentRevision', '', super.currentRevision(signal));
  }

  override size(signal: AbortSignal): ReturnType<Store['size']> {
    return this.#timed('size', '', super.size(signal));
  }

  #timed<T>(operation: Operation, key: string, work: Promise<T>): Promise<T> {
    const started = this.#clock.monotonic();
    const finished = (): RequestSeries => {
      const series = this.#seriesOf(operation, key);
      series.duration.observe((this.#clock.monotonic() - started) / 1000);
      return series;
    };
    work.then(finished, (error: unknown) => {
      const { errors } = finished();
      if (isStoreFailure(error)) errors.inc();
    });
    return work;
  }
}

/** Failures of the store itself: not callers that disconnect, request old revisions, or send too much. */
const failures: ReadonlySet<StoreErrorCode> = new Set(['unavailable', 'outcomeUnknown', 'full', 'corrupt']);

/** A deadline that ended the request counts as well: the store has not answered in time. */
const isStoreFailure = (error: unknown): boolean =>
  error instanceof StoreError
    ? failures.has(error.code)
    : error instanceof DeadlineExceeded ||
      (error instanceof ApiError && error.status.code === GATEWAY_TIMEOUT);

const GATEWAY_TIMEOUT = 504;

/** The series of an operation on a resource. */
interface RequestSeries {
  readonly duration: HistogramSeries;
  readonly errors: CounterSeries;
}

/** Pairs of operation and resource, of which each has about 3 kB of lines: custom resources have any number of resources. */
const MOST_SERIES = 200;
/** Label `type` beyond. */
const OVERFLOW = 'overflow';

function requestSeries(
  metrics: Metrics,
  prefix: string,
): (operation: Operation, key: string) => RequestSeries {
  const labels = ['operation', 'type'];
  const durations = metrics.histogram({
    name: 'etcd_request_duration_seconds',
    help: 'Time that requests to the store took, by operation and resource.',
    labels,
    buckets: requestDurationBuckets,
    stability: 'ALPHA',
  });
  const errors = metrics.counter({
    name: 'etcd_request_errors_total',
    help: 'Requests to the store that failed, by operation and resource.',
    labels,
    stability: 'ALPHA',
  });
  const known = new Map<string, RequestSeries>();
  return (operation, key) => {
    const end = key.indexOf('/', prefix.length);
    const type = key.startsWith(prefix) && end > 0 ? key.slice(prefix.length, end) : '';
    const found = known.get(`${operation} ${type}`);
    if (found !== undefined) return found;
    const label = known.size < MOST_SERIES ? type : OVERFLOW;
    const made = { duration: durations.series(operation, label), errors: errors.series(operation, label) };
    if (label === type) known.set(`${operation} ${type}`, made);
    return made;
  };
}
