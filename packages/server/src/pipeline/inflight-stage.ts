import { errors, type Metrics } from '@orch/machinery';
import type { Identified } from './contexts.ts';
import { isLongRunning, isReadOnly } from './long-running.ts';
import type { Answer, Reply, Stage } from './types.ts';

interface Lane {
  readonly limit: number;
  inflight: number;
  /** Most at one time since the last scrape. */
  peak: number;
}

/**
 * Bounds the requests that are being worked on, reading and mutating ones apart; one too many is answered with 429 and
 * `Retry-After`. Long-running requests do not count. A limit of 0 means none. Members of `exemptGroup` are never refused,
 * so that an administrator can still act on an overloaded server.
 */
export function limitInflight(options: {
  readonly metrics: Metrics;
  readonly maxReadOnly: number;
  readonly maxMutating: number;
  readonly exemptGroup: string;
}): { readonly stage: Stage<Identified>; inflight(): number } {
  const readOnly: Lane = { limit: options.maxReadOnly, inflight: 0, peak: 0 };
  const mutating: Lane = { limit: options.maxMutating, inflight: 0, peak: 0 };
  const gauge = options.metrics.gauge({
    name: 'apiserver_current_inflight_requests',
    help: 'Most requests in flight at one time since the last scrape, by kind.',
    labels: ['request_kind'],
    stability: 'STABLE',
  });
  const dropped = options.metrics.counter({
    name: 'apiserver_dropped_requests_total',
    help: 'Requests refused with 429 because too many were in flight, by kind.',
    labels: ['request_kind'],
    stability: 'ALPHA',
  });
  const readOnlyGauge = gauge.series('readOnly');
  const mutatingGauge = gauge.series('mutating');
  options.metrics.onCollect(() => {
    readOnlyGauge.set(readOnly.peak);
    mutatingGauge.set(mutating.peak);
    readOnly.peak = readOnly.inflight;
    mutating.peak = mutating.inflight;
  });

  const stage: Stage<Identified> = (context, next) => {
    if (isLongRunning(context.info)) return next(context);
    const isRead = isReadOnly(context.info);
    const lane = isRead ? readOnly : mutating;
    if (lane.limit > 0 && lane.inflight >= lane.limit && !context.user.groups.includes(options.exemptGroup)) {
      dropped.series(isRead ? 'readOnly' : 'mutating').inc();
      throw errors.tooManyRequests('Too many requests, please try again later.');
    }
    lane.inflight++;
    if (lane.inflight > lane.peak) lane.peak = lane.inflight;
    let answer: Answer;
    try {
      answer = next(context);
    } catch (error) {
      lane.inflight--;
      throw error;
    }
    if (answer instanceof Promise) return released(answer, lane);
    lane.inflight--;
    return answer;
  };
  return { stage, inflight: () => readOnly.inflight + mutating.inflight };
}

/** Cheaper than `finally`, which takes two more turns of the promise queue. */
function released(answer: Promise<Reply>, lane: Lane): Promise<Reply> {
  return answer.then(
    (reply) => {
      lane.inflight--;
      return reply;
    },
    (error: unknown) => {
      lane.inflight--;
      throw error;
    },
  );
}
