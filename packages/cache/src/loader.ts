import type { KeyRange, Revision, Store, StoreError } from '@orch/storage';
import type { StoredObject } from './object.ts';
import type { LiveResource } from './resource-cache.ts';
import type { ResourceTable } from './resource-table.ts';
import { storePages } from './store-list.ts';
import { nextTurn } from './turn.ts';

/** Objects read before others get their turn. */
const SLICE_OBJECTS = 200;
const PAGE_LIMIT = 10_000;
export interface LoadSource {
  readonly store: Store;
  readonly range: KeyRange;
  readonly byteBudget: number;
}

/** The state of resources as the store lists it, beside the state that is being served. */
export interface ListedState {
  readonly rev: Revision;
  readonly objects: ReadonlyMap<LiveResource, StoredObject[]>;
  /** Number of revisions after `since` at which a listed key was last written. */
  readonly visibleRevisions: number;
}

export interface ListStateOptions {
  /** The revision to read; the present when absent. */
  readonly at?: Revision;
  /** The revision of the state being served. */
  readonly since: Revision;
  readonly accept: (live: LiveResource) => boolean;
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
  const objects = new Map<LiveResource, StoredObject[]>();
  const visible = new Set<Revision>();
  const { store, range, byteBudget } = source;
  const { at, accept, since } = options;
  let rev: Revision = 0;
  let count = 0;
  try {
    const page = { limit: PAGE_LIMIT, byteBudget, ...(at === undefined ? {} : { at }) };
    for await (const { rev: read, items } of storePages(store, range, page, signal)) {
      rev = read;
      for (const kv of items) {
        if (since > 0 && kv.modRevision > since) visible.add(kv.modRevision);
        const live = table.route(kv.key);
        if (live === undefined || !accept(live)) continue;
        const list = objects.get(live);
        const object = live.state.takeOver(kv);
        if (list === undefined) objects.set(live, [object]);
        else list.push(object);
        if (++count % SLICE_OBJECTS === 0) await nextTurn();
      }
      signal.throwIfAborted();
    }
  } catch (error) {
    for (const [live, list] of objects) for (const object of list) live.state.discard(object);
    throw error;
  }
  return { rev, objects, visibleRevisions: visible.size };
}

/**
 * Puts a listed state in the place of the cached one, which was complete up to `was`, and settles with watchers. When
 * every revision since is the last write of a listed key, nothing else happened: the differences are the events that
 * were missed, and everybody gets them. Otherwise something came that nobody knows of: history is lost, watches end.
 */
export function adopt(listed: ListedState, live: LiveResource, was: Revision): void {
  const objects = listed.objects.get(live) ?? [];
  if (!live.loaded) {
    live.state.replaceAll(listed.rev, objects);
    live.finishLoad(listed.rev);
  } else if (was + listed.visibleRevisions === listed.rev) {
    const changed = objects.filter((object) => object.rev > was).sort((a, b) => a.rev - b.rev);
    for (const object of changed) live.applyState(object);
  } else {
    live.snapshots.beforeChange(was + 1);
    live.state.replaceAll(listed.rev, objects);
    // A watch that waits for a later revision has missed nothing.
    live.lose(listed.rev, (watcher) => watcher.position < listed.rev);
  }
}

/** The revision to rebuild from when the store says that history is gone: the oldest one that it still has. */
export function rebuildRevision(error: StoreError, attempt: number): Revision | undefined {
  // When compaction overtakes the rebuild, the present is the safest.
  return attempt < 3 && error.code === 'compacted' ? error.compactRevision : undefined;
}
