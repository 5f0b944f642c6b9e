import { hasDeletionTimestamp, type Names, type ObjectMeta } from '@orch/machinery';

/** Being deleted, and gone only after its dependents (Foreground). */
export const isWaiting = (meta: ObjectMeta, { finalizers }: Names): boolean =>
  hasDeletionTimestamp(meta) && (meta.finalizers ?? []).includes(finalizers.foregroundDeletion);

/** Being deleted, and gone only after its dependents were let go (Orphan). */
export const isOrphaning = (meta: ObjectMeta, { finalizers }: Names): boolean =>
  hasDeletionTimestamp(meta) && (meta.finalizers ?? []).includes(finalizers.orphan);

/** Whether an object holds up the deletion of this owner. Nothing waits for itself. */
export const blocks = (dependent: ObjectMeta, owner: ObjectMeta): boolean =>
  dependent.uid !== owner.uid &&
  (dependent.ownerReferences ?? []).some(
    ({ uid, blockOwnerDeletion }) => uid === owner.uid && blockOwnerDeletion === true,
  );
