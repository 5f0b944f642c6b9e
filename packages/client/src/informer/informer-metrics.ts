import type { CounterSeries, GaugeSeries, HistogramSeries, Metrics } from '@orch/machinery';
import type { Resource } from '../rest/types.ts';

/** What one informer counts. */
export interface InformerMetrics {
  readonly lists: CounterSeries;
  readonly listSeconds: HistogramSeries;
  readonly watches: CounterSeries;
  readonly objects: GaugeSeries;
  failed(step: 'list' | 'watch', fault: string): void;
}

const seconds = [0.1, 1, 10];

/** Informers of the same resource share their series. */
export function informerMetrics(metrics: Metrics, resource: Resource): InformerMetrics {
  const name = resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
  const labels = ['resource'];
  const failures = metrics.counter({
    name: 'informer_failures_total',
    help: 'Lists and watches of informers that failed and were tried again.',
    labels: ['resource', 'step', 'fault'],
  });
  return {
    lists: metrics
      .counter({ name: 'informer_lists_total', help: 'States that informers have read.', labels })
      .series(name),
    listSeconds: metrics
      .histogram({
        name: 'informer_list_duration_seconds',
        help: 'Time that reading a state took.',
        labels,
        buckets: seconds,
      })
      .series(name),
    watches: metrics
      .counter({ name: 'informer_watches_total', help: 'Watches that informers have begun.', labels })
      .series(name),
    objects: metrics
      .gauge({ name: 'informer_objects', help: 'Objects that informers hold.', labels })
      .series(name),
    failed: (step, fault) => failures.series(name, step, fault).inc(),
  };
}
