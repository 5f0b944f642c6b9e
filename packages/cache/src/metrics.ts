import type { CounterSeries, Family, GaugeSeries, Metrics } from '@orch/machinery';
import type { CachedResource, WatchEnd } from './types.ts';

/** Sizes that are computed at each scrape, which is cheaper than maintaining them. */
export interface CacheSizes {
  readonly objectBytes: number;
  readonly slabBytes: number;
  readonly historyBytes: number;
  readonly snapshotBytes: number;
  readonly encodingBytes: number;
  readonly encodedEventBytes: number;
}

export const sumOf = (all: readonly CacheSizes[]): CacheSizes =>
  all.reduce((sum, sizes) => ({
    objectBytes: sum.objectBytes + sizes.objectBytes,
    slabBytes: sum.slabBytes + sizes.slabBytes,
    historyBytes: sum.historyBytes + sizes.historyBytes,
    snapshotBytes: sum.snapshotBytes + sizes.snapshotBytes,
    encodingBytes: sum.encodingBytes + sizes.encodingBytes,
    encodedEventBytes: sum.encodedEventBytes + sizes.encodedEventBytes,
  }));

/** The metrics of the watch cache. Series are looked up once per resource. */
export interface CacheMetrics {
  initialized(resource: CachedResource): void;
  dispatched(resource: CachedResource): void;
  /** Objects of the state with which a watch began. */
  initialEvents(resource: CachedResource, count: number): void;
  watchers(resource: CachedResource, count: number): void;
  watchEnded(resource: CachedResource, end: WatchEnd): void;
  listed(resource: CachedResource, list: { index: string; fetched: number; returned: number }): void;
  corrupt(resource: CachedResource): void;
  /** Objects of the current state that cannot be read. */
  unreadable(resource: CachedResource, objects: number): void;
  /** Events that the history of a resource holds. */
  history(resource: CachedResource, events: number): void;
  digest(status: 'match' | 'mismatch' | 'failed'): void;
  mismatches(resource: CachedResource, count: number): void;
  interrupted(reason: string): void;
  rebuilt(): void;
}

/** A family whose series are cached by resource, so that recording costs one map lookup. */
class ByResource<S> {
  readonly #family: Family<S>;
  readonly #series = new WeakMap<CachedResource, S>();

  constructor(family: Family<S>) {
    this.#family = family;
  }

  of(resource: CachedResource): S {
    let series = this.#series.get(resource);
    if (series === undefined) {
      series = this.#family.series(resource.name);
      this.#series.set(resource, series);
    }
    return series;
  }
}

