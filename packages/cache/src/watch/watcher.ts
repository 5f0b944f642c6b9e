import { onAbort } from '@orch/machinery';
import type { Revision } from '@orch/storage';
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
import type { FlushTask } from './flush-scheduler.ts';
import type { WatcherHost } from './watcher-host.ts';
import type { EventSubscriber } from './watcher-index.ts';

/**
 * - `initial`: gets synthetic ADDED events of the state it began with.
 * - `behind`: reads the event history from its position on.
 * - `catchingUp`: gets history from the store, until the window has what follows.
 * - `live`: is offered events as they come; they wait in `#pending` for the next turn.
 */
type Phase = 'initial' | 'behind' | 'catchingUp' | 'live' | 'ended';

const CHUNK_ITEMS = 256;
const ITEM_OVERHEAD_BYTES = 64;

/** What waits for a watch that is up to date: shared, so nothing is ever added to it. */
const nothing: WatchItem[] = [];

/**
 * One watch. It is never given an event twice, never misses one, and holds no more than its bounds: what does not fit
 * is read from the event history later, and when that has moved on, from the store. A sink that takes nothing for too
 * long ends the watch as `slow`.
 */
export class Watcher implements EventSubscriber, FlushTask, WatchHandle {
  readonly scope: Scope;
  readonly filter: ObjectFilter;
  queued = false;
  readonly #host: WatcherHost;
  readonly #sink: WatchSink;
  readonly #bookmarks: boolean;
  #phase: Phase = 'behind';
  /** Everything that matches at or before it was delivered; while live, holds only as of the first pending item. */
  #position: Revision = 0;
  #initial:
    | {
        readonly pages: Iterator<readonly StoredObject[]>;
        readonly rev: Revision;
        readonly announce: boolean;
      }
    | undefined;
  #pending: WatchItem[] = nothing;
  #pendingBytes = 0;
  #blocked = false;
  #blockedAt = 0;
  #lastSentAt: number;
  #onResume: (() => void) | undefined;
  /** Whoever began the watch still waits for it, and is told of its end there: the sink is not. */
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

  /** The sink wants nothing more until `resume`. */
  get blocked(): boolean {
    return this.#blocked;
  }

  get open(): boolean {
    return this.#phase !== 'ended';
  }

