import { type Store, StoreError, type Write } from '@orch/storage';

/**
 * Commits a write that was decided by an earlier read of the key, which may have expired since: a deletion has nothing left to
 * do then, and an update creates the key. Throws `unavailable` when another program has written the key, or changed a guard.
 */
export async function commitUnlessExpired(
  store: Pick<Store, 'commit'>,
  write: Write,
  signal: AbortSignal,
): Promise<void> {
  const committed = await store.commit(write, signal);
  if (committed.ok) return;
  const hasExpired =
    write.op !== 'create' && committed.current === undefined && committed.guardFailed !== true;
  if (!hasExpired) throw conflictOf(write);
  if (write.op === 'delete') return;
  const { expected: _, ...content } = write;
  const created = await store.commit({ ...content, op: 'create' }, signal);
  if (!created.ok) throw conflictOf(write);
}

const conflictOf = ({ key }: Write): StoreError =>
  new StoreError('unavailable', `another program has written ${key} to the store that is filled`);