export function cacheMetrics(metrics: Metrics, sizes: () => CacheSizes): CacheMetrics {
  const counter = (name: string, help: string): ByResource<CounterSeries> =>
    new ByResource(metrics.counter({ name, help, labels: ['resource'], stability: 'ALPHA' }));
  const gauge = (name: string, help: string, isSameInThreads = false): ByResource<GaugeSeries> =>
    new ByResource(metrics.gauge({ name, help, labels: ['resource'], stability: 'ALPHA', isSameInThreads }));
  const initializations = counter(
    'apiserver_watch_cache_watch_cache_initializations_total',
    'Times the watch cache of a resource was loaded.',
  );
  const dispatched = counter(
    'apiserver_watch_cache_events_dispatched_total',
    'Events dispatched to watchers.',
  );
  const initial = counter('apiserver_init_events_total', 'Events of the state with which watches began.');
  const terminated = counter(
    'apiserver_terminated_watchers_total',
    'Watchers ended because they were too slow.',
  );
  const expired = counter('watch_cache_expired_watchers_total', 'Watchers ended because history was lost.');
  const watchers = gauge('watch_cache_watchers', 'Open watches.');
  const capacity = gauge('watch_cache_capacity', 'Events held in the event history.');
  const corrupt = counter('watch_cache_corrupt_objects_total', 'Stored objects that could not be read.');
  const unreadable = gauge('watch_cache_unreadable_objects', 'Stored objects that cannot be read now.', true);
  const mismatches = counter(
    'watch_cache_digest_mismatches_total',
    'Keys that differed from the store, repaired.',
  );
  const digests = metrics.counter({
    name: 'watch_cache_digest_runs_total',
    help: 'Comparisons of the watch cache with the store, by outcome.',
    labels: ['status'],
    stability: 'ALPHA',
  });
  const interruptions = metrics.counter({
    name: 'watch_cache_store_watch_interruptions_total',
    help: 'Times the watch of the store had to be opened again, by reason.',
    labels: ['reason'],
    stability: 'ALPHA',
  });
  const rebuilds = metrics
    .counter({
      name: 'watch_cache_rebuilds_total',
      help: 'Rebuilds after history was lost.',
      stability: 'ALPHA',
    })
    .series();
  const lists = listMetrics(metrics);
  collectSizes(metrics, sizes);
  return {
    initialized(resource) {
      initializations.of(resource).inc();
      // Alerts compare with the value before: these series exist before their first increment.
      corrupt.of(resource).inc(0);
      mismatches.of(resource).inc(0);
    },
    dispatched: (resource) => dispatched.of(resource).inc(),
    initialEvents: (resource, count) => initial.of(resource).inc(count),
    watchers: (resource, count) => watchers.of(resource).set(count),
    watchEnded(resource, end) {
      if (end === 'slow') terminated.of(resource).inc();
      if (end === 'expired') expired.of(resource).inc();
    },
    listed: lists,
    corrupt: (resource) => corrupt.of(resource).inc(),
    unreadable: (resource, objects) => unreadable.of(resource).set(objects),
    history: (resource, events) => capacity.of(resource).set(events),
    digest: (status) => digests.series(status).inc(),
    mismatches: (resource, count) => mismatches.of(resource).inc(count),
    interrupted: (reason) => interruptions.series(reason).inc(),
    rebuilt: () => rebuilds.inc(),
  };
}

function listMetrics(metrics: Metrics): CacheMetrics['listed'] {
  const labels = ['index', 'resource_prefix'];
  const family = (name: string, help: string): Family<CounterSeries> =>
    metrics.counter({ name, help, labels, stability: 'ALPHA' });
  const lists = family('apiserver_cache_list_total', 'Lists served from the watch cache.');
  const fetched = family(
    'apiserver_cache_list_fetched_objects_total',
    'Objects read from the cache to serve lists.',
  );
  const returned = metrics.counter({
    name: 'apiserver_cache_list_returned_objects_total',
    help: 'Objects returned by lists.',
    labels: ['resource_prefix'],
    stability: 'ALPHA',
  });
  type Series = {
    readonly lists: CounterSeries;
    readonly fetched: CounterSeries;
    readonly returned: CounterSeries;
  };
  const cached = new WeakMap<CachedResource, Map<string, Series>>();
  return (resource, list) => {
    let series = cached.get(resource)?.get(list.index);
    if (series === undefined) {
      const { prefix } = resource;
      series = {
        lists: lists.series(list.index, prefix),
        fetched: fetched.series(list.index, prefix),
        returned: returned.series(prefix),
      };
      cached.set(resource, (cached.get(resource) ?? new Map<string, Series>()).set(list.index, series));
    }
    series.lists.inc();
    series.fetched.inc(list.fetched);
    series.returned.inc(list.returned);
  };
}

function collectSizes(metrics: Metrics, sizes: () => CacheSizes): void {
  const bytes = metrics.gauge({
    name: 'watch_cache_bytes',
    help: 'Bytes held by the watch cache, by kind of data.',
    labels: ['kind'],
    stability: 'ALPHA',
  });
  metrics.onCollect(() => {
    const now = sizes();
    bytes.series('objects').set(now.objectBytes);
    bytes.series('slabs').set(now.slabBytes);
    bytes.series('history').set(now.historyBytes);
    bytes.series('snapshots').set(now.snapshotBytes);
    bytes.series('encodings').set(now.encodingBytes);
    bytes.series('encoded-events').set(now.encodedEventBytes);
  });
}
