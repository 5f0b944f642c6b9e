import type { CounterSeries, GaugeSeries, HistogramSeries, Metrics } from '@orch/machinery';
import type { Resource } from '../rest/types.ts';

/** The metrics of one informer. */
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
    help: 'Number of failed lists and watches of informers.',
    labels: ['resource', 'step', 'fault'],
  });
  return {
    lists: metrics
      .counter({ name: 'informer_lists_total', help: 'Number of lists of informers.', labels })
      .series(name),
    listSeconds: metrics
      .histogram({
        name: 'informer_list_duration_seconds',
        help: 'Duration of lists of informers.',
        labels,
        buckets: seconds,
      })
      .series(name),
    watches: metrics
      .counter({ name: 'informer_watches_total', help: 'Number of watches of informers.', labels })
      .series(name),
    objects: metrics
      .gauge({ name: 'informer_objects', help: 'Number of objects in informers.', labels })
      .series(name),
    failed: (step, fault) => failures.series(name, step, fault).inc(),
  };
}
