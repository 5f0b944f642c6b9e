import { abortable, deferred } from '@orch/machinery/concurrency';
import { eventRevision, type Revision, StoreError } from '@orch/storage';
import { noIndexes } from '../objects/complete-indexes.ts';
import type { SourceEvent } from '../objects/object-source.ts';
import { Repacker } from '../objects/repacker.ts';
import { countAfter, select } from '../objects/select.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import type {
  CachedObject,
  CachedResource,
  CacheSubscriber,
  Freshness,
  ListPage,
  ListQuery,
  ResourceCache,
  Scope,
  UnreadableObject,
  WatchEnd,
  WatchHandle,
  WatchQuery,
  WatchSink,
} from '../types.ts';
import type { CacheEvent } from '../watch/cache-event.ts';
import { CatchUps } from '../watch/catch-ups.ts';
import type { EventHistory } from '../watch/event-history.ts';
import { Watcher } from '../watch/watcher.ts';
import type { HostedWatcher, WatcherHost, WatcherLimits } from '../watch/watcher-host.ts';
import { WatcherIndex } from '../watch/watcher-index.ts';
import { listFromStore } from './list-from-store.ts';
import type { ResourceContext } from './resource-context.ts';
import { ResourceRemovedError } from './resource-removed-error.ts';
import { ResourceSnapshots } from './resource-snapshots.ts';
import { ResourceState, type State } from './resource-state.ts';

/** Objects of the start state of a watch that are delivered at a time. */
const INITIAL_CHUNK = 64;
/** Pause between two repackings of the objects. */
const REPACK_PAUSE_MS = 5000;

/** The cache of one resource: its state, the reads of it, and its watchers. */
export class ResourceWatchCache implements ResourceCache, WatcherHost {
  readonly state: ResourceState;
  readonly snapshots: ResourceSnapshots;
  readonly #context: ResourceContext;
  readonly #watchers = new Set<HostedWatcher>();
  readonly #subscribers = new Set<CacheSubscriber>();
  readonly #live: WatcherIndex;
  readonly #catchUps: CatchUps;
  readonly #repacker: Repacker;
  /** Resolves when the first state is loaded; rejects when the resource is removed before. */
  readonly #load = deferred();
  readonly #removal = new AbortController();
  #lostThrough: Revision = 0;
  #loaded = false;
  #closed = false;

