import { onAbort } from '@orch/machinery/concurrency';
import type { Revision } from '@orch/storage';
import { isInScope } from '../objects/keys.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import type {
  CachedObject,
  EventEncoder,
  ObjectFilter,
  Scope,
  WatchEnd,
  WatchHandle,
  WatchItem,
  WatchQuery,
  WatchSink,
} from '../types.ts';
import type { CacheEvent } from './cache-event.ts';

import type { HostedWatcher, WatcherHost } from './watcher-host.ts';

/**
 * - `initial`: receives synthetic ADDED events of its start state.
 * - `behind`: reads the event history from its position on.
 * - `catchingUp`: receives the store's history, until the event history continues it.
 * - `live`: is offered events as they arrive; they wait in `#pending` for the next tick.
 */
type Phase = 'initial' | 'behind' | 'catchingUp' | 'live' | 'ended';

const CHUNK_ITEMS = 256;
const ITEM_OVERHEAD_BYTES = 64;

/** The pending items of a watch that is up to date: shared by all watchers, so it must stay empty. */
const NO_ITEMS: WatchItem[] = [];

/**
 * One watch. It delivers each event exactly once and buffers no more than its limits: events beyond them are read later
 * from the event history, or from the store when the history has evicted them. A sink that stays blocked for too long
 * ends the watch as `slow`.
 */
export class Watcher implements HostedWatcher, WatchHandle {
  readonly scope: Scope;
  readonly filter: ObjectFilter;
  queued = false;
  readonly #host: WatcherHost;
  readonly #sink: WatchSink;
  readonly #bookmarks: boolean;
  #phase: Phase = 'behind';
  /** Every matching event at or before it was delivered. While live, it is updated only with the first pending item. */
  #position: Revision = 0;
  #initial:
    | {
        readonly pages: Iterator<readonly StoredObject[]>;
        readonly rev: Revision;
        readonly bookmarkEnd: boolean;
      }
    | undefined;
  #pending: WatchItem[] = NO_ITEMS;
  #pendingBytes = 0;
  #blocked = false;
  #blockedAt = 0;
  #lastSentAt: number;
  #onResume: (() => void) | undefined;
  /** The caller has no handle yet: an end is reported by the promise of the start, not by the sink. */
  #starting = true;
  #endReason: WatchEnd | undefined;
  #unregister: (() => void) | undefined;

  constructor(host: WatcherHost, query: Pick<WatchQuery, 'scope' | 'filter' | 'bookmarks'>, sink: WatchSink) {
    this.#host = host;
    this.scope = query.scope;
    this.filter = query.filter;
    this.#bookmarks = query.bookmarks;
    this.#sink = sink;
    this.#lastSentAt = host.monotonic();
  }

  get phase(): Phase {
    return this.#phase;
  }

