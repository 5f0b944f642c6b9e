import { ApiError } from '@orch/machinery';
import { StoreError } from '@orch/storage';

/** Codes of a store that serves reads and refuses writes, or does not say whether they took effect. */
const refusals: readonly StoreError['code'][] = ['full', 'unavailable', 'outcomeUnknown'];

/**
 * Reports whether a write failed because the store does not accept writes now: its database is full, this server may not write, or
 * writes are not answered. Everything that was read before shows that reads work.
 */
export function isWriteRefused(error: unknown): boolean {
  if (error instanceof StoreError) return refusals.includes(error.code);
  return error instanceof ApiError && [503, 504].includes(error.status.code);
}
