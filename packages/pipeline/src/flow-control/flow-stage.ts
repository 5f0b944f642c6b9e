import type { ObjectSource } from '@orch/auth';
import {
  type ApiError,
  type Clock,
  errors,
  type HistogramSeries,
  type Metrics,
  type Names,
} from '@orch/machinery';
import { type ThreadTurns, Turns, whenSettled } from '@orch/machinery/concurrency';
import type { DebugEndpoint } from '@orch/program';
import {
  type Answer,
  attributesOf,
  excludeTime,
  type Handler,
  type Identified,
  isLongRunning,
  isReadOnly,
  type Reply,
  type Stage,
} from '@orch/request';
import { filterDuration } from '../metrics/filter-durations.ts';
import { FlowMetrics } from './flow-metrics.ts';
import { type FlowSchema, FlowTable } from './flow-table.ts';
import { flowEndpoints } from './flow-tables.ts';
import { counted, InflightPeaks } from './inflight-stage.ts';
import type { Refusal, Seat } from './priority-level.ts';
import { releaseSeatsAfter } from './release-seats-after.ts';
import { RequestQueue } from './request-queue.ts';
import { type WorkCounts, widthOf } from './width.ts';

/** Configuration of flow control. */
export interface FlowControlOptions extends WorkCounts {
  /** Source of flow schemas and priority levels. */
  readonly source: ObjectSource;
}

export interface FlowStageOptions extends FlowControlOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly turns?: ThreadTurns;
  readonly names: Names;
  /** Total number of seats of all levels. */
  readonly seats: number;
  /** Maximum time that a request waits for seats. */
  readonly waitMs: number;
}

/** A classified request that has no seats yet. */
interface PendingRequest {
  readonly arrived: number;
  readonly context: Identified;
  readonly schema: FlowSchema;
  readonly next: Handler<Identified>;
}

/** A request that occupies seats. */
interface ExecutingRequest extends PendingRequest {
  readonly seat: Seat;
  readonly started: number;
}

/**
 * API priority and fairness: a request takes seats of its priority level, waits for them in a queue of its flow, or is
 * refused with 429. A request with free seats is handled without waiting, and without a promise.
 * Watches occupy seats while they begin; connections to nodes, pods and services occupy none.
 */
export function controlFlow(options: FlowStageOptions): {
  readonly stage: Stage<Identified>;
  /** Tables of its state. */
  readonly debug: readonly DebugEndpoint[];
  inflight(): number;
  close(): void;
} {
  const control = new FlowControl(options);
  return {
    stage: (context, next) => control.handle(context, next),
    debug: control.debug,
    inflight: () => control.inflight,
    close: () => control.close(),
  };
}

class FlowControl {
  readonly #clock: Clock;
  readonly #workCounts: WorkCounts;
  readonly #table: FlowTable;
  readonly #requestQueue: RequestQueue;
  readonly #turns: Turns;
  readonly #peaks: InflightPeaks;
  readonly #duration: HistogramSeries;
  readonly debug: readonly DebugEndpoint[];

  constructor(options: FlowStageOptions) {
    const { clock, metrics, waitMs } = options;
    const flowMetrics = new FlowMetrics(metrics);
    const table = new FlowTable({ ...options, countsOf: (schema, level) => flowMetrics.of(schema, level) });
    flowMetrics.reportLimits(metrics, () => table.levels);
    this.#clock = clock;
    this.#workCounts = options;
    this.#table = table;
    this.debug = flowEndpoints(table);
    this.#requestQueue = new RequestQueue(clock, waitMs);
    this.#turns = new Turns(options, 'hurried');
    this.#peaks = new InflightPeaks(metrics);
    this.#duration = filterDuration(metrics, 'priorityandfairness');
  }

  get inflight(): number {
    return this.#peaks.total;
  }

  close(): void {
    this.#requestQueue.close();
  }

