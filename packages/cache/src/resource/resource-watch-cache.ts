import { abortable } from '@orch/machinery';
import { type KvEvent, type Revision, StoreError } from '@orch/storage';
import { Repacker } from '../objects/repacker.ts';
import { countAfter, select } from '../objects/select.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import type {
  CachedObject,
  CachedResource,
  CacheFollower,
  Freshness,
  ListPage,
  ListQuery,
  ResourceCache,
  WatchEnd,
  WatchHandle,
  WatchQuery,
  WatchSink,
} from '../types.ts';
import type { CacheEvent } from '../watch/cache-event.ts';
import { CatchUps } from '../watch/catch-ups.ts';
import type { EventWindow } from '../watch/event-history.ts';
import { Watcher } from '../watch/watcher.ts';
import type { WatcherHost, WatcherLimits } from '../watch/watcher-host.ts';
import { WatcherIndex } from '../watch/watcher-index.ts';
import { listFromStore } from './list-from-store.ts';
import type { CacheContext } from './resource-context.ts';
import { ResourceSnapshots } from './resource-snapshots.ts';
import { ResourceState, type State } from './resource-state.ts';

/** Objects of the initial state of a watch handed over at a time. */
const INITIAL_CHUNK = 64;
/** Between two rounds of putting objects in order: what is written meanwhile is copied for each list. */
const REPACK_PAUSE_MS = 5000;

/** The reads of one resource, and its watchers. */
export class LiveResource implements ResourceCache, WatcherHost {
  readonly state: ResourceState;
  readonly snapshots: ResourceSnapshots;
  readonly #context: CacheContext;
  readonly #watchers = new Set<Watcher>();
  readonly #followers = new Set<CacheFollower>();
  readonly #live: WatcherIndex;
  readonly #catchUps: CatchUps;
  readonly #repacker: Repacker;
  #lostThrough: Revision = 0;
  #loaded = false;
  #closed = false;

