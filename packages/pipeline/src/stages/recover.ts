import { ApiError, type Logger } from '@orch/machinery';
import { whenRejected } from '@orch/machinery/concurrency';
import {
  type ApiRequest,
  type BytesReply,
  errorReply,
  FailedWithHeaders,
  isUnexpected,
  type Received,
  type Stage,
  type StatusEncoder,
  wantsPretty,
} from '@orch/request';
import type { NamingHint } from './naming-hints.ts';

/** Converts the error of a request to a reply, and logs internal errors once. */
export type Failed = (error: unknown, request: ApiRequest) => BytesReply;

export interface FailedOptions {
  readonly log: Logger;
  readonly encodeStatus: StatusEncoder;
  readonly namingHint: NamingHint;
}

export const failedWith = ({ log, encodeStatus, namingHint }: FailedOptions): Failed => {
  const failed: Failed = (error, request) => {
    if (error instanceof FailedWithHeaders) {
      const reply = failed(error.cause, request);
      return { ...reply, headers: { ...reply.headers, ...error.headers } };
    }
    const cause = abortCause(error, request);
    if (isUnexpected(cause)) {
      log.error('request failed unexpectedly', {
        requestId: request.id,
        method: request.method,
        path: request.rawPath,
        error: cause,
      });
    }
    const { accept } = request.headers;
    const reported = withHint(cause, request, namingHint);
    return errorReply(
      reported,
      { requestId: request.id, pretty: wantsPretty(request), accept },
      encodeStatus,
    );
  };
  return failed;
};

function withHint(error: unknown, request: ApiRequest, namingHint: NamingHint): unknown {
  const hint = error instanceof ApiError ? namingHint(error, request) : '';
  if (!(error instanceof ApiError) || hint === '') return error;
  return error.ending(hint);
}

/** Libraries may wrap the abort reason: the original reason of the cancellation is reported. */
function abortCause(error: unknown, request: ApiRequest): unknown {
  if (!(error instanceof Error) || error.name !== 'AbortError' || !request.signal.aborted) return error;
  return request.signal.reason ?? error;
}

/** The outermost stage: no error of inner stages reaches the sockets, or the process. */
export const recover =
  (failed: Failed): Stage<Received> =>
  (context, next) => {
    try {
      return whenRejected(next(context), failed, context.request);
    } catch (error) {
      return failed(error, context.request);
    }
  };
