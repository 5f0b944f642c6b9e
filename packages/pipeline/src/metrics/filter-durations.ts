import type { HistogramSeries, Metrics } from '@orch/machinery';

const buckets = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5];

/** Measured stages, by their names in dashboards. */
type Filter = 'authentication' | 'authorization' | 'impersonation' | 'priorityandfairness';

/** The time that a stage takes before it passes a request on, in seconds. */
export const filterDuration = (metrics: Metrics, filter: Filter): HistogramSeries =>
  metrics
    .histogram({
      name: 'apiserver_request_filter_duration_seconds',
      help: 'Time that a stage of the pipeline takes before it passes a request on, by stage.',
      labels: ['filter'],
      buckets,
      stability: 'ALPHA',
    })
    .series(filter);
