import type { CounterSeries, HistogramSeries, Metrics } from '@orch/machinery';
import type { PriorityLevel, Refusal } from './priority-level.ts';

const SECONDS_BUCKETS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];
const LENGTH_BUCKETS = [0, 10, 25, 50, 100, 250, 500, 1000];
const SEAT_BUCKETS = [1, 2, 4, 10];
const WATCHER_BUCKETS = [0, 1, 10, 100, 1000, 10_000];
const stability = 'ALPHA';
const both = ['flow_schema', 'priority_level'];

/** The series of one flow schema at one level. */
export class FlowCounts {
  executing = 0;
  seats = 0;
  waiting = 0;
  readonly dispatched: CounterSeries;
  readonly noAccommodation: CounterSeries;
  readonly width: HistogramSeries;
  readonly watchers: HistogramSeries;
  readonly queueLength: HistogramSeries;
  readonly waited: HistogramSeries;
  readonly gaveUp: HistogramSeries;
  readonly executed: HistogramSeries;
  readonly initialised: HistogramSeries;
  readonly refused: (reason: Refusal) => void;

  constructor(families: ReturnType<typeof familiesOf>, schema: string, level: string) {
    this.dispatched = families.dispatched.series(schema, level);
    this.noAccommodation = families.noAccommodation.series(schema, level);
    this.width = families.width.series(schema, level);
    this.watchers = families.watchers.series(schema, level);
    this.queueLength = families.queueLength.series(schema, level);
    this.waited = families.waited.series('true', schema, level);
    this.gaveUp = families.waited.series('false', schema, level);
    this.executed = families.executed.series(schema, level, 'regular');
    this.initialised = families.executed.series(schema, level, 'watch');
    this.refused = (reason) => families.rejected.series(schema, level, reason).inc();
  }
}

function familiesOf(metrics: Metrics) {
  const name = (rest: string): string => `apiserver_flowcontrol_${rest}`;
  const counter = (rest: string, help: string, labels: readonly string[]) =>
    metrics.counter({ name: name(rest), help, labels, stability });
  const gauge = (rest: string, help: string, labels: readonly string[]) =>
    metrics.gauge({ name: name(rest), help, labels, stability });
  const histogram = (rest: string, help: string, shape: { labels: string[]; buckets: number[] }) =>
    metrics.histogram({ name: name(rest), help, ...shape, stability });
  return {
    dispatched: counter('dispatched_requests_total', 'Requests that got a seat.', both),
    rejected: counter('rejected_requests_total', 'Requests refused with 429, by reason.', [
      ...both,
      'reason',
    ]),
    noAccommodation: counter(
      'request_dispatch_no_accommodation_total',
      'Requests that found no free seat on arrival.',
      both,
    ),
    executing: gauge('current_executing_requests', 'Executing requests.', both),
    waiting: gauge('current_inqueue_requests', 'Queued requests.', both),
    inUse: gauge('request_concurrency_in_use', 'Occupied seats.', both),
    limit: gauge('request_concurrency_limit', 'Seats of a level.', ['priority_level']),
    width: histogram('work_estimated_seats', 'Seats that requests occupy.', {
      labels: both,
      buckets: SEAT_BUCKETS,
    }),
    watchers: histogram('watch_count_samples', 'Watchers that are notified of a write.', {
      labels: both,
      buckets: WATCHER_BUCKETS,
    }),
    queueLength: histogram(
      'request_queue_length_after_enqueue',
      'Length of a queue after a request was added.',
      {
        labels: both,
        buckets: LENGTH_BUCKETS,
      },
    ),
    waited: histogram(
      'request_wait_duration_seconds',
      'Time that requests waited in a queue, by whether they were executed.',
      {
        labels: ['execute', ...both],
        buckets: SECONDS_BUCKETS,
      },
    ),
    progress: gauge('current_r', 'Progress of the queues of a level, in seat seconds.', ['priority_level']),
    dispatchProgress: gauge(
      'dispatch_r',
      'Progress of the level when a queued request was last dispatched.',
      ['priority_level'],
    ),
    latest: gauge('latest_s', 'Start of the queued request that was last dispatched.', ['priority_level']),
    next: gauge('next_s_bounds', 'Lower and upper bound of the start of the next requests of the queues.', [
      'bound',
      'priority_level',
    ]),
    nextDiscounted: gauge(
      'next_discounted_s_bounds',
      'Lower and upper bound of the start of the next requests, without estimates of executing requests.',
      ['bound', 'priority_level'],
    ),
    executed: histogram('request_execution_seconds', 'Time that requests occupied seats.', {
      labels: [...both, 'type'],
      buckets: SECONDS_BUCKETS,
    }),
  };
}

/** Metrics of flow control (facts: metric names). Gauges are computed when they are scraped. */
export class FlowMetrics {
  readonly #families: ReturnType<typeof familiesOf>;
  readonly #counts = new Map<string, Map<string, FlowCounts>>();

  constructor(metrics: Metrics) {
    const families = familiesOf(metrics);
    this.#families = families;
    metrics.onCollect(() => {
      for (const [schema, byLevel] of this.#counts) {
        for (const [level, { executing, seats, waiting }] of byLevel) {
          families.executing.series(schema, level).set(executing);
          families.inUse.series(schema, level).set(seats);
          families.waiting.series(schema, level).set(waiting);
        }
      }
    });
  }

  /** Reports the seats of the levels before every scrape. */
  reportLimits(metrics: Metrics, levels: () => Iterable<PriorityLevel>): void {
    metrics.onCollect(() => {
      for (const level of levels()) {
        this.#families.limit.series(level.name).set(level.limits.seats ?? 0);
        if (level.limits.queuing !== undefined) this.#reportProgress(level);
      }
    });
  }

  /** For empty queues the bounds are the progress of the level. */
  #reportProgress({ name, progress }: PriorityLevel): void {
    const { progress: now, dispatchProgress, latest, next, nextDiscounted } = this.#families;
    const seconds = (ms: number): number => ms / 1000;
    now.series(name).set(seconds(progress.now));
    dispatchProgress.series(name).set(seconds(progress.dispatched));
    latest.series(name).set(seconds(progress.latest));
    for (const bound of ['min', 'max'] as const) {
      next.series(bound, name).set(seconds(progress.next[bound]));
      nextDiscounted.series(bound, name).set(seconds(progress.discounted[bound]));
    }
  }

  of(schema: string, level: string): FlowCounts {
    const byLevel = this.#counts.get(schema) ?? new Map<string, FlowCounts>();
    this.#counts.set(schema, byLevel);
    const counts = byLevel.get(level) ?? new FlowCounts(this.#families, schema, level);
    byLevel.set(level, counts);
    return counts;
  }
}
