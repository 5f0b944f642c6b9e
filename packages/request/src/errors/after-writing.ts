import { ApiError } from '@orch/machinery';
import { StoreError } from '@orch/storage';
import { apiErrorOfStore } from './error-reply.ts';

/**
 * The failure of a request that has written something already. It does not ask the client to send the request again, as
 * the same failure would before the first write: what was done would be done twice.
 */
export function failedAfterWriting(cause: unknown): unknown {
  const error = cause instanceof StoreError ? apiErrorOfStore(cause) : cause;
  if (!(error instanceof ApiError) || error.status.details?.retryAfterSeconds === undefined) return cause;
  const { retryAfterSeconds: _, ...details } = error.status.details;
  return new ApiError({ ...error.status, details }, { cause });
}
