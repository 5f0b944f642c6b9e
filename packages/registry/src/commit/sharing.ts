import type { ObjectCommitter } from '../resource/object-committer.ts';
import type { RecentWrites } from '../resource/recent-writes.ts';

/** Keeps each written object for the cache, which then need not decode it again. */
export const sharing = (next: ObjectCommitter, recentWrites: RecentWrites): ObjectCommitter => ({
  commit(object, write) {
    if (object.next !== undefined) recentWrites.put(write.key, object.next);
    return next.commit(object, write);
  },
});
