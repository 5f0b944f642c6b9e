import { Backoff, type Deferred, deferred, yieldToEventLoop } from '@orch/machinery/concurrency';
import {
  eventKey,
  eventRevision,
  type KeyRange,
  prefixRange,
  type Revision,
  StoreError,
} from '@orch/storage';
import type { SourceBatch, SourceEvent } from '../objects/object-source.ts';
import type { ResourceTable } from '../resource/resource-table.ts';
import type { ResourceWatchCache } from '../resource/resource-watch-cache.ts';
import { adoptState, type LoadSource, listState, rebuildRevision } from './list-state.ts';
import { partitionRange } from './partition-range.ts';
import type { SyncContext } from './sync-context.ts';

/** Events applied between two yields to the event loop. */
const SLICE_EVENTS = 256;
/** Most events buffered while a resource is loaded; when there are more, its load starts again. */
const MAX_PENDING_EVENTS = 20_000;

/** The load of a resource that was added while the cache runs, with the events that arrived meanwhile. */
interface PendingLoad {
  events: SourceEvent[];
  overflowed: boolean;
}

/**
 * Keeps all caches up to date: one list of the whole prefix, then one continuous watch of it. All changes of the prefix
 * arrive on this one ordered stream, so the caches are complete up to the last revision it delivered.
 */
export class Reflector {
  readonly #context: SyncContext;
  readonly #table: ResourceTable;
  readonly #range: KeyRange;
  readonly #ready: Deferred<void> = deferred();
  readonly #backoff: Backoff;
  readonly #pendingLoads = new Map<ResourceWatchCache, PendingLoad>();
  /** Number of rebuilds. Each skips events, so a pending load that started before it has to start again. */
  #rebuilds = 0;
  #started = false;
  #loaded = false;

