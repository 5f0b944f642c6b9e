import type { CounterSeries, HistogramSeries, Metrics, Names } from '@orch/machinery';
import type { ServedResource } from './served-resource.ts';

/** Recorded by the watches of one resource. */
export interface WatchSeries {
  readonly events: CounterSeries;
  readonly sizes: HistogramSeries;
}

/** Recorded by the lists of one resource. */
export interface ListSeries {
  readonly lists: CounterSeries;
  readonly returned: CounterSeries;
}

/** Metrics of the registry (facts: metrics); series are created on first use and cached. */
export interface RegistryMetrics {
  watch(resource: ServedResource): WatchSeries;
  list(resource: ServedResource): ListSeries;
}

const SIZE_BUCKETS = [1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072];

export function registryMetrics(
  metrics: Metrics,
  names: Names,
  objects: () => Iterable<{ readonly name: string; readonly count: number }>,
): RegistryMetrics {
  const gvk = ['group', 'version', 'kind'] as const;
  const events = metrics.counter({
    name: 'apiserver_watch_events_total',
    help: 'Events sent to watching clients.',
    labels: gvk,
    stability: 'ALPHA',
  });
  const sizes = metrics.histogram({
    name: 'apiserver_watch_events_sizes',
    help: 'Bytes of the events sent to watching clients.',
    labels: gvk,
    buckets: SIZE_BUCKETS,
    stability: 'ALPHA',
  });
  const lists = metrics.counter({
    name: 'apiserver_storage_list_total',
    help: 'Lists answered.',
    labels: ['resource'],
    stability: 'ALPHA',
  });
  const returned = metrics.counter({
    name: 'apiserver_storage_list_returned_objects_total',
    help: 'Objects in the answers to lists.',
    labels: ['resource'],
    stability: 'ALPHA',
  });
  const stored = metrics.gauge({
    name: 'apiserver_storage_objects',
    help: 'Objects in the store at the time of the last check.',
    isSameInThreads: true,
    labels: ['resource'],
    stability: 'STABLE',
  });
  const formerlyStored = metrics.gauge({
    name: 'etcd_object_counts',
    help: 'Objects in the store at the time of the last check; apiserver_storage_objects is the same.',
    isSameInThreads: true,
    labels: ['resource'],
    stability: 'ALPHA',
    deprecatedFrom: '1.22',
  });
  metrics.onCollect(() => {
    // Resources whose definition was deleted are no longer among them.
    stored.clear();
    formerlyStored.clear();
    for (const { name, count } of objects()) {
      stored.series(name).set(count);
      formerlyStored.series(name).set(count);
    }
  });
  return {
    watch: cachedPerResource(({ group, version, type }) => ({
      events: events.series(group, version, type.kind),
      sizes: sizes.series(group, version, type.kind),
    })),
    list: cachedPerResource((resource) => ({
      lists: lists.series(metricName(resource, names)),
      returned: returned.series(metricName(resource, names)),
    })),
  };
}

/** `pods`, `leases.coordination.…`: by the group of the resource, for all of its versions. */
export const metricName = ({ type }: ServedResource, names: Names): string =>
  type.group === '' ? type.resource : `${type.resource}.${names.group(type.group)}`;

function cachedPerResource<V>(make: (resource: ServedResource) => V): (resource: ServedResource) => V {
  const known = new WeakMap<ServedResource, V>();
  return (resource) => {
    let value = known.get(resource);
    if (value === undefined) {
      value = make(resource);
      known.set(resource, value);
    }
    return value;
  };
}
