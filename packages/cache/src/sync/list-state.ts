import type { KeyRange, Revision, Store, StoreError } from '@orch/storage';
import { StateDraft } from '../objects/state-draft.ts';
import type { ResourceTable } from '../resource/resource-table.ts';
import type { ResourceWatchCache } from '../resource/resource-watch-cache.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';

/** Objects read between two yields to the event loop. */
const SLICE_OBJECTS = 200;

export interface LoadSource {
  readonly store: Store;
  readonly range: KeyRange;
  readonly byteBudget: number;
}

/** The state of resources as listed from the store; the current state is served meanwhile. */
export interface ListedState {
  readonly rev: Revision;
  readonly drafts: ReadonlyMap<ResourceWatchCache, StateDraft>;
  /** Number of revisions after `since` at which a listed key was last written. */
  readonly visibleRevisions: number;
}

export interface ListStateOptions {
  /** The revision to read; the store's current one when absent. */
  readonly at?: Revision;
  /** The revision of the current state. */
  readonly since: Revision;
  readonly accept: (cache: ResourceWatchCache) => boolean;
}

/**
 * Reads the whole range at one revision. Objects that are cached at the same revision are reused. When the read fails,
 * the drafts are discarded.
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
        draft.add(cache.state.stage(kv));
        if (++count % SLICE_OBJECTS === 0) await yieldToEventLoop();
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
 * Replaces the cached state, which was complete up to `was`, by a listed state. When every revision since `was` is the
 * last write of a listed key, no other event was missed, and the differences are applied and delivered as events.
 * Otherwise unknown events were missed: history is lost, and the watches that may have missed one end.
 */
export function adoptState(listed: ListedState, cache: ResourceWatchCache, was: Revision): void {
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
    // A watch that starts after a later revision has missed no event.
    cache.loseHistory(listed.rev, (watcher) => watcher.position < listed.rev);
  }
}

/** The revision to rebuild from after an error `compacted`: the oldest one that the store still has. */
export function rebuildRevision(error: StoreError, attempt: number): Revision | undefined {
  // When compactions repeatedly overtake the rebuild, the current revision is used.
  return attempt < 3 && error.code === 'compacted' ? error.compactRevision : undefined;
}