  handle(context: Identified, next: Handler<Identified>): Answer {
    const { info } = context;
    const arrived = this.#clock.monotonic();
    const isWatch = info.verb === 'watch';
    if (isLongRunning(info) && !isWatch) return next(context);
    const schema = this.#table.classify(attributesOf(info, context.user, context.request.rawQuery));
    context.trace.flow = schema;
    const pending = { arrived, context, schema, next };
    if (isWatch) return this.#pass(pending);
    return counted({ peaks: this.#peaks, isRead: isReadOnly(info) }, this.#pass, pending);
  }

  // An arrow function, because it is passed on.
  readonly #pass = (pending: PendingRequest): Answer => {
    const { context, schema } = pending;
    const { counts, level } = schema;
    const width = level.isExempt
      ? 1
      : Math.min(widthOf(context, this.#workCounts, counts.watchers), level.maxWidth);
    counts.width.observe(width);
    const seat = level.take(width);
    return seat === undefined ? this.#wait(pending, width) : this.#work(pending, seat);
  };

  #wait(pending: PendingRequest, width: number): Answer {
    const { context, schema } = pending;
    const { counts, level } = schema;
    counts.noAccommodation.inc();
    const flow = `${schema.name}\n${distinguished(schema, context)}`;
    const enqueuedAt = this.#clock.monotonic();
    const outcome = this.#requestQueue.enter({ level, flow, width, signal: context.request.signal });
    if (typeof outcome === 'string') throw this.#refused(pending, outcome);
    const isRead = isReadOnly(context.info);
    counts.waiting++;
    this.#peaks.beginWaiting(isRead);
    counts.queueLength.observe(level.waiting);
    return outcome.then((seat) => {
      counts.waiting--;
      this.#peaks.endWaiting(isRead);
      const waitedMs = this.#clock.monotonic() - enqueuedAt;
      excludeTime(context.trace, waitedMs);
      context.trace.queuedMs = waitedMs;
      const seconds = waitedMs / 1000;
      if (typeof seat === 'string') {
        counts.gaveUp.observe(seconds);
        throw this.#refused(pending, seat);
      }
      counts.waited.observe(seconds);
      // Without a turn, each request that returns its seats at once would be followed by the next, until the queues are empty.
      return seat.width > 1
        ? this.#turns.begin().then(() => this.#work(pending, seat))
        : this.#work(pending, seat);
    });
  }

  #refused({ context, schema }: PendingRequest, why: Refusal): unknown {
    schema.counts.refused(why);
    context.trace.refusedBy = 'flow control';
    this.#peaks.dropped(isReadOnly(context.info));
    return schema.headers.failure(tooMany(why));
  }

  #work(pending: PendingRequest, seat: Seat): Answer {
    const { arrived, context, schema, next } = pending;
    const { counts } = schema;
    const started = this.#clock.monotonic();
    this.#duration.observe((started - arrived) / 1000);
    const executing: ExecutingRequest = { arrived, context, schema, next, seat, started };
    counts.dispatched.inc();
    counts.executing++;
    counts.seats += seat.width;
    let answer: Answer;
    try {
      answer = next(context);
    } catch (error) {
      return this.#failed(error, executing);
    }
    return whenSettled(answer, this.#done, this.#failed, executing);
  }

  readonly #failed = (error: unknown, executing: ExecutingRequest): never => {
    this.#release(executing);
    throw executing.schema.headers.failure(error);
  };

  readonly #done = (reply: Reply, executing: ExecutingRequest): Reply => {
    const marked = executing.schema.headers.on(reply);
    // Streamed replies occupy their seats while they are written.
    if (executing.seat.width > 1 && marked.kind !== 'bytes') {
      let isHeld = true;
      const once = (): void => {
        if (isHeld) this.#release(executing);
        isHeld = false;
      };
      return releaseSeatsAfter(marked, { clock: this.#clock, release: once });
    }
    this.#release(executing);
    return marked;
  };

  #release({ context, schema, seat, started }: ExecutingRequest): void {
    const ms = this.#clock.monotonic() - started;
    const { counts } = schema;
    counts.executing--;
    counts.seats -= seat.width;
    (context.info.verb === 'watch' ? counts.initialised : counts.executed).observe(ms / 1000);
    schema.level.giveBack(seat, ms);
  }
}

function distinguished({ distinguisher }: FlowSchema, { info, user }: Identified): string {
  switch (distinguisher) {
    case 'ByUser':
      return user.name;
    case 'ByNamespace':
      return info.isResource ? info.namespace : '';
    case undefined:
      return '';
  }
}

function tooMany(why: Refusal): ApiError {
  return errors.tooManyRequests(
    why === 'time-out'
      ? 'Too many requests: there was no room for this one in time, please try again later.'
      : 'Too many requests, please try again later.',
  );
}
