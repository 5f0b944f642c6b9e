import type { KeyRange, Revision, Store, StoreError } from '@orch/storage';
import { StateDraft } from '../objects/state-draft.ts';
import type { ResourceTable } from '../resource/resource-table.ts';
import type { ResourceWatchCache } from '../resource/resource-watch-cache.ts';
import { nextTick } from '../watch/flush-scheduler.ts';

/** Objects read before others get their turn. */
const SLICE_OBJECTS = 200;

export interface LoadSource {
  readonly store: Store;
  readonly range: KeyRange;
  readonly byteBudget: number;
}

/** The state of resources as the store lists it, beside the state that is being served. */
export interface ListedState {
  readonly rev: Revision;
  readonly drafts: ReadonlyMap<ResourceWatchCache, StateDraft>;
  /** Number of revisions after `since` at which a listed key was last written. */
  readonly visibleRevisions: number;
}

export interface ListStateOptions {
  /** The revision to read; the present when absent. */
  readonly at?: Revision;
  /** The revision of the state being served. */
  readonly since: Revision;
  readonly accept: (cache: ResourceWatchCache) => boolean;
}

/**
 * Reads the whole range at one revision. Objects that are cached in the same revision are taken over as they are. When
 * it fails, nothing is kept of it.
 */
export async function listState(
  source: LoadSource,
  table: Pick<ResourceTable, 'route'>,
  options: ListStateOptions,
  signal: AbortSignal,
): Promise<ListedState> {
  const drafts = new Map<ResourceWatchCache, StateDraft>();
  const visible = new Set<Revision>();
  const { store, range, byteBudget } = source;
  const { at, accept, since } = options;
  let rev: Revision = 0;
  let count = 0;
  try {
    const scan = { byteBudget, ...(at === undefined ? {} : { at }) };
    for await (const { rev: read, items } of store.scan(range, scan, signal)) {
      rev = read;
      for (const kv of items) {
        if (since > 0 && kv.modRevision > since) visible.add(kv.modRevision);
        const cache = table.route(kv.key);
        if (cache === undefined || !accept(cache)) continue;
        let draft = drafts.get(cache);
        if (draft === undefined) {
          draft = new StateDraft();
          drafts.set(cache, draft);
        }
        draft.add(cache.state.takeOver(kv));
        if (++count % SLICE_OBJECTS === 0) await nextTick();
      }
      signal.throwIfAborted();
    }
  } catch (error) {
    for (const [cache, draft] of drafts) cache.state.discard(draft);
    throw error;
  }
  return { rev, drafts, visibleRevisions: visible.size };
}

/**
 * Puts a listed state in the place of the cached one, which was complete up to `was`, and settles with watchers. When
 * every revision since is the last write of a listed key, nothing else happened: the differences are the events that
 * were missed, and everybody gets them. Otherwise something came that nobody knows of: history is lost, watches end.
 */
export function adopt(listed: ListedState, cache: ResourceWatchCache, was: Revision): void {
  const draft = listed.drafts.get(cache) ?? new StateDraft();
  if (!cache.loaded) {
    cache.state.replaceAll(listed.rev, draft);
    cache.finishLoad(listed.rev);
  } else if (was + listed.visibleRevisions === listed.rev) {
    const changed = [...draft.objects.values()].filter((object) => object.rev > was);
    changed.sort((a, b) => a.rev - b.rev);
    for (const object of changed) cache.applyState(object);
  } else {
    cache.snapshots.beforeChange(was + 1);
    cache.state.replaceAll(listed.rev, draft);
    // A watch that waits for a later revision has missed nothing.
    cache.lose(listed.rev, (watcher) => watcher.position < listed.rev);
  }
}

/** The revision to rebuild from when the store says that history is gone: the oldest one that it still has. */
export function rebuildRevision(error: StoreError, attempt: number): Revision | undefined {
  // When compaction overtakes the rebuild, the present is the safest.
  return attempt < 3 && error.code === 'compacted' ? error.compactRevision : undefined;
}