  constructor(resource: CachedResource, context: ResourceContext) {
    this.#context = context;
    // Callers that wait for the load get its error; without any, it needs no handling.
    this.#load.promise.catch(() => undefined);
    this.state = new ResourceState(resource, context.shared);
    this.snapshots = new ResourceSnapshots(this.state, context.snapshots, context.options.maxUndo);
    const { signal, repacksElsewhere } = context;
    const elsewhere = repacksElsewhere && (() => repacksElsewhere(resource));
    this.#repacker = new Repacker(this.state, { pauseMs: REPACK_PAUSE_MS, signal, elsewhere });
    this.#live = new WatcherIndex(resource.selectableFields, resource.indexedFields);
    this.#catchUps = new CatchUps({
      store: context.store,
      state: this.state,
      clock: context.env.clock,
      encodedEvents: context.shared.encodedEvents,
      permits: context.catchUps,
      signal: context.signal,
      removed: this.#removal.signal,
      retryMs: context.options.retryMs,
      silenceMs: context.options.silenceMs,
      failed: (error) =>
        context.env.log.warn('a watch could not catch up from the store', {
          resource: resource.name,
          error: String(error),
        }),
    });
  }

  get resource(): CachedResource {
    return this.state.resource;
  }

  get history(): EventHistory {
    return this.state.history;
  }

  get limits(): WatcherLimits {
    return this.#context.options;
  }

  get loaded(): boolean {
    return this.#loaded;
  }

  get watchers(): ReadonlySet<HostedWatcher> {
    return this.#watchers;
  }

  /** Resolves when the first state is loaded. */
  whenLoaded(signal: AbortSignal): Promise<void> {
    return abortable(this.#load.promise, signal);
  }

  revision(): Revision {
    return this.#loaded ? this.#context.barrier.revision : 0;
  }

  lostThrough(): Revision {
    return this.#lostThrough;
  }

  monotonic(): number {
    return this.#context.env.clock.monotonic();
  }

  isFresh(freshness: Freshness): boolean {
    if (!this.#loaded || this.#closed || freshness.kind === 'mostRecent') return false;
    return freshness.kind === 'any' || this.#context.barrier.revision >= freshness.rev;
  }

  async waitFresh(freshness: Freshness, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#requireOpen();
    if (!this.#loaded) await this.whenLoaded(signal);
    if (freshness.kind === 'mostRecent') await abortable(this.#context.quorum.consistent(), signal);
    else if (freshness.kind === 'notOlderThan') await this.#context.reachFuture(freshness.rev, signal);
    signal.throwIfAborted();
  }

  whenMostRecent(): Promise<void> | undefined {
    return this.#loaded ? this.#context.quorum.consistent() : undefined;
  }

  get(key: string): CachedObject | undefined {
    if (this.#closed) this.#requireOpen();
    return this.state.get(key);
  }

  count(prefix = ''): number {
    return prefix === '' ? this.state.size : this.state.tree.count(prefix);
  }

  bytes(): number {
    return this.state.arena.liveBytes;
  }

  watcherCount(key: string): number {
    return this.#live.watcherCount(key);
  }

  subscribe(subscriber: CacheSubscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  list(query: ListQuery, signal: AbortSignal): ListPage | Promise<ListPage> {
    signal.throwIfAborted();
    this.#requireOpen();
    const { at } = query;
    const { barrier, env } = this.#context;
    if (at === undefined) return this.#livePage(query, barrier.revision);
    if (at > barrier.revision)
      return this.#context.reachFuture(at, signal).then(() => this.list(query, signal));
    if (at >= this.state.lastChange) return this.#livePage(query, at);
    const state = this.snapshots.at(at, env.clock.monotonic());
    if (state !== undefined) return this.#page(state, query, at, false);
    const source = {
      store: this.#context.store,
      state: this.state,
      byteBudget: this.#context.options.pageBytes,
    };
    return this.#context.historicLists.run(signal, () => listFromStore(source, { ...query, at }, signal));
  }

  async watch(query: WatchQuery, sink: WatchSink, signal: AbortSignal): Promise<WatchHandle> {
    signal.throwIfAborted();
    if (!this.#loaded) await this.whenLoaded(signal);
    const watcher = new Watcher(this, query, sink);
    if (this.#context.draining() || this.#closed) {
      setImmediate(() => sink.end('drained'));
      return watcher;
    }
    this.#watchers.add(watcher);
    this.#context.metrics.watchers(this.resource, this.#watchers.size);
    const { start } = query;
    if (start.kind === 'after') await this.#startAfter(watcher, start.rev, signal);
    else
      watcher.startWithState(
        this.revision(),
        this.#counted(this.#initialPages(query)),
        start.initialEventsEnd,
      );
    watcher.confirmStart(signal);
    return watcher;
  }

  scheduleFlush(watcher: HostedWatcher): void {
    this.#context.flushes.schedule(watcher);
  }

  addLive(watcher: HostedWatcher): void {
    this.#live.add(watcher);
  }

  removeLive(watcher: HostedWatcher): void {
    this.#live.remove(watcher);
  }

  catchUp(watcher: HostedWatcher): Promise<void> {
    return this.#catchUps.add(watcher);
  }

  removeWatcher(watcher: HostedWatcher, end: WatchEnd | undefined): void {
    this.#watchers.delete(watcher);
    this.#context.metrics.watchers(this.resource, this.#watchers.size);
    if (end !== undefined) this.#context.metrics.watchEnded(this.resource, end);
  }

  failed(error: unknown): void {
    this.#context.env.log.error('a watch failed', {
      resource: this.resource.name,
      error: String(error),
    });
  }

  /** Applies an event and offers it to the watchers that may select it. */
  apply(event: SourceEvent): void {
    this.snapshots.beforeChange(eventRevision(event));
    const change = this.state.apply(event);
    if (change !== undefined) this.#dispatch(change);
  }

  /** Brings the objects into the order of their keys in memory, for another thread that lists them. */
  repack(): void {
    this.#repacker.repack(this.monotonic());
  }

  unreadable(scope: Scope): readonly UnreadableObject[] {
    return this.state.unreadable(scope);
  }

  /** Applies the listed state of an object as an event. */
  applyState(object: StoredObject): void {
    this.snapshots.beforeChange(object.rev);
    this.#dispatch(this.state.applyState(object));
  }

  #dispatch(change: CacheEvent): void {
    const isUnreadable = change.before?.corrupt === true || change.after?.corrupt === true;
    if (isUnreadable) this.#endUnreadable(change);
    if (this.#subscribers.size > 0) this.#notify(change.key, change.after);
    this.#context.metrics.dispatched(this.resource);
    this.#live.dispatch(change);
  }

  #notify(key: string, object: StoredObject | undefined): void {
    for (const subscriber of this.#subscribers) subscriber.changed(key, object);
  }

  /**
   * It is unknown whether a selector selects an object that cannot be read, or did before it was changed or removed: to
   * continue would hide the change. No watch gets it from the event history either, and no list the state before it.
   */
  #endUnreadable({ key, rev }: CacheEvent): void {
    for (const watcher of [...this.#watchers]) if (watcher.inScope(key)) watcher.endBefore(rev);
    this.snapshots.clear();
    this.state.beginHistory(rev);
  }

  /** The first state is complete at `rev`. */
  finishLoad(rev: Revision): void {
    this.state.beginHistory(rev);
    this.#loaded = true;
    this.#context.metrics.initialized(this.resource);
    for (const subscriber of this.#subscribers) subscriber.replaced();
    this.#load.resolve();
  }

  /**
   * History up to `rev` is lost: no watch can resume from a revision before it, and the watchers for which `hasMissed`
   * returns true end.
   */
  loseHistory(rev: Revision, hasMissed: (watcher: HostedWatcher) => boolean): void {
    this.#lostThrough = rev;
    for (const subscriber of this.#subscribers) subscriber.replaced();
    for (const watcher of [...this.#watchers]) if (hasMissed(watcher)) watcher.end('expired');
  }

  tick(now: number): void {
    this.state.maintain(now);
    if (this.#watchers.size === 0) return;
    for (const watcher of [...this.#watchers]) watcher.tick(now);
  }

  bookmark(): void {
    for (const watcher of [...this.#watchers]) watcher.bookmark();
  }

  drain(): void {
    for (const watcher of [...this.#watchers]) watcher.drain();
  }

  /** The resource is removed from the cache. */
  close(): void {
    const reason = new ResourceRemovedError(this.resource.name);
    this.#load.reject(reason);
    this.#closed = true;
    for (const watcher of [...this.#watchers]) watcher.finish();
    this.#removal.abort(reason);
    this.snapshots.clear();
    this.state.dispose();
  }

  /** Requests that began before the resource was removed or replaced have to begin again. */
  #requireOpen(): void {
    if (this.#closed) throw this.#removal.signal.reason;
  }

  async #startAfter(watcher: Watcher, rev: Revision, signal: AbortSignal): Promise<void> {
    try {
      if (rev < this.#lostThrough) {
        throw new StoreError('compacted', `history through revision ${this.#lostThrough} was lost`);
      }
      await abortable(watcher.startAfter(rev), signal);
    } catch (error) {
      watcher.close();
      throw error;
    }
  }

  #livePage(query: ListQuery, rev: Revision): ListPage {
    const page = this.#page(this.state.tree, query, rev, true);
    this.#repacker.listed(page.objects, this.monotonic());
    // The next chunks must show this state.
    if (page.next !== undefined) this.snapshots.keepCurrent(rev, this.monotonic());
    return page;
  }

  #page(state: State, query: ListQuery, rev: Revision, current: boolean): StatePage {
    const { indexes } = this.state;
    const selection = select(state, current ? indexes.complete : noIndexes, query);
    const { objects, next, fetched, index } = selection;
    if (current) indexes.listed(query.filter, selection, this.monotonic());
    this.#context.metrics.listed(this.resource, { index, fetched, returned: objects.length });
    if (next === undefined) return { rev, objects };
    if (!query.filter.everything) return { rev, objects, next };
    return { rev, objects, next, remaining: countAfter(state, query.scope, next) };
  }

  /** The matching objects of the current state, in chunks, independent of later changes. */
  *#counted(pages: Iterable<readonly StoredObject[]>): Generator<readonly StoredObject[], undefined> {
    for (const page of pages) {
      this.#context.metrics.initialEvents(this.resource, page.length);
      yield page;
    }
  }

  #initialPages(query: WatchQuery): Iterable<readonly StoredObject[]> {
    const { scope, filter } = query;
    if (filter.everything && scope.exact === undefined)
      return statePages(this.state.tree.snapshot(), scope.prefix);
    return chunks(select(this.state.tree, this.state.indexes.complete, { scope, filter }).objects);
  }
}

type StatePage = ListPage & { readonly objects: readonly StoredObject[] };

function* statePages(state: State, prefix: string): Generator<readonly StoredObject[], undefined> {
  let page = state.collect(prefix, undefined, INITIAL_CHUNK);
  while (page.length > 0) {
    yield page;
    page = state.collect(prefix, page.at(-1)?.key, INITIAL_CHUNK);
  }
}

function* chunks(objects: readonly StoredObject[]): Generator<readonly StoredObject[], undefined> {
  for (let i = 0; i < objects.length; i += INITIAL_CHUNK) yield objects.slice(i, i + INITIAL_CHUNK);
}
