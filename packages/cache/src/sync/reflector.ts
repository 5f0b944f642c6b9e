import { Backoff, type Deferred, deferred } from '@orch/machinery';
import {
  type KeyRange,
  type KvEvent,
  prefixRange,
  type Revision,
  StoreError,
  type WatchBatch,
} from '@orch/storage';
import type { ResourceContext } from '../resource/resource-context.ts';
import type { ResourceTable } from '../resource/resource-table.ts';
import type { ResourceWatchCache } from '../resource/resource-watch-cache.ts';
import { nextTick } from '../watch/flush-scheduler.ts';
import { adopt, type LoadSource, listState, rebuildRevision } from './list-state.ts';

/** Events applied before others get their turn. */
const SLICE_EVENTS = 256;
/** Events that may come while a resource is added; when there are more, its load begins anew. */
const MAX_JOIN_EVENTS = 20_000;

/** A resource that is loaded while the cache runs. Events that come meanwhile wait. */
interface Joining {
  events: KvEvent[];
  overflown: boolean;
}

/**
 * Keeps all caches up to date: one list of the whole prefix, then one watch of it, for ever. Every revision of the
 * prefix comes on this one ordered stream, so what it has delivered is complete.
 */
export class Reflector {
  readonly #context: ResourceContext;
  readonly #table: ResourceTable;
  readonly #range: KeyRange;
  readonly #onLoaded: (cache: ResourceWatchCache) => void;
  readonly #ready: Deferred<void> = deferred();
  readonly #backoff: Backoff;
  readonly #joining = new Map<ResourceWatchCache, Joining>();
  /** Grows when events were skipped: a load that began before has to begin anew. */
  #gaps = 0;
  #loaded = false;

