import { ApiError } from '@orch/machinery';
import { DeadlineExceeded } from '@orch/machinery/concurrency';
import { isTransportError } from '../transport/transport.ts';

/** The server no longer has the requested history: a new list is required (spec 4.5 rule 4). */
export const isExpired = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status.code === 410 || error.status.reason === 'Expired' || error.status.reason === 'Gone');

/** The server does not support the request: another form of it may succeed. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && [400, 405, 406, 415, 422].includes(error.status.code);

/** The server may carry out the same read later: it could not be reached, is overloaded, or failed. */
export const isTransient = (error: unknown): boolean =>
  isTransportError(error) ||
  error instanceof DeadlineExceeded ||
  (error instanceof ApiError && (error.status.code >= 500 || [408, 429].includes(error.status.code)));

/** The server is behind the requested version, for example after the restoration of a backup (spec 4.4). */
export const isAheadOfServer = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') ?? false);

/** A value for metrics, from a closed set. */
export function faultOf(error: unknown): string {
  if (error instanceof DeadlineExceeded) return 'stalled';
  if (isTransportError(error)) return 'connection';
  if (!(error instanceof ApiError)) return 'other';
  if (isExpired(error)) return 'expired';
  const { code } = error.status;
  if (code === 401 || code === 403) return 'denied';
  if (code === 404) return 'notFound';
  if (code === 429) return 'throttled';
  return code >= 500 ? 'server' : 'request';
}
