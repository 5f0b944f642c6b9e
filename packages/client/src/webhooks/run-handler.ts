import { type Logger, messageOf } from '@orch/machinery';
import { abortable, DeadlineExceeded } from '@orch/machinery/concurrency';
import type { WebhookCall } from './types.ts';

/** The status of a review whose handler has failed. The error itself is only logged: it may contain secrets. */
export interface HandlerFailure {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

export type Ran<T> = { readonly value: T } | { readonly failure: HandlerFailure };

/** What a review needs for its handler: `run` reports a failure instead of throwing. */
export interface HandlerRun {
  readonly call: WebhookCall;
  readonly run: <T>(work: () => Promise<T>) => Promise<Ran<T>>;
}

/** Runs handlers of a path until the signal of the call aborts. */
export function handlerRun(call: WebhookCall, path: string, log: Logger): HandlerRun {
  const { signal } = call;
  const run = async <T>(work: () => Promise<T>): Promise<Ran<T>> => {
    try {
      signal.throwIfAborted();
      return { value: await abortable(work(), signal) };
    } catch (error) {
      log.error('a webhook handler has failed', { path, error: messageOf(error) });
      const isLate = signal.aborted && signal.reason instanceof DeadlineExceeded;
      return {
        failure: isLate
          ? { code: 504, reason: 'Timeout', message: 'the webhook has not decided in time' }
          : { code: 500, reason: 'InternalError', message: 'the webhook has failed' },
      };
    }
  };
  return { call, run };
}
