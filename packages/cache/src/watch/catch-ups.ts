import {
  abortable,
  anySignal,
  DeadlineExceeded,
  type Deferred,
  deferred,
  type ScopedSignal,
  type Semaphore,
  sleep,
  withDeadline,
  yieldToEventLoop,
} from '@orch/machinery/concurrency';
import { prefixRange, type Revision, StoreError, type WatchBatch } from '@orch/storage';
import type { WatchEnd } from '../types.ts';
import type { CacheEvent } from './cache-event.ts';
import { type HistoricObjects, HistoryEvents, type HistoryEventsContext } from './history-events.ts';

/** A watcher that is behind the event history, as its catch-up sees it. */
export interface CatchUpWatcher {
  /** Every matching event at or before this revision was delivered. */
  readonly position: Revision;
  readonly open: boolean;
  /** The sink refuses items until its next `resume`. */
  readonly blocked: boolean;
  inScope(key: string): boolean;
  /** Takes the events up to `rev`, complete and in order. The watcher skips those at or before its position. */
  takeHistory(events: readonly CacheEvent[], rev: Revision): void;
  /** The watcher continues from the event history, or begins another catch-up if it is still behind. */
  leaveCatchUp(): void;
  /** Sets or clears the callback of the next `resume`. */
  onResume(callback: (() => void) | undefined): void;
  end(reason: WatchEnd): void;
}

/** The parts of a resource's cache that catch-ups use. */
export interface CatchUpContext extends HistoryEventsContext {
  readonly state: HistoricObjects & { readonly history: { readonly oldestRevision: Revision } };
  /** Bounds the catch-ups of all resources together. */
  readonly permits: Semaphore;
  readonly signal: AbortSignal;
  /** Aborts when the resource is removed: its watchers have ended, and watches that are starting fail with the reason. */
  readonly removed: AbortSignal;
  readonly retryMs: number;
  /** Time without data from the store after which its history counts as lost. */
  readonly silenceMs: number;
  failed(error: unknown): void;
}

/** Time that a catch-up waits for a member to resume when all of them are blocked. */
const RESUME_WAIT_MS = 1000;

/**
 * Serves watchers that resume from a revision older than the event history, from the store's own history. Watchers that
 * can share one watch of the store form a group.
 */
export class CatchUps {
  readonly #context: CatchUpContext;
  readonly #groups = new Set<Group>();

  constructor(context: CatchUpContext) {
    this.#context = context;
  }

  /**
   * Brings the watcher up to the event history. Resolves when the store was found to have the watcher's history; rejects
   * with `compacted` when it does not, after the watch was ended as `expired`.
   */
  add(watcher: CatchUpWatcher): Promise<void> {
    for (const group of this.#groups) {
      const started = group.add(watcher);
      if (started !== undefined) return started;
    }
    const group = new Group(this.#context, () => this.#groups.delete(group));
    this.#groups.add(group);
    return group.add(watcher) ?? Promise.reject(new StoreError('unavailable', 'the catch-up ended'));
  }
}

/** Watchers that share one watch of the store. */
class Group {
  readonly #context: CatchUpContext;
  /** Each member with the promise that its `add` returned. */
  readonly #members = new Map<CatchUpWatcher, Deferred<void>>();
  #position: Revision = Number.POSITIVE_INFINITY;
  readonly #scope: ScopedSignal;
  #started = false;
  #ended = false;