  constructor(resource: CachedResource, context: CacheContext) {
    this.#context = context;
    this.state = new ResourceState(resource, context.shared);
    this.snapshots = new ResourceSnapshots(this.state, context.snapshots, context.options.maxUndo);
    this.#repacker = new Repacker(this.state, context.signal, REPACK_PAUSE_MS);
    this.#live = new WatcherIndex(resource.selectableFields, resource.indexedFields);
    this.#catchUps = new CatchUps({
      store: context.store,
      state: this.state,
      clock: context.env.clock,
      frames: context.shared.frames,
      permits: context.catchUps,
      signal: context.signal,
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

  get window(): EventWindow {
    return this.state.window;
  }

  get limits(): WatcherLimits {
    return this.#context.options;
  }

  get loaded(): boolean {
    return this.#loaded;
  }

  get watchers(): ReadonlySet<Watcher> {
    return this.#watchers;
  }

  revision(): Revision {
    return this.#loaded ? this.#context.gate.revision : 0;
  }

  lostThrough(): Revision {
    return this.#lostThrough;
  }

  monotonic(): number {
    return this.#context.env.clock.monotonic();
  }

  isFresh(freshness: Freshness): boolean {
    if (!this.#loaded || freshness.kind === 'mostRecent') return false;
    return freshness.kind === 'any' || this.#context.gate.revision >= freshness.rev;
  }

  async waitFresh(freshness: Freshness, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#loaded) await this.#context.loaded(this, signal);
    if (freshness.kind === 'mostRecent') await this.#context.quorum.consistent();
    else if (freshness.kind === 'notOlderThan') await this.#context.reachFuture(freshness.rev, signal);
    signal.throwIfAborted();
  }

  whenMostRecent(): Promise<void> | undefined {
    return this.#loaded ? this.#context.quorum.consistent() : undefined;
  }

  get(key: string): CachedObject | undefined {
    return this.state.get(key);
  }

  count(): number {
    return this.state.size;
  }

  audience(key: string): number {
    return this.#live.audience(key);
  }

  follow(follower: CacheFollower): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  list(query: ListQuery, signal: AbortSignal): ListPage | Promise<ListPage> {
    signal.throwIfAborted();
    const { at } = query;
    const { gate, env } = this.#context;
    if (at === undefined) return this.#livePage(query, gate.revision);
    if (at > gate.revision) return this.#context.reachFuture(at, signal).then(() => this.list(query, signal));
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
    if (!this.#loaded) await this.#context.loaded(this, signal);
    const watcher = new Watcher(this, query, sink);
    if (this.#context.draining() || this.#closed) {
      setImmediate(() => sink.end('drained'));
      return watcher;
    }
    this.#watchers.add(watcher);
    this.#context.metrics.watchers(this.resource, this.#watchers.size);
    const { start } = query;
    if (start.kind === 'after') await this.#startAfter(watcher, start.rev, signal);
    else watcher.startWithState(this.revision(), this.#initialPages(query), start.initialEventsEnd);
    watcher.begun(signal);
    return watcher;
  }

  wake(watcher: Watcher): void {
    this.#context.turns.wake(watcher);
  }

  goLive(watcher: Watcher): void {
    this.#live.add(watcher);
  }

  leaveLive(watcher: Watcher): void {
    this.#live.remove(watcher);
  }

  catchUp(watcher: Watcher): Promise<void> {
    return this.#catchUps.join(watcher);
  }

  forget(watcher: Watcher, end: WatchEnd | undefined): void {
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

  /** Applies an event and offers it to the watchers it may concern. */
  apply(event: KvEvent): void {
    this.snapshots.beforeChange(event.type === 'put' ? event.kv.modRevision : event.modRevision);
    const change = this.state.apply(event);
    if (change !== undefined) this.#dispatch(change);
  }

  /** The same for a state that was listed. */
  applyState(object: StoredObject): void {
    this.snapshots.beforeChange(object.rev);
    this.#dispatch(this.state.applyState(object));
  }

  #dispatch(change: CacheEvent): void {
    for (const follower of this.#followers) follower.changed(change.key, change.after);
    this.#context.metrics.dispatched(this.resource);
    this.#live.dispatch(change);
  }

  /** The first state is complete at `rev`. */
  finishLoad(rev: Revision): void {
    this.state.beginHistory(rev);
    this.#loaded = true;
    this.#context.metrics.initialized(this.resource);
    for (const follower of this.#followers) follower.replaced();
  }

  /**
   * History up to `rev` is lost: it cannot be resumed from, and watchers for which `touched` is true have missed
   * something and end.
   */
  lose(rev: Revision, touched: (watcher: Watcher) => boolean): void {
    this.#lostThrough = rev;
    for (const follower of this.#followers) follower.replaced();
    for (const watcher of [...this.#watchers]) if (touched(watcher)) watcher.end('expired');
  }

  tick(now: number): void {
    this.state.housekeep();
    for (const watcher of [...this.#watchers]) watcher.tick(now);
  }

  drain(): void {
    for (const watcher of [...this.#watchers]) watcher.drain();
  }

  close(): void {
    this.#closed = true;
    this.drain();
    this.snapshots.clear();
    this.state.dispose();
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
    // The next chunks must see this state.
    if (page.next !== undefined) this.snapshots.keepCurrent(rev, this.monotonic());
    return page;
  }

  #page(state: State, query: ListQuery, rev: Revision, current: boolean): StatePage {
    const { objects, next, fetched, index } = select(state, current ? this.state.indexes : [], query);
    this.#context.metrics.listed(this.resource, { index, fetched, returned: objects.length });
    if (next === undefined) return { rev, objects };
    if (!query.filter.everything) return { rev, objects, next };
    return { rev, objects, next, remaining: countAfter(state, query.scope, next) };
  }

  /** The matching objects of the current state, in chunks, whatever changes while they are delivered. */
  #initialPages(query: WatchQuery): Iterator<readonly StoredObject[]> {
    const { scope, filter } = query;
    if (filter.everything && scope.exact === undefined)
      return statePages(this.state.tree.snapshot(), scope.prefix);
    return chunks(select(this.state.tree, this.state.indexes, { scope, filter }).objects);
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
