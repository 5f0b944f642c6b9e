import { ApiError } from '@orch/machinery';
import type { PendingWrite } from '../resource/write-hooks.ts';

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
