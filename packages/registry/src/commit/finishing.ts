import { ApiError } from '@orch/machinery';
import { type Committed, StoreError, type StoreErrorCode, type Write } from '@orch/storage';
import type { ObjectCommitter, ObjectWrite } from '../resource/object-committer.ts';
import type { PendingWrite } from '../resource/write-hooks.ts';

/** Failures after which it is certain that nothing was written. */
const NOT_WRITTEN: ReadonlySet<StoreErrorCode> = new Set(['unavailable', 'full', 'tooLarge']);

const isUnwritten = (error: unknown, signal: AbortSignal): boolean =>
  error instanceof StoreError
    ? NOT_WRITTEN.has(error.code)
    : error instanceof ApiError || (signal.aborted && error === signal.reason);

/** Finishes the side effects of a write, unless its outcome is unknown: quota that was taken for it is released, for example. */
export const finishing = (next: ObjectCommitter): ObjectCommitter => ({
  commit: (object, write) =>
    object.pending === undefined
      ? next.commit(object, write)
      : commitAndFinish(next, object, { write, pending: object.pending }),
});

async function commitAndFinish(
  next: ObjectCommitter,
  object: ObjectWrite,
  { write, pending }: { readonly write: Write; readonly pending: PendingWrite },
): Promise<Committed> {
  let committed: Committed;
  try {
    committed = await next.commit(object, write);
  } catch (error) {
    if (isUnwritten(error, object.signal)) await pending.finish(false);
    throw error;
  }
  await pending.finish(committed.ok);
  return committed;
}
