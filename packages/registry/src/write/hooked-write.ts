import { ApiError } from '@orch/machinery';
import { type Committed, StoreError, type StoreErrorCode } from '@orch/storage';
import { FenceRefusal } from '../fencing/fence-refusal.ts';
import type { PendingWrite } from '../resource/write-hooks.ts';

/** Failures after which it is certain that nothing was written. */
const nothingWritten: ReadonlySet<StoreErrorCode> = new Set(['unavailable', 'full', 'tooLarge']);

const isUnwritten = (error: unknown, signal: AbortSignal): boolean =>
  error instanceof StoreError
    ? nothingWritten.has(error.code)
    : error instanceof FenceRefusal || (signal.aborted && error === signal.reason);

/** Commits a write and settles what was done for it. Where the outcome stays unknown, that stays as it is. */
export async function commitSettled(
  pending: PendingWrite | undefined,
  signal: AbortSignal,
  commit: () => Promise<Committed>,
): Promise<Committed> {
  if (pending === undefined) return commit();
  let committed: Committed;
  try {
    committed = await commit();
  } catch (error) {
    if (isUnwritten(error, signal)) await pending.abandoned();
    throw error;
  }
  await (committed.ok ? pending.committed() : pending.abandoned());
  return committed;
}

/** A refusal as a value, for those that have to find out whether it counts. */
export async function orRefusal<T>(work: Promise<T>): Promise<T | ApiError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