  /**
   * Resolves when the watch stands, rejects when its history is gone. Nothing is delivered before the next turn, so
   * that the caller has the handle by then.
   */
  async startAfter(rev: Revision): Promise<void> {
    this.#position = rev;
    this.#phase = 'behind';
    if (rev < this.#host.history.oldestRevision) await this.#catchUp();
    else this.#host.wake(this);
  }

  /** `announce` asks for the bookmark that says that the initial events end. */
  startWithState(rev: Revision, pages: Iterator<readonly StoredObject[]>, announce: boolean): void {
    this.#position = rev;
    this.#phase = 'initial';
    this.#initial = { pages, rev, announce };
    this.#host.wake(this);
  }

  /** The caller has the watch from here on; it is closed when the signal aborts. */
  begun(signal: AbortSignal): void {
    this.#starting = false;
    const end = this.#endReason;
    if (end !== undefined) setImmediate(() => this.#tellEnd(end));
    if (this.open) this.#unregister = onAbort(signal, () => this.close());
  }

  offer(event: CacheEvent): void {
    if (event.rev <= this.#position || !this.inScope(event.key)) return;
    const item = event.itemFor(this.filter);
    if (item === undefined) return;
    this.#add(item, event.rev - 1);
    this.#pendingBytes += ITEM_OVERHEAD_BYTES + ((event.after ?? event.before)?.size ?? 0);
    const { watcherItems, watcherBytes } = this.#host.limits;
    if (this.#pending.length > watcherItems || this.#pendingBytes > watcherBytes) this.#fallBehind();
    if (!this.#blocked) this.#host.wake(this);
  }

  /** The first that waits says what everything before it is. An array of one is as small as can be, and usual. */
  #add(item: WatchItem, position: Revision): void {
    if (this.#pending === nothing) {
      this.#position = position;
      this.#pending = [item];
    } else this.#pending.push(item);
  }

  broke(error: unknown): void {
    this.#host.failed(error);
    this.end('expired');
  }

  flush(): void {
    if (this.#blocked) return;
    if (this.#phase === 'live') this.#flush();
    else if (this.#phase === 'initial') this.#nextInitial();
    else if (this.#phase === 'behind') this.#readHistory();
  }

  resume(): void {
    if (!this.#blocked) return;
    this.#blocked = false;
    this.#onResume?.();
    if (this.#phase !== 'live' || this.#pending.length > 0) this.#host.wake(this);
  }

  close(): void {
    this.#leave(undefined);
  }

  /** Ends the watch and tells the sink. */
  end(reason: WatchEnd): void {
    if (!this.#leave(reason)) return;
    this.#endReason = reason;
    if (!this.#starting) this.#tellEnd(reason);
  }

  /** A clean end: what waits is handed over whether or not the sink wants more, then a bookmark, then `drained`. */
  drain(): void {
    if (this.#phase === 'ended') return;
    const last = this.#phase === 'live' ? Math.max(this.#host.revision(), this.#position) : this.#position;
    const items = [...this.#pending];
    this.#pending = nothing;
    // While initial events are outstanding no revision is complete, so none can be promised.
    if (this.#bookmarks && this.#phase !== 'initial')
      items.push({ type: 'BOOKMARK', rev: last, initialEventsEnd: false });
    if (items.length > 0) this.#deliver(items);
    this.end('drained');
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
    if (!this.#bookmarks || this.#phase !== 'live' || now - this.#lastSentAt < bookmarkMs) return;
    const rev = this.#host.revision();
    // A watch that waits for a future revision was promised nothing before it.
    if (rev < this.#position) return;
    this.#add({ type: 'BOOKMARK', rev, initialEventsEnd: false }, rev);
    this.#host.wake(this);
  }

  /** Does the watch select the old or the new state? */
  selects(event: CacheEvent): boolean {
    return this.open && this.inScope(event.key) && event.itemFor(this.filter) !== undefined;
  }

  /**
   * History from the store, in order and complete up to `rev`. Events that the watcher has are skipped. Only while
   * catching up and not blocked.
   */
  takeHistory(events: readonly CacheEvent[], rev: Revision): void {
    if (this.#phase !== 'catchingUp' || rev <= this.#position) return;
    const items = this.#itemsOf(events);
    this.#position = rev;
    if (items.length > 0) this.#deliver(items);
  }

  /** The window has everything after the watcher's position, or the catch-up gave up: goes on from there. */
  leaveCatchUp(): void {
    if (this.#phase !== 'catchingUp') return;
    this.#phase = 'behind';
    if (!this.#blocked) this.#host.wake(this);
  }

  /** Calls back at the next `resume`. */
  onResume(callback: (() => void) | undefined): void {
    this.#onResume = callback;
  }

  inScope(key: string): boolean {
    const { exact, prefix } = this.scope;
    return exact === undefined ? prefix === '' || key.startsWith(prefix) : key === exact;
  }

  #itemsOf(events: readonly CacheEvent[]): WatchItem[] {
    const items: WatchItem[] = [];
    for (const event of events) {
      if (event.rev <= this.#position || !this.inScope(event.key)) continue;
      const item = event.itemFor(this.filter);
      if (item !== undefined) items.push(item);
    }
    return items;
  }

  #flush(): void {
    const items = this.#pending;
    if (items.length === 0) return;
    this.#pending = nothing;
    this.#pendingBytes = 0;
    this.#deliver(items);
  }

  /** Hands items over; the sink may close the watch, or refuse more, or fail. */
  #deliver(items: readonly WatchItem[]): void {
    const now = this.#host.monotonic();
    this.#lastSentAt = now;
    this.#blockedAt = now;
    // Blocked while the sink is asked: when it refuses but calls `resume` before it returns, the call counts.
    this.#blocked = true;
    try {
      if (this.#sink.deliver(items)) this.#blocked = false;
    } catch (error) {
      this.#host.failed(error);
      this.#leave(undefined);
    }
  }

  #nextInitial(): void {
    const initial = this.#initial;
    if (initial === undefined) return;
    const page = initial.pages.next();
    if (page.done !== true) {
      this.#deliver(page.value.map(synthetic));
    } else {
      this.#initial = undefined;
      this.#phase = 'behind';
      if (initial.announce) this.#deliver([{ type: 'BOOKMARK', rev: initial.rev, initialEventsEnd: true }]);
    }
    if (!this.#blocked && this.open) this.#host.wake(this);
  }

  /** Delivers the next part of the window, and goes live behind its end. */
  #readHistory(): void {
    const { history } = this.#host;
    if (this.#position < this.#host.lostThrough()) {
      this.end('expired');
      return;
    }
    if (this.#position < history.oldestRevision) {
      this.#catchUp().catch(() => undefined); // The watch has been ended with the reason.
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
    } else if (!this.#blocked) this.#host.wake(this);
  }

  #catchUp(): Promise<void> {
    this.#phase = 'catchingUp';
    return this.#host.catchUp(this);
  }

  /** Drops what waits: the window has it. */
  #fallBehind(): void {
    this.#pending = nothing;
    this.#pendingBytes = 0;
    this.#host.removeLive(this);
    this.#phase = 'behind';
  }

  #tellEnd(reason: WatchEnd): void {
    try {
      this.#sink.end(reason);
    } catch (error) {
      this.#host.failed(error);
    }
  }

  #leave(end: WatchEnd | undefined): boolean {
    if (this.#phase === 'ended') return false;
    if (this.#phase === 'live') this.#host.removeLive(this);
    this.#phase = 'ended';
    this.#pending = nothing;
    this.#initial = undefined;
    this.#unregister?.();
    this.#host.forget(this, end);
    this.#onResume?.();
    return true;
  }
}

/** An ADDED event that stands for the existence of an object. */
function synthetic(object: CachedObject): WatchItem {
  return {
    type: 'ADDED',
    rev: object.rev,
    object,
    encoded: (encoder: EventEncoder) => encoder.encode('ADDED', object),
  };
}
