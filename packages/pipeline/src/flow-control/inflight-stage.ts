import { errors, type Metrics } from '@orch/machinery';
import { type Answer, type Identified, isLongRunning, isReadOnly, type Stage } from '@orch/request';
import { InflightPeaks } from './inflight-peaks.ts';

/**
 * Limits executing requests, read-only and mutating ones separately; beyond the limit they are refused with 429 and
 * `Retry-After`. Long-running requests do not count. A limit of 0 disables it. Members of `exemptGroup` are never refused,
 * so that an administrator can still act on an overloaded server.
 */
export function limitInflight(options: {
  readonly metrics: Metrics;
  readonly maxReadOnly: number;
  readonly maxMutating: number;
  readonly exemptGroup: string;
}): { readonly stage: Stage<Identified>; inflight(): number } {
  const peaks = new InflightPeaks(options.metrics);
  const stage: Stage<Identified> = (context, next) => {
    if (isLongRunning(context.info)) return next(context);
    const isRead = isReadOnly(context.info);
    const limit = isRead ? options.maxReadOnly : options.maxMutating;
    if (limit > 0 && peaks.inflight(isRead) >= limit && !context.user.groups.includes(options.exemptGroup)) {
      peaks.dropped(isRead);
      throw errors.tooManyRequests('Too many requests, please try again later.');
    }
    return counted({ peaks, isRead }, next, context);
  };
  return { stage, inflight: () => peaks.total };
}

/** Counts a request while it executes. Cheaper than `finally`, which takes two more microtasks. */
export function counted<In>(
  { peaks, isRead }: { readonly peaks: InflightPeaks; readonly isRead: boolean },
  work: (input: In) => Answer,
  input: In,
): Answer {
  peaks.begin(isRead);
  let answer: Answer;
  try {
    answer = work(input);
  } catch (error) {
    peaks.end(isRead);
    throw error;
  }
  if (!(answer instanceof Promise)) {
    peaks.end(isRead);
    return answer;
  }
  return answer.then(
    (reply) => {
      peaks.end(isRead);
      return reply;
    },
    (error: unknown) => {
      peaks.end(isRead);
      throw error;
    },
  );
}
