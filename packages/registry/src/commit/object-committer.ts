import type { Committed, Store, Write } from '@orch/storage';
import type { RecentWrites } from '../resource/cached-resource.ts';
import type { ObjectCommitter, ObjectWrite } from '../resource/object-committer.ts';
import type { WritePath } from '../resource/paths.ts';
import { finishing, guarded, measured, recording, sharing, withRoom, withTtl } from './decorators.ts';

/** The dependencies of the decorators of a committer. */
export interface CommitterParts extends Pick<WritePath, 'env' | 'limits' | 'names' | 'recorder' | 'table'> {
  readonly store: Store;
  /** Receives the written objects, for the cache that shares them. */
  readonly recentWrites: RecentWrites | undefined;
}

/**
 * The committer of all objects, in the order in which its decorators see a write. A fenced request has a committer whose
 * store adds the guard of the Lease.
 */
export function objectCommitter(parts: CommitterParts): ObjectCommitter {
  let committer: ObjectCommitter = { commit: ({ signal }, write) => parts.store.commit(write, signal) };
  committer = guarded(committer, parts.table);
  committer = measured(committer, parts.env.clock);
  committer = finishing(committer);
  if (parts.recentWrites !== undefined) committer = sharing(committer, parts.recentWrites);
  if (parts.recorder !== undefined) committer = recording(committer, parts.recorder);
  committer = withRoom(committer, parts.names);
  if (parts.limits.expirySeconds > 0) committer = withTtl(committer, parts.limits.expirySeconds);
  return committer;
}

/** Writes an object, or removes it. */
export const commitObject = (committer: ObjectCommitter, object: ObjectWrite): Promise<Committed> =>
  committer.commit(object, storeWriteOf(object));

function storeWriteOf({ resource, key: ownKey, expected, next }: ObjectWrite): Write {
  const key = resource.keyPrefix + ownKey;
  if (next === undefined) {
    if (expected === undefined) throw new TypeError('a write has neither an old nor a new state');
    return { op: 'delete', key, expected };
  }
  const { value } = next;
  return expected === undefined ? { op: 'create', key, value } : { op: 'update', key, expected, value };
}
