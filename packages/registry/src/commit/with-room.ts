import type { Names } from '@orch/machinery';
import { makingRoom } from '@orch/storage';
import type { ObjectCommitter, ObjectWrite } from '../resource/object-committer.ts';

/** Marks the updates that a full store still accepts. */
export const withRoom = (next: ObjectCommitter, names: Names): ObjectCommitter => ({
  commit: (object, write) => next.commit(object, makesRoom(object, names) ? makingRoom(write) : write),
});

/**
 * Updates that free space: the steps of a deletion, objects that become smaller (removed owner references), and the Leases
 * that controllers need to delete anything.
 */
function makesRoom({ resource: { type }, old, next }: ObjectWrite, names: Names): boolean {
  if (old === undefined || next === undefined) return false;
  const injected = `"resourceVersion":"${old.rev}",`.length;
  return (
    next.object.metadata?.deletionTimestamp !== undefined ||
    next.hub.length + injected < old.json.length ||
    (type.resource === 'leases' && type.group === names.group('coordination'))
  );
}
