import type { ObjectFeed } from '@orch/auth';
import { type ApiError, type Clock, errors, type Metrics, type Names } from '@orch/machinery';
import { attributesOf } from '../request/attributes.ts';
import type { Identified } from '../request/contexts.ts';
import { isLongRunning, isReadOnly } from '../request/long-running.ts';
import type { Answer, Handler, Reply, Stage } from '../request/types.ts';
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
  const { clock, metrics } = options;
  const flowMetrics = new FlowMetrics(metrics);
  const table = new FlowTable({ ...options, countsOf: (schema, level) => flowMetrics.of(schema, level) });
  flowMetrics.showLimits(metrics, () => table.levels);
  const room = new WaitingRoom(clock, options.waitMs);
  const peaks = new InflightPeaks(metrics);

  const stage: Stage<Identified> = (context, next) => {
    const { info } = context;
    const isWatch = info.verb === 'watch';
    if (isLongRunning(info) && !isWatch) return next(context);
    const schema = table.classify(attributesOf(info, context.user, context.request.rawQuery));
    const passage = { context, schema, next };
    return isWatch ? pass(passage) : counted({ peaks, isRead: isReadOnly(info) }, pass, passage);
  };

  function pass(passage: Passage): Answer {
    const { context, schema } = passage;
    const { counts, level } = schema;
    const width = level.isExempt ? 1 : widthOf(context, options, counts.watchers);
    counts.width.observe(width);
    const seat = level.take(width);
    return seat === undefined ? wait(passage, width) : work(passage, seat);
  }

  function wait(passage: Passage, width: number): Answer {
    const { context, schema } = passage;
    const { counts, level } = schema;
    counts.noAccommodation.inc();
    const flow = `${schema.name}\n${distinguished(schema, context)}`;
    const came = clock.monotonic();
    const outcome = room.enter({ level, flow, width, signal: context.request.signal });
    if (typeof outcome === 'string') throw refused(passage, outcome);
    counts.waiting++;
    counts.queueLength.observe(level.waiting);
    return outcome.then((seat) => {
      counts.waiting--;
      const seconds = (clock.monotonic() - came) / 1000;
      if (typeof seat === 'string') {
        counts.gaveUp.observe(seconds);
        throw refused(passage, seat);
      }
      counts.waited.observe(seconds);
      return work(passage, seat);
    });
  }

  function refused({ context, schema }: Passage, why: Refusal): unknown {
    schema.counts.refused(why);
    peaks.dropped(isReadOnly(context.info));
    return schema.headers.failure(tooMany(why));
  }

  function work({ context, schema, next }: Passage, seat: Seat): Answer {
    const { counts, headers } = schema;
    const seated: Seated = { context, schema, next, seat, started: clock.monotonic() };
    counts.dispatched.inc();
    counts.executing++;
    counts.seats += seat.width;
    let answer: Answer;
    try {
      answer = next(context);
    } catch (error) {
      release(seated);
      throw headers.failure(error);
    }
    if (!(answer instanceof Promise)) return done(seated, answer);
    return answer.then(
      (reply) => done(seated, reply),
      (error: unknown) => {
        release(seated);
        throw headers.failure(error);
      },
    );
  }

  function done(seated: Seated, reply: Reply): Reply {
    const marked = seated.schema.headers.on(reply);
    // What is written only now costs as much as what was made before.
    if (seated.seat.width > 1 && marked.kind !== 'bytes') {
      let isHeld = true;
      const once = (): void => {
        if (isHeld) release(seated);
        isHeld = false;
      };
      return heldWhile(marked, { clock, release: once });
    }
    release(seated);
    return marked;
  }

  function release({ context, schema, seat, started }: Seated): void {
    const ms = clock.monotonic() - started;
    const { counts } = schema;
    counts.executing--;
    counts.seats -= seat.width;
    (context.info.verb === 'watch' ? counts.initialised : counts.executed).observe(ms / 1000);
    schema.level.giveBack(seat, ms);
  }

  return { stage, inflight: () => peaks.total, close: () => room.close() };
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
