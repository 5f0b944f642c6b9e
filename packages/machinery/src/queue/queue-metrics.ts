import type { Clock } from '../env.ts';
import type { CounterSeries, GaugeSeries, HistogramSeries, Metrics } from '../metrics.ts';

/** Upper bounds as is usual for work queues: powers of ten from ten nanoseconds to ten seconds. */
const buckets = [1e-8, 1e-7, 1e-6, 9.999999999999999e-6, 9.999999999999999e-5, 1e-3, 1e-2, 0.1, 1, 10];

export interface QueueMetrics {
  readonly adds: CounterSeries;
  readonly retries: CounterSeries;
  readonly depth: GaugeSeries;
  readonly waitedSeconds: HistogramSeries;
  readonly workedSeconds: HistogramSeries;
  /** Removes the metrics of the queue, so that its name can be used again. */
  close(): void;
}

/**
 * The metrics of one queue, under the names that existing dashboards use. `startedAt` returns the start times of the
 * keys that are being processed, whenever the metrics are read.
 */
export function queueMetrics(
  metrics: Metrics,
  clock: Clock,
  queue: { readonly name: string; startedAt(): Iterable<number> },
): QueueMetrics {
  const shape = { labels: ['name'], stability: 'ALPHA' } as const;
  const { name } = queue;
  const gauge = (metric: string, help: string): GaugeSeries =>
    metrics.gauge({ name: metric, help, ...shape }).series(name);
  const histogram = (metric: string, help: string): HistogramSeries =>
    metrics.histogram({ name: metric, help, buckets, ...shape }).series(name);
  const counter = (metric: string, help: string): CounterSeries =>
    metrics.counter({ name: metric, help, ...shape }).series(name);
  const unfinished = gauge('workqueue_unfinished_work_seconds', 'Sum of the durations of unfinished work.');
  const longest = gauge(
    'workqueue_longest_running_processor_seconds',
    'Duration of the longest unfinished work.',
  );
  let startedAt: (() => Iterable<number>) | undefined = () => queue.startedAt();
  metrics.onCollect(() => {
    if (startedAt === undefined) return;
    const now = clock.monotonic();
    const seconds = [...startedAt()].map((at) => (now - at) / 1000);
    unfinished.set(seconds.reduce((sum, each) => sum + each, 0));
    longest.set(seconds.reduce((most, each) => Math.max(most, each), 0));
  });
  return {
    adds: counter('workqueue_adds_total', 'Number of added keys.'),
    retries: counter('workqueue_retries_total', 'Number of keys that were added again after a failure.'),
    depth: gauge('workqueue_depth', 'Number of queued keys.'),
    waitedSeconds: histogram(
      'workqueue_queue_duration_seconds',
      'Time between the addition of a key and its processing.',
    ),
    workedSeconds: histogram('workqueue_work_duration_seconds', 'Duration of the processing of a key.'),
    close() {
      startedAt = undefined;
    },
  };
}
