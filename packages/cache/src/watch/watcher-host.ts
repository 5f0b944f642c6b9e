import type { Revision } from '@orch/storage';
import type { WatchEnd } from '../types.ts';
import type { CacheEvent } from './cache-event.ts';
import type { CatchUpWatcher } from './catch-ups.ts';
import type { EventHistory } from './event-history.ts';
import type { FlushTask } from './flush-scheduler.ts';
import type { EventSubscriber } from './watcher-index.ts';

/** A watcher as its host sees it. */
export interface HostedWatcher extends EventSubscriber, CatchUpWatcher, FlushTask {
  /** Ends the watch cleanly: pending items, a bookmark, `drained`. */
  drain(): void;
  /** As `drain`, for a resource that is removed: what the event history has is delivered too. */
  finish(): void;
  /** Ends the watch as `expired` after the events before a revision, as far as they are in memory. */
  endBefore(rev: Revision): void;
  /** Called about once a second. */
  tick(now: number): void;
  /** Delivers a bookmark to a watch that has them and is up to date. */
  bookmark(): void;
  inScope(key: string): boolean;
  /** Reports whether the watch selects the old or the new state of the event. */
  selects(event: CacheEvent): boolean;
}

/** The services that a watcher needs from the cache of its resource. */
export interface WatcherHost {
  readonly limits: WatcherLimits;
  readonly history: EventHistory;
  /** The revision up to which every event was offered to live watchers. */
  revision(): Revision;
  /** Events at or before this revision may have been missed by the cache; later ones were not. */
  lostThrough(): Revision;
  monotonic(): number;
  /** Calls `flush` of the watcher in the next tick. */
  scheduleFlush(watcher: HostedWatcher): void;
  /** From now on the watcher is offered each event as it arrives. */
  addLive(watcher: HostedWatcher): void;
  removeLive(watcher: HostedWatcher): void;
  /**
   * Brings a watcher that is behind the event history up to it from the store. Rejects when that is not possible, after
   * the watch has ended.
   */
  catchUp(watcher: HostedWatcher): Promise<void>;
  /** The watcher ended with a reason, or was closed. */
  removeWatcher(watcher: HostedWatcher, end: WatchEnd | undefined): void;
  /** The sink or the filter threw. */
  failed(error: unknown): void;
}

export interface WatcherLimits {
  readonly watcherItems: number;
  readonly watcherBytes: number;
  readonly stallMs: number;
  readonly bookmarkMs: number;
}
