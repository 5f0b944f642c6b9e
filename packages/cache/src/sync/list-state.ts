import { abortable, anySignal, deferred, yieldToEventLoop } from '@orch/machinery/concurrency';
import type { KeyRange, Revision, StoreError } from '@orch/storage';
import type { ObjectSource, SourceObject } from '../objects/object-source.ts';
import type { StateDraft } from '../objects/state-draft.ts';
import type { ResourceTable } from '../resource/resource-table.ts';
import type { ResourceWatchCache } from '../resource/resource-watch-cache.ts';

/** Objects read between two yields to the event loop. */
const SLICE_OBJECTS = 200;

export interface LoadSource {
  readonly from: Pick<ObjectSource, 'scan'>;
  /** Read in parallel, all at one revision. Each resource is in one of them. */
  readonly ranges: readonly KeyRange[];
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
 * Reads all ranges at one revision. Objects that are cached at the same revision are reused. When one read fails, the
 * others are aborted and the drafts are discarded.
 */
export async function listState(
  source: LoadSource,
  table: Pick<ResourceTable, 'route'>,
  options: ListStateOptions,
  signal: AbortSignal,
): Promise<ListedState> {
  const drafts = new Map<ResourceWatchCache, StateDraft>();
  const visible = new Set<Revision>();
  const { from, ranges, byteBudget } = source;
  const { accept, since } = options;
  let count = 0;
  const stage = (kv: SourceObject): void => {
    if (since > 0 && kv.modRevision > since) visible.add(kv.modRevision);
    const cache = table.route(kv.key);
    if (cache === undefined || !accept(cache)) return;
    const draft = drafts.get(cache) ?? cache.state.draft();
    drafts.set(cache, draft);
    draft.add(cache.state.stage(kv));
  };
  // The first range determines the revision at which the others are read.
  const chosen = deferred<Revision>();
  const read = async (range: KeyRange, at: Revision | undefined, stop: AbortSignal): Promise<void> => {
    const scan = { byteBudget, ...(at === undefined ? {} : { at }) };
    for await (const { rev, items } of from.scan(range, scan, stop)) {
      chosen.resolve(rev);
      for (const kv of items) {
        stage(kv);
        if (++count % SLICE_OBJECTS === 0) await yieldToEventLoop();
      }
      stop.throwIfAborted();
    }
  };
  try {
    await inParallel(
      ranges.map((range, index) => async (stop) => {
        const at = index === 0 ? options.at : await abortable(chosen.promise, stop);
        await read(range, at, stop);
      }),
      signal,
    );
    const rev = await chosen.promise;
    return { rev, drafts, visibleRevisions: visible.size };
  } catch (error) {
    for (const [cache, draft] of drafts) cache.state.discard(draft);
    throw error;
  }
}

/** Runs all; when one fails the others are aborted, and its error is thrown after they have ended. */
async function inParallel(
  works: readonly ((stop: AbortSignal) => Promise<void>)[],
  signal: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  using either = anySignal([signal, failed.signal]);
  const first: { error?: unknown } = {};
  const ended = works.map(async (work) => {
    try {
      await work(either.signal);
    } catch (error) {
      if (!failed.signal.aborted) first.error = error;
      failed.abort(error);
    }
  });
  await Promise.all(ended);
  if (failed.signal.aborted) throw first.error;
}

/**
 * Replaces the cached state, which was complete up to `was`, by a listed state. When every revision since `was` is the
 * last write of a listed key, no other event was missed, and the differences are applied and delivered as events.
 * Otherwise unknown events were missed: history is lost, and the watches that may have missed one end.
 */
export function adoptState(listed: ListedState, cache: ResourceWatchCache, was: Revision): void {
  const draft = listed.drafts.get(cache) ?? cache.state.draft();
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
