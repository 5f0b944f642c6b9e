import { type Clock, errors, type Metrics } from '@orch/machinery';
import { DeadlineQueue, disarm } from '@orch/machinery/concurrency';
import {
  type ApiRequest,
  isLongRunning,
  type Observed,
  queryValue,
  type Reply,
  type Stage,
} from '@orch/request';

/** Label `source`. */
const SOURCE = 'timeout-handler';

const tooLate = () => errors.timeout('request did not complete within the allotted timeout');

/**
 * Ends requests that are not long-running after `--request-timeout`, or after the parameter `timeout` if that
 * is less: the request's signal aborts and the client gets a 504. Synchronous replies cost nothing.
 */
export function deadline(options: {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly timeoutMs: number;
  /** Milliseconds of a Go-style duration; undefined when malformed. */
  readonly parseDuration: (text: string) => number | undefined;
}): { readonly stage: Stage<Observed>; close(): void } {
  const { clock, timeoutMs } = options;
  const queue = new DeadlineQueue(clock, timeoutMs);
  const late = options.metrics.counter({
    name: 'apiserver_request_post_timeout_total',
    help: 'Requests whose processing ended after their deadline, by its outcome.',
    labels: ['source', 'status'],
    stability: 'ALPHA',
  });

  const stage: Stage<Observed> = (context, next) => {
    if (isLongRunning(context.info)) return next(context);
    const requested = requestedMs(context.request, options.parseDuration);
    const answer = next(context);
    return answer instanceof Promise ? bounded(answer, context.request, requested) : answer;
  };

  function bounded(answer: Promise<Reply>, request: ApiRequest, requested: number): Promise<Reply> {
    return new Promise((resolve, reject) => {
      let isExpired = false;
      const expire = (): void => {
        isExpired = true;
        const error = tooLate();
        request.cancel(error);
        reject(error);
      };
      const short = requested < timeoutMs ? clock.schedule(requested, expire) : undefined;
      const armed = short === undefined ? queue.arm(expire) : undefined;
      const finish = (status: 'result' | 'error'): void => {
        if (isExpired) late.series(SOURCE, status).inc();
        short?.();
        disarm(armed);
      };
      answer.then(
        (reply) => {
          finish('result');
          resolve(reply);
        },
        (error: unknown) => {
          finish('error');
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }

  return { stage, close: () => queue.close() };
}

function requestedMs(request: ApiRequest, parseDuration: (text: string) => number | undefined): number {
  const requested = queryValue(request.rawQuery, 'timeout');
  if (requested === undefined || requested === '') return Number.POSITIVE_INFINITY;
  const ms = parseDuration(requested);
  if (ms === undefined || ms < 0)
    throw errors.badRequest(
      `invalid timeout specified in the request URL: ${JSON.stringify(requested)} must be a duration such as 30s`,
    );
  return ms === 0 ? Number.POSITIVE_INFINITY : ms;
}
