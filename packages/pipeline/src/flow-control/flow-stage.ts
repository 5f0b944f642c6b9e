import type { ObjectFeed } from '@orch/auth';
import {
  type ApiError,
  type Clock,
  errors,
  type Metrics,
  type Names,
  whenFulfilled,
  whenRejected,
} from '@orch/machinery';
import {
  type Answer,
  attributesOf,
  type Handler,
  type Identified,
  isLongRunning,
  isReadOnly,
  type Reply,
  type Stage,
} from '@orch/request';
import { FlowMetrics } from './flow-metrics.ts';
import { type FlowSchema, FlowTable } from './flow-table.ts';
import { heldWhile } from './held-reply.ts';
import { InflightPeaks } from './inflight-peaks.ts';
import { counted } from './inflight-stage.ts';
import type { Refusal, Seat } from './priority-level.ts';
import { WaitingRoom } from './waiting.ts';
import { type WorkCounts, widthOf } from './width.ts';

/** How requests share the server. */
export interface FlowControlOptions extends WorkCounts {
  /** Where flow schemas and priority levels come from. */
  readonly feed: ObjectFeed;
}

export interface FlowStageOptions extends FlowControlOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly names: Names;
  /** Requests that are worked on at one time, of all levels. */
  readonly seats: number;
  /** How long a request waits for a seat at most. */
  readonly waitMs: number;
}

/** A request on its way through. */
interface Passage {
  readonly context: Identified;
  readonly schema: FlowSchema;
  readonly next: Handler<Identified>;
}

/** A request that has its seats. */
interface Seated extends Passage {
  readonly seat: Seat;
  readonly started: number;
}

/**
 * Shares the server fairly (flow schemas and priority levels): a request takes seats of its level, waits for them in a
 * queue of its flow, or is refused with 429. A request that finds its seats free waits for nothing, not even a promise.
 * Watches take seats while they begin; connections to nodes, pods and services take none.
 */
export function controlFlow(options: FlowStageOptions): {
  readonly stage: Stage<Identified>;
  inflight(): number;
  close(): void;
} {
  const control = new FlowControl(options);
  return {
    stage: (context, next) => control.handle(context, next),
    inflight: () => control.inflight,
    close: () => control.close(),
  };
}

class FlowControl {
  readonly #clock: Clock;
  readonly #workCounts: WorkCounts;
  readonly #table: FlowTable;
  readonly #room: WaitingRoom;
  readonly #peaks: InflightPeaks;

  constructor(options: FlowStageOptions) {
    const { clock, metrics, waitMs } = options;
    const flowMetrics = new FlowMetrics(metrics);
    const table = new FlowTable({ ...options, countsOf: (schema, level) => flowMetrics.of(schema, level) });
    flowMetrics.showLimits(metrics, () => table.levels);
    this.#clock = clock;
    this.#workCounts = options;
    this.#table = table;
    this.#room = new WaitingRoom(clock, waitMs);
    this.#peaks = new InflightPeaks(metrics);
  }

  get inflight(): number {
    return this.#peaks.total;
  }

  close(): void {
    this.#room.close();
  }

  handle(context: Identified, next: Handler<Identified>): Answer {
    const { info } = context;
    const isWatch = info.verb === 'watch';
    if (isLongRunning(info) && !isWatch) return next(context);
    const schema = this.#table.classify(attributesOf(info, context.user, context.request.rawQuery));
    const passage = { context, schema, next };
    if (isWatch) return this.#pass(passage);
    return counted({ peaks: this.#peaks, isRead: isReadOnly(info) }, this.#pass, passage);
  }

  // An arrow function, because it is passed on.
  readonly #pass = (passage: Passage): Answer => {
    const { context, schema } = passage;
    const { counts, level } = schema;
    const width = level.isExempt ? 1 : widthOf(context, this.#workCounts, counts.watchers);
    counts.width.observe(width);
    const seat = level.take(width);
    return seat === undefined ? this.#wait(passage, width) : this.#work(passage, seat);
  };

  #wait(passage: Passage, width: number): Answer {
    const { context, schema } = passage;
    const { counts, level } = schema;
    counts.noAccommodation.inc();
    const flow = `${schema.name}\n${distinguished(schema, context)}`;
    const came = this.#clock.monotonic();
    const outcome = this.#room.enter({ level, flow, width, signal: context.request.signal });
    if (typeof outcome === 'string') throw this.#refused(passage, outcome);
    counts.waiting++;
    counts.queueLength.observe(level.waiting);
    return outcome.then((seat) => {
      counts.waiting--;
      const seconds = (this.#clock.monotonic() - came) / 1000;
      if (typeof seat === 'string') {
        counts.gaveUp.observe(seconds);
        throw this.#refused(passage, seat);
      }
      counts.waited.observe(seconds);
      return this.#work(passage, seat);
    });
  }

  #refused({ context, schema }: Passage, why: Refusal): unknown {
    schema.counts.refused(why);
    this.#peaks.dropped(isReadOnly(context.info));
    return schema.headers.failure(tooMany(why));
  }

  #work({ context, schema, next }: Passage, seat: Seat): Answer {
    const { counts } = schema;
    const seated: Seated = { context, schema, next, seat, started: this.#clock.monotonic() };
    counts.dispatched.inc();
    counts.executing++;
    counts.seats += seat.width;
    let answer: Answer;
    try {
      answer = next(context);
    } catch (error) {
      return this.#failed(error, seated);
    }
    return whenFulfilled(whenRejected(answer, this.#failed, seated), this.#done, seated);
  }

  readonly #failed = (error: unknown, seated: Seated): never => {
    this.#release(seated);
    throw seated.schema.headers.failure(error);
  };

  readonly #done = (reply: Reply, seated: Seated): Reply => {
    const marked = seated.schema.headers.on(reply);
    // What is written only now costs as much as what was made before.
    if (seated.seat.width > 1 && marked.kind !== 'bytes') {
      let isHeld = true;
      const once = (): void => {
        if (isHeld) this.#release(seated);
        isHeld = false;
      };
      return heldWhile(marked, { clock: this.#clock, release: once });
    }
    this.#release(seated);
    return marked;
  };

  #release({ context, schema, seat, started }: Seated): void {
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
