import type { Revision } from '@orch/storage';
import type { ResourceWatchCache } from '../resource/resource-watch-cache.ts';
import type { CacheEvent } from '../watch/cache-event.ts';

/**
 * After changes of cached objects that no event of the store has announced: watchers that select one of them have missed it and end with
 * `expired`, and no watch can resume from a revision before `rev`.
 */
export function endRepaired(cache: ResourceWatchCache, changes: readonly CacheEvent[], rev: Revision): void {
  cache.snapshots.clear();
  cache.state.beginHistory(rev);
  cache.loseHistory(rev, (watcher) => changes.some((change) => watcher.selects(change)));
}
