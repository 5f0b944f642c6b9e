import type { Revision } from '@orch/storage';
import type { WatchEnd } from '../types.ts';
import type { EventHistory } from './event-history.ts';
import type { Watcher } from './watcher.ts';

/** What a watcher needs of the cache of its resource. */
export interface WatcherHost {
  readonly limits: WatcherLimits;
  readonly history: EventHistory;
  /** The revision up to which every event was offered to live watchers. */
  revision(): Revision;
  /** Changes at or before this revision were lost to the cache, those after it were not. */
  lostThrough(): Revision;
  monotonic(): number;
  /** Calls `turn` of the watcher in the next turn of the event loop. */
  wake(watcher: Watcher): void;
  /** Begins and stops to offer events as they come. */
  addLive(watcher: Watcher): void;
  removeLive(watcher: Watcher): void;
  /**
   * Brings a watcher that is behind the window up to it from the store. Rejects when that is not possible; the watch
   * has ended by then.
   */
  catchUp(watcher: Watcher): Promise<void>;
  /** The watcher ended or was closed. */
  forget(watcher: Watcher, end: WatchEnd | undefined): void;
  /** The sink or the filter threw. */
  failed(error: unknown): void;
}

export interface WatcherLimits {
  readonly watcherItems: number;
  readonly watcherBytes: number;
  readonly stallMs: number;
  readonly bookmarkMs: number;
}
