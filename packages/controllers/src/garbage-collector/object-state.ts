import { hasDeletionTimestamp, type Names, type ObjectMeta } from '@orch/machinery';

/** Reports whether an object is being deleted in the foreground: it is removed after its dependents. */
export const isWaiting = (meta: ObjectMeta, { finalizers }: Names): boolean =>
  hasDeletionTimestamp(meta) && (meta.finalizers ?? []).includes(finalizers.foregroundDeletion);

/** Reports whether an object is being deleted with the policy `Orphan`: it is removed after its dependents are orphaned. */
export const isOrphaning = (meta: ObjectMeta, { finalizers }: Names): boolean =>
  hasDeletionTimestamp(meta) && (meta.finalizers ?? []).includes(finalizers.orphan);

/** Reports whether a dependent blocks the foreground deletion of this owner. An object never blocks itself. */
export const blocks = (dependent: ObjectMeta, owner: ObjectMeta): boolean =>
  dependent.uid !== owner.uid &&
  (dependent.ownerReferences ?? []).some(
    ({ uid, blockOwnerDeletion }) => uid === owner.uid && blockOwnerDeletion === true,
  );