  get position(): Revision {
    return this.#phase === 'live' && this.#pending.length === 0
      ? Math.max(this.#position, this.#host.revision())
      : this.#position;
  }

  /** The sink refuses items until `resume`. */
  get blocked(): boolean {
    return this.#blocked;
  }

  get open(): boolean {
    return this.#phase !== 'ended';
  }

  /**
   * Resolves when the watch has started, rejects when its history is lost. Nothing is delivered before the next tick, so
   * that the caller has the handle by then.
   */
  async startAfter(rev: Revision): Promise<void> {
    this.#position = rev;
    this.#phase = 'behind';
    if (rev < this.#host.history.oldestRevision) await this.#catchUp();
    else this.#host.scheduleFlush(this);
  }

  /** `bookmarkEnd`: deliver the bookmark that marks the end of the initial events. */
  startWithState(rev: Revision, pages: Iterator<readonly StoredObject[]>, bookmarkEnd: boolean): void {
    this.#position = rev;
    this.#phase = 'initial';
    this.#initial = { pages, rev, bookmarkEnd };
    this.#host.scheduleFlush(this);
  }

  /** The caller gets the handle. From now on an abort of the signal closes the watch. */
  confirmStart(signal: AbortSignal): void {
    this.#starting = false;
    const end = this.#endReason;
    if (end !== undefined) setImmediate(() => this.#notifyEnd(end));
    if (this.open) this.#unregister = onAbort(signal, () => this.close());
  }

  offer(event: CacheEvent): void {
    if (event.rev <= this.#position || !event.isIn(this.scope)) return;
    const item = event.itemFor(this.filter);
    if (item === undefined) return;
    this.#add(item, event.rev - 1);
    this.#pendingBytes += ITEM_OVERHEAD_BYTES + ((event.after ?? event.before)?.size ?? 0);
    const { watcherItems, watcherBytes } = this.#host.limits;
    if (this.#pending.length > watcherItems || this.#pendingBytes > watcherBytes) this.#fallBehind();
    if (!this.#blocked) this.#host.scheduleFlush(this);
  }

  /** The first pending item sets the position. The array is created with one item, the common case, to stay small. */
  #add(item: WatchItem, position: Revision): void {
    if (this.#pending === NO_ITEMS) {
      this.#position = position;
      this.#pending = [item];
    } else this.#pending.push(item);
  }

  offerFailed(error: unknown): void {
    this.#host.failed(error);
    this.end('expired');
  }

  /** The start state is delivered in pages of many objects. */
  get isLong(): boolean {
    return this.#phase === 'initial';
  }

  flush(): void {
    if (this.#blocked) return;
    if (this.#phase === 'live') this.#flush();
    else if (this.#phase === 'initial') this.#deliverInitial();
    else if (this.#phase === 'behind') this.#readHistory();
  }

  resume(): void {
    if (!this.#blocked) return;
    this.#blocked = false;
    this.#onResume?.();
    if (this.#phase !== 'live' || this.#pending.length > 0) this.#host.scheduleFlush(this);
  }

  close(): void {
    this.#detach(undefined);
  }

  /** Ends the watch and notifies the sink. */
  end(reason: WatchEnd): void {
    if (!this.#detach(reason)) return;
    this.#endReason = reason;
    if (!this.#starting) this.#notifyEnd(reason);
  }

  /** Ends the watch cleanly: pending items are delivered even to a blocked sink, then a bookmark, then `drained`. */
  drain(): void {
    if (this.#phase === 'ended') return;
    const items = [...this.#pending];
    // Pending events may be after the revision of the cache, when the resource is removed between two events.
    const pending = items.at(-1)?.rev ?? 0;
    const last =
      this.#phase === 'live' ? Math.max(this.#host.revision(), this.#position, pending) : this.#position;
    this.#pending = NO_ITEMS;
    // Before all initial events are delivered no revision is complete, so a bookmark would be wrong.
    if (this.#bookmarks && this.#phase !== 'initial')
      items.push({ type: 'BOOKMARK', rev: last, initialEventsEnd: false });
    if (items.length > 0) this.#deliver(items);
    this.end('drained');
  }

  /**
   * As `drain`, after delivering what the event history has beyond: a watch of a resource that is removed may not be resumed.
   */
  finish(): void {
    if (this.#phase === 'behind') this.#deliverRest();
    this.drain();
  }

  endBefore(rev: Revision): void {
    if (this.#phase === 'behind') this.#deliverRest(rev);
    const items = this.#pending.filter((item) => item.rev < rev);
    this.#pending = NO_ITEMS;
    if (items.length > 0) this.#deliver(items);
    this.end('expired');
  }

  #deliverRest(before = Number.POSITIVE_INFINITY): void {
    const { history } = this.#host;
    if (this.#position < Math.max(this.#host.lostThrough(), history.oldestRevision)) return;
    const events = history.after(this.#position).filter((event) => event.rev < before);
    const items = this.#itemsOf(events);
    this.#position = events.at(-1)?.rev ?? this.#position;
    if (items.length > 0) this.#deliver(items);
  }

  /** Called about once a second. */
  tick(now: number): void {
    if (this.#phase === 'ended') return;
    const { stallMs, bookmarkMs } = this.#host.limits;
    if (this.#blocked) {
      const waiting = this.#phase !== 'live' || this.#pending.length > 0;
      if (waiting && now - this.#blockedAt >= stallMs) this.end('slow');
      return;
    }
    if (now - this.#lastSentAt >= bookmarkMs) this.bookmark();
  }

  /** Delivers a bookmark to a watch that has them and is up to date. */
  bookmark(): void {
    if (!this.#bookmarks || this.#phase !== 'live' || this.#blocked) return;
    const rev = this.#host.revision();
    // A watch that starts after a future revision gets no bookmark before that revision.
    if (rev < this.#position) return;
    this.#add({ type: 'BOOKMARK', rev, initialEventsEnd: false }, rev);
    this.#host.scheduleFlush(this);
  }

  selects(event: CacheEvent): boolean {
    return this.open && event.isIn(this.scope) && event.itemFor(this.filter) !== undefined;
  }

  /** Ignored unless catching up. The watcher must not be blocked. */
  takeHistory(events: readonly CacheEvent[], rev: Revision): void {
    if (this.#phase !== 'catchingUp' || rev <= this.#position) return;
    const items = this.#itemsOf(events);
    this.#position = rev;
    if (items.length > 0) this.#deliver(items);
  }

  leaveCatchUp(): void {
    if (this.#phase !== 'catchingUp') return;
    this.#phase = 'behind';
    if (!this.#blocked) this.#host.scheduleFlush(this);
  }

  onResume(callback: (() => void) | undefined): void {
    this.#onResume = callback;
  }

  inScope(key: string): boolean {
    return isInScope(this.scope, key);
  }

  #itemsOf(events: readonly CacheEvent[]): WatchItem[] {
    const items: WatchItem[] = [];
    for (const event of events) {
      if (event.rev <= this.#position || !event.isIn(this.scope)) continue;
      const item = event.itemFor(this.filter);
      if (item !== undefined) items.push(item);
    }
    return items;
  }

  #flush(): void {
    const items = this.#pending;
    if (items.length === 0) return;
    this.#pending = NO_ITEMS;
    this.#pendingBytes = 0;
    this.#deliver(items);
  }

  /** Delivers items. The sink may close the watch, refuse further items, or throw. */
  #deliver(items: readonly WatchItem[]): void {
    const now = this.#host.monotonic();
    this.#lastSentAt = now;
    this.#blockedAt = now;
    // Set before the call, so that a sink that calls `resume` and then returns false is not blocked.
    this.#blocked = true;
    try {
      if (this.#sink.deliver(items)) this.#blocked = false;
    } catch (error) {
      this.#host.failed(error);
      this.#detach(undefined);
    }
  }

  #deliverInitial(): void {
    const initial = this.#initial;
    if (initial === undefined) return;
    const page = initial.pages.next();
    if (page.done !== true) {
      this.#deliver(page.value.map(initialItem));
    } else {
      this.#initial = undefined;
      this.#phase = 'behind';
      if (initial.bookmarkEnd)
        this.#deliver([{ type: 'BOOKMARK', rev: initial.rev, initialEventsEnd: true }]);
    }
    if (!this.#blocked && this.open) this.#host.scheduleFlush(this);
  }

  /** Delivers the next part of the event history; at its end the watch becomes live. */
  #readHistory(): void {
    const { history } = this.#host;
    if (this.#position < this.#host.lostThrough()) {
      this.end('expired');
      return;
    }
    if (this.#position < history.oldestRevision) {
      this.#catchUp().catch(() => undefined); // The catch-up has ended the watch with the reason.
      return;
    }
    const events = history.after(this.#position, CHUNK_ITEMS);
    const items = this.#itemsOf(events);
    this.#position = events.at(-1)?.rev ?? this.#position;
    if (items.length > 0) this.#deliver(items);
    if (!this.open) return;
    if (events.length === 0) {
      this.#phase = 'live';
      this.#host.addLive(this);
    } else if (!this.#blocked) this.#host.scheduleFlush(this);
  }

  #catchUp(): Promise<void> {
    this.#phase = 'catchingUp';
    return this.#host.catchUp(this);
  }

  /** Drops the pending items, which the event history contains. */
  #fallBehind(): void {
    this.#pending = NO_ITEMS;
    this.#pendingBytes = 0;
    this.#host.removeLive(this);
    this.#phase = 'behind';
  }

  #notifyEnd(reason: WatchEnd): void {
    try {
      this.#sink.end(reason);
    } catch (error) {
      this.#host.failed(error);
    }
  }

  #detach(end: WatchEnd | undefined): boolean {
    if (this.#phase === 'ended') return false;
    if (this.#phase === 'live') this.#host.removeLive(this);
    this.#phase = 'ended';
    this.#pending = NO_ITEMS;
    this.#initial = undefined;
    this.#unregister?.();
    this.#host.removeWatcher(this, end);
    this.#onResume?.();
    return true;
  }
}

/** A synthetic ADDED event for an object of the start state. */
function initialItem(object: CachedObject): WatchItem {
  return {
    type: 'ADDED',
    rev: object.rev,
    object,
    encoded: (encoder: EventEncoder) => encoder.encode('ADDED', object),
  };
}
