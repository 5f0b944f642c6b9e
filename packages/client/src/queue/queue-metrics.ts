import type { Clock, CounterSeries, GaugeSeries, HistogramSeries, Metrics } from '@orch/machinery';

/** Upper bounds as the field has them: powers of ten from ten nanoseconds to ten seconds. */
const buckets = [1e-8, 1e-7, 1e-6, 9.999999999999999e-6, 9.999999999999999e-5, 1e-3, 1e-2, 0.1, 1, 10];

export interface QueueMetrics {
  readonly adds: CounterSeries;
  readonly retries: CounterSeries;
  readonly depth: GaugeSeries;
  readonly waitedSeconds: HistogramSeries;
  readonly workedSeconds: HistogramSeries;
  /** The queue is over: its name may be another's from now on, and nothing of it is held. */
  close(): void;
}

/**
 * The metrics of one queue, under the names that dashboards of the field know. `startedAt` answers since when each key
 * that is being worked on has been, and is asked when somebody reads the metrics.
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
  const unfinished = gauge('workqueue_unfinished_work_seconds', 'Time that work under way has taken so far.');
  const longest = gauge(
    'workqueue_longest_running_processor_seconds',
    'Time that the longest work under way has taken so far.',
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
    adds: counter('workqueue_adds_total', 'Keys that were added.'),
    retries: counter('workqueue_retries_total', 'Keys that were added again after a failure.'),
    depth: gauge('workqueue_depth', 'Keys that wait.'),
    waitedSeconds: histogram('workqueue_queue_duration_seconds', 'Time that keys waited to be worked on.'),
    workedSeconds: histogram('workqueue_work_duration_seconds', 'Time that work on a key took.'),
    close() {
      startedAt = undefined;
    },
  };
}