  constructor(
    context: ResourceContext,
    table: ResourceTable,
    range: KeyRange,
    onLoaded: (cache: ResourceWatchCache) => void,
  ) {
    this.#context = context;
    this.#table = table;
    this.#range = range;
    this.#onLoaded = onLoaded;
    const { env, options } = context;
    this.#backoff = new Backoff(env, options.retryMs, options.maxRetryMs);
    this.#ready.promise.catch(() => undefined);
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get loaded(): boolean {
    return this.#loaded;
  }

  /** Follows the store until the signal aborts. Rejects with `closed` when the store was closed. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#retry(() => this.#load(signal), signal);
      this.#loaded = true;
      this.#ready.resolve();
      while (!signal.aborted) await this.#retry(() => this.#subscribe(signal), signal);
    } catch (error) {
      this.#ready.reject(error);
      if (!signal.aborted) throw error;
    } finally {
      this.#ready.reject(signal.reason);
    }
  }

  /** Loads a resource that is in the table already, in the background. */
  addResource(cache: ResourceWatchCache): void {
    const { signal } = this.#context;
    this.#joining.set(cache, { events: [], overflown: false });
    // Only the end of the cache ends it otherwise, and those who wait for the resource see that themselves.
    this.#join(cache, signal).catch(() => undefined);
  }

  async #load(signal: AbortSignal): Promise<void> {
    const expected = new Set([...this.#table].filter((cache) => !this.#joining.has(cache)));
    const listed = await listState(
      this.#source(this.#range),
      this.#table,
      { since: 0, accept: (cache) => expected.has(cache) },
      signal,
    );
    for (const cache of expected) {
      adopt(listed, cache, 0);
      this.#onLoaded(cache);
    }
    this.#context.barrier.advance(listed.rev);
    this.#context.env.log.info('watch cache loaded', { revision: listed.rev });
  }

  /** Runs the step once; what fails but can be tried again is waited for, and leaves the step to the caller's loop. */
  async #retry(step: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await step();
        return;
      } catch (error) {
        if (signal.aborted || (error instanceof StoreError && error.code === 'closed')) throw error;
        const reason = error instanceof StoreError ? error.code : 'error';
        this.#context.metrics.interrupted(reason);
        this.#context.env.log.warn('the watch cache lost the store', { reason, error: String(error) });
        await this.#backoff.wait(signal);
      }
    }
  }

  async #subscribe(signal: AbortSignal): Promise<void> {
    const { store, barrier } = this.#context;
    try {
      for await (const batch of store.watch(this.#range, barrier.revision, signal)) {
        await this.#apply(batch, signal);
        this.#backoff.reset();
      }
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'compacted') throw error;
      await this.#rebuild(error, signal);
      return;
    }
    signal.throwIfAborted();
    throw new StoreError('unavailable', 'the watch of the store ended');
  }

  async #apply(batch: WatchBatch, signal: AbortSignal): Promise<void> {
    const { barrier } = this.#context;
    const { events } = batch;
    let applied = 0;
    for (const [index, event] of events.entries()) {
      const rev = revisionOf(event);
      // Repeated by the store after a reconnection; everything at or below the barrier is in the caches.
      if (rev <= barrier.revision) continue;
      this.#dispatch(event);
      const next = events[index + 1];
      if (++applied % SLICE_EVENTS !== 0 || next === undefined || revisionOf(next) === rev) continue;
      barrier.advance(rev);
      await nextTick();
      signal.throwIfAborted();
    }
    barrier.advance(batch.rev);
  }

  #dispatch(event: KvEvent): void {
    const cache = this.#table.route(event.type === 'put' ? event.kv.key : event.key);
    if (cache === undefined) return;
    const joining = this.#joining.get(cache);
    if (joining === undefined) {
      cache.apply(event);
    } else if (joining.events.length < MAX_JOIN_EVENTS) {
      joining.events.push(event);
    } else {
      joining.overflown = true;
    }
  }

  /** History is gone: a fixed state from the store takes the place of the cached one, which is served until then. */
  async #rebuild(cause: StoreError, signal: AbortSignal): Promise<void> {
    const { barrier, metrics, env } = this.#context;
    env.log.warn('the store forgot history that the watch cache needs; rebuilding', {
      revision: barrier.revision,
    });
    let error = cause;
    for (let attempt = 0; ; attempt++) {
      try {
        const at = rebuildRevision(error, attempt);
        const since = barrier.revision;
        const accept = (cache: ResourceWatchCache): boolean => cache.loaded;
        const options = { since, accept, ...(at === undefined ? {} : { at }) };
        const listed = await listState(this.#source(this.#range), this.#table, options, signal);
        this.#gaps++;
        for (const cache of this.#table) if (cache.loaded) adopt(listed, cache, since);
        barrier.advance(listed.rev);
        metrics.rebuilt();
        return;
      } catch (failure) {
        if (!(failure instanceof StoreError) || failure.code !== 'compacted') throw failure;
        error = failure;
      }
    }
  }

  async #join(cache: ResourceWatchCache, signal: AbortSignal): Promise<void> {
    await this.#ready.promise;
    const { env, options, barrier } = this.#context;
    const backoff = new Backoff(env, options.retryMs, options.maxRetryMs);
    while (this.#table.get(cache.resource.name) === cache) {
      const gaps = this.#gaps;
      const joining: Joining = { events: [], overflown: false };
      this.#joining.set(cache, joining);
      const at = barrier.revision;
      const range = prefixRange(cache.resource.prefix);
      try {
        const listed = await listState(
          this.#source(range),
          { route: () => cache },
          { at, since: 0, accept: () => true },
          signal,
        );
        const complete = gaps === this.#gaps && !joining.overflown;
        if (complete) this.#finishJoin(cache, () => adopt({ ...listed, rev: at }, cache, at), joining.events);
        else for (const [of, draft] of listed.drafts) of.state.discard(draft);
        if (complete) return;
      } catch (error) {
        if (signal.aborted) throw error;
        env.log.warn('a resource could not be loaded', {
          resource: cache.resource.name,
          error: String(error),
        });
      }
      await backoff.wait(signal);
    }
    this.#joining.delete(cache);
  }

  #finishJoin(cache: ResourceWatchCache, install: () => void, events: readonly KvEvent[]): void {
    this.#joining.delete(cache);
    install();
    for (const event of events) cache.apply(event);
    this.#onLoaded(cache);
  }

  #source(range: KeyRange): LoadSource {
    return { store: this.#context.store, range, byteBudget: this.#context.options.pageBytes };
  }
}

function revisionOf(event: KvEvent): Revision {
  return event.type === 'put' ? event.kv.modRevision : event.modRevision;
}
