import {
  abortable,
  anySignal,
  DeadlineExceeded,
  type Deferred,
  deferred,
  type Semaphore,
  sleep,
  withDeadline,
} from '@orch/machinery';
import { prefixRange, type Revision, StoreError, type WatchBatch } from '@orch/storage';
import { nextTick } from './flush-scheduler.ts';
import { HistoryEvents, type HistoryEventsContext } from './history-events.ts';
import type { Watcher } from './watcher.ts';

/** What catching up needs of its surroundings. */
export interface CatchUpContext extends HistoryEventsContext {
  /** Bounds the catch-ups of all resources together. */
  readonly permits: Semaphore;
  readonly signal: AbortSignal;
  readonly retryMs: number;
  /** How long the store may stay silent before its history is given up. */
  readonly silenceMs: number;
  failed(error: unknown): void;
}

/** How long a catch-up waits for members none of whom takes anything. */
const MOMENT_MS = 1000;

/**
 * Serves watchers that resume from before the event history, from the store's own history: one watch of the store for
 * all that can share it.
 */
export class CatchUps {
  readonly #context: CatchUpContext;
  readonly #groups = new Set<Group>();

  constructor(context: CatchUpContext) {
    this.#context = context;
  }

  /**
   * Takes the watcher up to the window. Resolves when its history was found to be there; rejects with `compacted` when
   * the store does not have it, after the watch was ended as `expired`.
   */
  join(watcher: Watcher): Promise<void> {
    for (const group of this.#groups) {
      const admitted = group.admit(watcher);
      if (admitted !== undefined) return admitted;
    }
    const group = new Group(this.#context, () => this.#groups.delete(group));
    this.#groups.add(group);
    return group.admit(watcher) ?? Promise.reject(new StoreError('unavailable', 'the catch-up ended'));
  }
}

/** Watchers that share one watch of the store. */
class Group {
  readonly #context: CatchUpContext;
  /** Each member with what its `join` waits for. */
  readonly #members = new Map<Watcher, Deferred<void>>();
  #position: Revision = Number.POSITIVE_INFINITY;
  #started = false;
  #ended = false;

  constructor(context: CatchUpContext, ended: () => void) {
    this.#context = context;
    void this.#run().finally(ended);
  }

  /** Undefined when the group is past what the watcher needs. */
  admit(watcher: Watcher): Promise<void> | undefined {
    if (this.#ended || (this.#started && watcher.position < this.#position)) return undefined;
    this.#position = Math.min(this.#position, watcher.position);
    const found = deferred();
    this.#members.set(watcher, found);
    return found.promise;
  }

  async #run(): Promise<void> {
    // Whoever resumes in the same turn starts with it.
    await nextTick();
    try {
      await this.#context.permits.run(this.#context.signal, () => this.#subscribe());
      this.#ended = true;
    } catch (error) {
      this.#ended = true;
      await this.#fail(error);
    }
    for (const [watcher, found] of this.#members) {
      found.resolve();
      watcher.leaveCatchUp();
    }
  }

  /** Follows the store's history until the window has what comes after. */
  async #subscribe(): Promise<void> {
    const { store, state, signal } = this.#context;
    this.#started = true;
    using scope = anySignal([signal]);
    const range = prefixRange(state.resource.prefix);
    const batches = store.watch(range, this.#position, scope.signal)[Symbol.asyncIterator]();
    const history = new HistoryEvents(this.#context, (key) => this.#wants(key));
    try {
      while (this.#position < state.history.oldestRevision && (await this.#someoneReady())) {
        const batch = await this.#next(batches);
        // At once: whoever joins from here on must be past this batch, whose events are chosen for those who are in.
        this.#position = batch.rev;
        const events = await history.of(batch, signal);
        await this.#found();
        for (const watcher of this.#members.keys()) watcher.takeHistory(events, batch.rev);
      }
    } finally {
      scope.abort();
      // The abort ends the watch; a store that is slow to notice must not hold the others up.
      Promise.resolve(batches.return?.()).catch(() => undefined);
    }
  }

  /** Whoever began a watch gets its handle before the first delivery. */
  async #found(): Promise<void> {
    let waited = false;
    for (const found of this.#members.values()) {
      waited ||= !found.settled;
      found.resolve();
    }
    if (waited) await nextTick();
  }

  /** A store that says nothing gives no proof that nothing is missing. */
  async #next(batches: AsyncIterator<WatchBatch>): Promise<WatchBatch> {
    const { clock, silenceMs, signal } = this.#context;
    using limit = withDeadline(signal, clock, silenceMs);
    const next = await abortable(batches.next(), limit.signal).catch((error: unknown) => {
      if (!(error instanceof DeadlineExceeded)) throw error;
      throw new StoreError('compacted', `the store has told no history after ${this.#position}`, {
        cause: error,
      });
    });
    if (next.done === true) throw new StoreError('unavailable', 'the watch of the store ended');
    return next.value;
  }

  /**
   * Members that take nothing now leave and come back when they do: nobody is kept waiting by them, and no permit. When
   * there are no others, they get a moment. False when nobody is left.
   */
  async #someoneReady(): Promise<boolean> {
    for (const watcher of this.#members.keys()) if (!watcher.open) this.#members.delete(watcher);
    const blocked = [...this.#members.keys()].filter((watcher) => watcher.blocked);
    if (blocked.length > 0 && blocked.length === this.#members.size) await this.#aMoment(blocked);
    for (const watcher of blocked) {
      if (!watcher.blocked) continue;
      this.#members.delete(watcher);
      watcher.leaveCatchUp();
    }
    return this.#members.size > 0;
  }

  /** Waits until one of the watchers resumes, but not for long. */
  async #aMoment(blocked: readonly Watcher[]): Promise<void> {
    const resumed = deferred();
    for (const watcher of blocked) watcher.onResume(() => resumed.resolve());
    const { clock, signal } = this.#context;
    using limit = withDeadline(signal, clock, MOMENT_MS);
    await abortable(resumed.promise, limit.signal).catch(() => signal.throwIfAborted());
    for (const watcher of blocked) watcher.onResume(undefined);
  }

  #wants(key: string): boolean {
    for (const watcher of this.#members.keys()) if (watcher.inScope(key)) return true;
    return false;
  }

  /** Ends those whose history is gone; those who began just now learn why, the others try again in a while. */
  async #fail(error: unknown): Promise<void> {
    const { signal, clock, retryMs, failed } = this.#context;
    for (const [watcher, found] of this.#members) {
      const lost = isLost(error, watcher.position);
      if (signal.aborted) watcher.end('drained');
      else if (lost) watcher.end('expired');
      if (lost || signal.aborted || !isCompacted(error)) found.reject(error);
    }
    if (signal.aborted || isCompacted(error)) return;
    failed(error);
    await sleep(clock, retryMs, signal).catch(() => undefined);
  }
}

function isCompacted(error: unknown): error is StoreError {
  return error instanceof StoreError && error.code === 'compacted';
}

/** Is what follows `position` gone? Errors that nobody foresaw count as loss: the client must list again. */
function isLost(error: unknown, position: Revision): boolean {
  if (isCompacted(error)) return position < (error.compactRevision ?? Number.POSITIVE_INFINITY);
  return !(error instanceof StoreError) || error.code !== 'unavailable';
}