  constructor(context: SyncContext, table: ResourceTable, range: KeyRange) {
    this.#context = context;
    this.#table = table;
    this.#range = range;

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

  /** Reflects the store until the signal aborts. Rejects with `closed` when the store was closed. */
  async run(signal: AbortSignal): Promise<void> {
    this.#started = true;
    try {
      await this.#retry(() => this.#load(signal), signal);
      this.#loaded = true;
      this.#ready.resolve();
      while (!signal.aborted) await this.#retry(() => this.#watchStore(signal), signal);
    } catch (error) {
      this.#ready.reject(error);
      if (!signal.aborted) throw error;
    } finally {
      this.#ready.reject(signal.reason);
    }
  }

  /** Loads a resource that is already in the table: with all others before `run` was called, else in the background. */
  addResource(cache: ResourceWatchCache): void {
    if (!this.#started) return;
    const { signal } = this.#context;
    this.#pendingLoads.set(cache, { events: [], overflowed: false });
    // It rejects only when the cache stops, which callers that wait for the resource observe themselves.
    this.#loadLater(cache, signal).catch(() => undefined);
  }

  async #load(signal: AbortSignal): Promise<void> {
    const expected = new Set([...this.#table].filter((cache) => !this.#pendingLoads.has(cache)));
    const listed = await listState(
      this.#source(this.#partitions()),
      this.#table,
      { since: 0, accept: (cache) => expected.has(cache) },
      signal,
    );
    for (const cache of expected) adoptState(listed, cache, 0);
    this.#context.barrier.advance(listed.rev);
    this.#context.env.log.info('watch cache loaded', { revision: listed.rev });
  }

  /** Runs the step until it succeeds, with backoff after retryable errors. */
  async #retry(step: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await step();
        return;
      } catch (error) {
        if (signal.aborted || (error instanceof StoreError && error.code === 'closed')) throw error;
        const reason = error instanceof StoreError ? error.code : 'error';
        this.#context.metrics.interrupted(reason);
        this.#context.env.log.warn('the watch cache lost its watch of the store', {
          reason,
          error: String(error),
        });
        await this.#backoff.wait(signal);
      }
    }
  }

  async #watchStore(signal: AbortSignal): Promise<void> {
    const { source, barrier, feed } = this.#context;
    let isFirst = true;
    feed?.discard();
    try {
      for await (const batch of source.watch(this.#range, barrier.revision, signal)) {
        await this.#apply(batch, signal);
        if (isFirst) this.#backoff.reset();
        isFirst = false;
      }
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'compacted') throw error;
      await this.#rebuild(error, signal);
      return;
    }
    signal.throwIfAborted();
    throw new StoreError('unavailable', 'the watch of the store ended');
  }

  async #apply(batch: SourceBatch, signal: AbortSignal): Promise<void> {
    const { barrier } = this.#context;
    const { events } = batch;
    let applied = 0;
    for (const [index, event] of events.entries()) {
      const rev = eventRevision(event);
      // The store repeats events after a reconnection; those at or before the barrier are in the caches.
      if (rev <= barrier.revision) continue;
      this.#dispatch(event);
      const next = events[index + 1];
      if (++applied % SLICE_EVENTS !== 0 || next === undefined || eventRevision(next) === rev) continue;
      this.#advance(rev);
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
    this.#advance(batch.rev);
  }

  /** All events up to `rev` are applied. */
  #advance(rev: Revision): void {
    this.#context.feed?.flush(rev);
    this.#context.barrier.advance(rev);
  }

  #dispatch(event: SourceEvent): void {
    const { feed } = this.#context;
    const cache = this.#table.route(eventKey(event));
    const pending = cache && this.#pendingLoads.get(cache);
    if (cache !== undefined) this.#applyOrKeep(event, cache, pending);
    feed?.add(event, pending === undefined ? cache : undefined);
  }

  #applyOrKeep(event: SourceEvent, cache: ResourceWatchCache, pending: PendingLoad | undefined): void {
    if (pending === undefined) {
      cache.apply(event);
    } else if (pending.events.length < MAX_PENDING_EVENTS) {
      pending.events.push(event);
    } else {
      pending.overflowed = true;
    }
  }

  /** After history was lost: replaces the cached state by one listed from the store. The cached one is served until then. */
  async #rebuild(cause: StoreError, signal: AbortSignal): Promise<void> {
    const { barrier, metrics, env } = this.#context;
    env.log.warn('the store has compacted history that the watch cache needs; rebuilding', {
      revision: barrier.revision,
    });
    let error = cause;
    for (let attempt = 0; ; attempt++) {
      try {
        const at = rebuildRevision(error, attempt);
        const since = barrier.revision;
        const accept = (cache: ResourceWatchCache): boolean => cache.loaded;
        const options = { since, accept, ...(at === undefined ? {} : { at }) };
        const listed = await listState(this.#source(this.#partitions()), this.#table, options, signal);
        this.#rebuilds++;
        for (const cache of this.#table) if (cache.loaded) adoptState(listed, cache, since);
        barrier.advance(listed.rev);
        this.#context.feed?.replace('the store has compacted history that the first thread needs');
        metrics.rebuilt();
        return;
      } catch (failure) {
        if (!(failure instanceof StoreError) || failure.code !== 'compacted') throw failure;
        error = failure;
      }
    }
  }

  /** Loads a resource after the initial load, at the barrier's revision, and then applies the events that arrived meanwhile. */
  async #loadLater(cache: ResourceWatchCache, signal: AbortSignal): Promise<void> {
    await this.#ready.promise;
    const { env, options, barrier } = this.#context;
    const backoff = new Backoff(env, options.retryMs, options.maxRetryMs);
    while (this.#table.get(cache.resource.name) === cache) {
      const rebuilds = this.#rebuilds;
      const pending: PendingLoad = { events: [], overflowed: false };
      this.#pendingLoads.set(cache, pending);
      const at = barrier.revision;
      const range = prefixRange(cache.resource.prefix);
      try {
        const listed = await listState(
          this.#source([range]),
          { route: () => cache },
          { at, since: 0, accept: () => true },
          signal,
        );
        const complete = rebuilds === this.#rebuilds && !pending.overflowed;
        if (complete) {
          this.#pendingLoads.delete(cache);
          adoptState({ ...listed, rev: at }, cache, at);
          for (const event of pending.events) cache.apply(event);
          return;
        }
        for (const [of, draft] of listed.drafts) of.state.discard(draft);
      } catch (error) {
        if (signal.aborted) throw error;
        env.log.warn('a resource could not be loaded', {
          resource: cache.resource.name,
          error: String(error),
        });
      }
      await backoff.wait(signal);
    }
    this.#pendingLoads.delete(cache);
  }

  /** The partitions of the whole range, which are read in parallel. */
  #partitions(): readonly KeyRange[] {
    const { source, store } = this.#context;
    // Another thread sends all resources at once.
    if (source !== store) return [this.#range];
    return partitionRange(
      this.#range,
      [...this.#table].map(({ resource }) => resource.prefix),
    );
  }

  #source(ranges: readonly KeyRange[]): LoadSource {
    return { from: this.#context.source, ranges, byteBudget: this.#context.options.pageBytes };
  }
}
