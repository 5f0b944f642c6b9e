import type { ObjectCommitter } from '../resource/object-committer.ts';

/** Sets the time to live of objects that expire, which is counted from their last write. */
export const withTtl = (next: ObjectCommitter, ttlSeconds: number): ObjectCommitter => ({
  commit: (object, write) =>
    write.op !== 'delete' && object.resource.type.strategy.expires === true
      ? next.commit(object, { ...write, ttlSeconds })
      : next.commit(object, write),
});
