import { ApiError } from '@orch/machinery';
import { StoreError } from '@orch/storage';
import { apiErrorOfStore } from './error-reply.ts';

/**
 * The error of a request that has already written something, without a time to retry: a retry would repeat the
 * part that was done.
 */
export function failedAfterWriting(cause: unknown): unknown {
  const error = cause instanceof StoreError ? apiErrorOfStore(cause) : cause;
  if (!(error instanceof ApiError) || error.status.details?.retryAfterSeconds === undefined) return cause;
  const { retryAfterSeconds: _, ...details } = error.status.details;
  return new ApiError({ ...error.status, details }, { cause });
}
