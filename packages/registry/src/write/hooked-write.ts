import { ApiError } from '@orch/machinery';
import { type Committed, StoreError, type StoreErrorCode } from '@orch/storage';
import type { PendingWrite } from '../resource/write-hooks.ts';

/** Failures after which it is certain that nothing was written. */
const NOT_WRITTEN: ReadonlySet<StoreErrorCode> = new Set(['unavailable', 'full', 'tooLarge']);

const isUnwritten = (error: unknown, signal: AbortSignal): boolean =>
  error instanceof StoreError
    ? NOT_WRITTEN.has(error.code)
    : error instanceof ApiError || (signal.aborted && error === signal.reason);

/** Commits a write and finishes its side effects, unless the outcome is unknown. */
export async function commitAndFinish(
  pending: PendingWrite | undefined,
  signal: AbortSignal,
  commit: () => Promise<Committed>,
): Promise<Committed> {
  if (pending === undefined) return commit();
  let committed: Committed;
  try {
    committed = await commit();
  } catch (error) {
    if (isUnwritten(error, signal)) await pending.finish(false);
    throw error;
  }
  await pending.finish(committed.ok);
  return committed;
}

/** Runs the hooks of a write for which something was taken already; it is released when they refuse the write. */
export async function begunAfter(
  taken: PendingWrite | undefined,
  begin: () => Promise<PendingWrite | undefined>,
): Promise<PendingWrite | undefined> {
  try {
    return both(taken, await begin());
  } catch (error) {
    await taken?.finish(false);
    throw error;
  }
}

/** The side effects that began last finish first. */
function both(first: PendingWrite | undefined, last: PendingWrite | undefined): PendingWrite | undefined {
  if (first === undefined || last === undefined) return first ?? last;
  return {
    async finish(success) {
      await last.finish(success);
      await first.finish(success);
    },
  };
}

/** A refusal as a value: the caller decides whether it is final. */
export async function orRefusal<T>(work: Promise<T>): Promise<T | ApiError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