  constructor(context: CatchUpContext, ended: () => void) {
    this.#context = context;
    this.#scope = anySignal([context.signal, context.removed]);
    void this.#run().finally(() => {
      this.#scope[Symbol.dispose]();
      ended();
    });
  }

  /** Undefined when the group is past the watcher's position. */
  add(watcher: CatchUpWatcher): Promise<void> | undefined {
    if (this.#ended || (this.#started && watcher.position < this.#position)) return undefined;
    this.#position = Math.min(this.#position, watcher.position);
    const started = deferred();
    this.#members.set(watcher, started);
    return started.promise;
  }

  async #run(): Promise<void> {
    // Watchers that resume in the same tick become members before the watch of the store starts.
    await yieldToEventLoop();
    try {
      await this.#context.permits.run(this.#scope.signal, () => this.#readStoreHistory());
      this.#ended = true;
    } catch (error) {
      this.#ended = true;
      await this.#fail(error);
    }
    for (const [watcher, started] of this.#members) {
      started.resolve();
      watcher.leaveCatchUp();
    }
  }

  /** Reads the store's history until the event history continues it. */
  async #readStoreHistory(): Promise<void> {
    const { store, state } = this.#context;
    const { signal } = this.#scope;
    this.#started = true;
    using scope = anySignal([signal]);
    const range = prefixRange(state.resource.prefix);
    const batches = store.watch(range, this.#position, scope.signal)[Symbol.asyncIterator]();
    const history = new HistoryEvents(this.#context, (key) => this.#selects(key));
    try {
      while (this.#position < state.history.oldestRevision && (await this.#hasReadyMember())) {
        const batch = await this.#next(batches);
        // Before the first await: a watcher added from now on must be past this batch, since the batch's events are
        // selected for the current members.
        this.#position = batch.rev;
        const events = await history.of(batch, signal);
        await this.#confirmStarted();
        for (const watcher of this.#members.keys()) watcher.takeHistory(events, batch.rev);
      }
    } finally {
      scope.abort();
      // The abort ends the watch of the store. Awaiting that would let a slow store delay the members.
      Promise.resolve(batches.return?.()).catch(() => undefined);
    }
  }

  /** Resolves the promises of new members, so that their callers have the handle before the first delivery. */
  async #confirmStarted(): Promise<void> {
    let waited = false;
    for (const started of this.#members.values()) {
      waited ||= !started.settled;
      started.resolve();
    }
    if (waited) await yieldToEventLoop();
  }

  /** The next batch. A timeout counts as lost history, since silence does not prove that there were no events. */
  async #next(batches: AsyncIterator<WatchBatch>): Promise<WatchBatch> {
    const { clock, silenceMs } = this.#context;
    using limit = withDeadline(this.#scope.signal, clock, silenceMs);
    const next = await abortable(batches.next(), limit.signal).catch((error: unknown) => {
      if (!(error instanceof DeadlineExceeded)) throw error;
      throw new StoreError('compacted', `the store has sent no history after ${this.#position}`, {
        cause: error,
      });
    });
    if (next.done === true) throw new StoreError('unavailable', 'the watch of the store ended');
    return next.value;
  }

  /**
   * Removes blocked members, which begin another catch-up when they resume, so that they delay neither the other members
   * nor the permit. When all members are blocked, waits a short time first. False when no member is left.
   */
  async #hasReadyMember(): Promise<boolean> {
    for (const [watcher, started] of this.#members) {
      if (watcher.open) continue;
      this.#members.delete(watcher);
      started.resolve();
    }
    const blocked = [...this.#members.keys()].filter((watcher) => watcher.blocked);
    if (blocked.length > 0 && blocked.length === this.#members.size) await this.#waitForResume(blocked);
    for (const watcher of blocked) {
      if (!watcher.blocked) continue;
      this.#members.delete(watcher);
      watcher.leaveCatchUp();
    }
    return this.#members.size > 0;
  }

  /** Waits until one of the watchers resumes, at most `RESUME_WAIT_MS`. */
  async #waitForResume(blocked: readonly CatchUpWatcher[]): Promise<void> {
    const resumed = deferred();
    for (const watcher of blocked) watcher.onResume(() => resumed.resolve());
    const { signal } = this.#scope;
    using limit = withDeadline(signal, this.#context.clock, RESUME_WAIT_MS);
    await abortable(resumed.promise, limit.signal).catch(() => signal.throwIfAborted());
    for (const watcher of blocked) watcher.onResume(undefined);
  }

  #selects(key: string): boolean {
    for (const watcher of this.#members.keys()) if (watcher.inScope(key)) return true;
    return false;
  }

  /**
   * Ends members whose history is lost. The promises of new members reject with the error; the other members try again
   * after `retryMs`.
   */
  async #fail(error: unknown): Promise<void> {
    const { clock, retryMs, failed } = this.#context;
    const { signal } = this.#scope;
    for (const [watcher, started] of this.#members) {
      const lost = isLost(error, watcher.position);
      if (signal.aborted) watcher.end('drained');
      else if (lost) watcher.end('expired');
      if (lost || signal.aborted || !isCompacted(error)) started.reject(error);
    }
    if (signal.aborted || isCompacted(error)) return;
    failed(error);
    await sleep(clock, retryMs, signal).catch(() => undefined);
  }
}

function isCompacted(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === 'compacted';
}

/** Reports whether the history after `position` is lost. Unexpected errors count as loss, so that the client lists again. */
function isLost(error: unknown, position: Revision): boolean {
  if (isCompacted(error)) return position < (error.compactRevision ?? Number.POSITIVE_INFINITY);
  return !(error instanceof StoreError) || error.code !== 'unavailable';
}
