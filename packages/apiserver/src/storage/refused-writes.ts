import { ApiError } from '@orch/machinery';
import { StoreError } from '@orch/storage';

/** Codes of a store that serves reads and refuses writes, or whose writes have an unknown outcome. */
const refusals: readonly StoreError['code'][] = ['full', 'unavailable', 'outcomeUnknown'];

/**
 * Reports whether a write failed because the store does not accept writes at the moment: its database is full, this
 * server may not write, or writes are not answered. Successful earlier reads show that reads work.
 */
export function isWriteRefused(error: unknown): boolean {
  if (error instanceof StoreError) return refusals.includes(error.code);
  return error instanceof ApiError && [503, 504].includes(error.status.code);
}
