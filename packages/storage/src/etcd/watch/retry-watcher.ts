import type { Clock, Logger, Random } from '@orch/machinery';
import { Backoff, sleep } from '@orch/machinery/concurrency';
import type { WatchRange } from '../../keys.ts';
import { type Revision, StoreError, type WatchBatch } from '../../store.ts';
import type { EtcdClient } from '../client/etcd-client.ts';
import { refusalOf, storeErrorOf } from '../client/etcd-error.ts';
import { answersProgressInOrder } from '../client/member-version.ts';
import type { RevisionTracker } from '../client/revision-tracker.ts';
import { RpcError } from '../rpc/status.ts';
import { ProgressPrompter } from './progress-prompter.ts';
import { SharedFeed } from './shared-feed.ts';
import { type SessionEnd, WatchSession } from './watch-session.ts';

export interface RetryWatcherOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly tracker: RevisionTracker;
  /** A readable key, for requests about revisions. */
  readonly probeKey: string;
  /** Timeout for the server's confirmation of a watch. */
  readonly createTimeoutMs: number;
}

/** How a session is opened: depends on the version of the member. */
interface Plan {
  readonly wide: SharedFeed | undefined;
  readonly promptProgress: boolean;
  readonly memberId: string;
}

const BASE_DELAY_MS = 20;
const MAX_DELAY_MS = 2000;
/** A session of this duration resets the backoff, even without events. */
const STEADY_MS = 5000;

/**
 * Watches that are resumed after the loss of streams, connections and members. The position from which a watch is
 * resumed is that of the last delivered batch.
 *
 * There are two ways to get progress. Members that answer progress requests in order with events receive such
 * requests. For older members the watch covers all keys of the store, so that every revision is received, and other
 * keys are filtered here; such watches share one stream once they have reached the same revision. Where the user may not read all keys, only etcd's rare notifications remain.
 */
export class RetryWatcher {
  readonly #options: RetryWatcherOptions;
  readonly #feed = new SharedFeed();
  #mayWatchAll = true;
  #closed = false;

  constructor(options: RetryWatcherOptions) {
    this.#options = options;
  }

  close(): void {
    this.#closed = true;
  }

  async *watch(range: WatchRange, after: Revision, signal: AbortSignal): AsyncGenerator<WatchBatch> {
    const backoff = new Backoff(this.#options, BASE_DELAY_MS, MAX_DELAY_MS);
    let delivered = after;
    while (!signal.aborted) {
      if (this.#closed) throw closedError();
      let end: SessionEnd | 'again';
      const begun = this.#options.clock.monotonic();
      try {
        using opened = await this.#open(range, delivered, signal);
        for (
          let batch = await opened.session.next();
          batch !== undefined;
          batch = await opened.session.next()
        ) {
          if (signal.aborted) return;
          delivered = batch.rev;
          backoff.reset();
          yield batch;
        }
        end = opened.session.end ?? 'again';
      } catch (error) {
        if (signal.aborted) return;
        end = retryable(error);
      }
      if (signal.aborted) return;
      if (this.#closed) throw closedError();
      if (end !== 'again' && end.kind === 'compacted') throw compacted(end.compactRevision, delivered);
      if (end !== 'again' && end.kind === 'moving') continue;
      if (this.#options.clock.monotonic() - begun >= STEADY_MS) backoff.reset();
      await this.#pause(backoff.next(), end, signal);
    }
  }

  /** The revision at which the store's history starts, when `rev` is compacted. */
  async compactRevision(rev: Revision, signal: AbortSignal): Promise<Revision | undefined> {
    const { probeKey, createTimeoutMs, clock } = this.#options;
    const range = { start: probeKey, end: `${probeKey}\0` };
    const session = new WatchSession(this.#options.client, {
      range,
      after: Math.max(0, rev - 1),
      wide: undefined,
      timeoutMs: createTimeoutMs,
      clock,
    });
    const stop = this.#closeAfter(session, signal);
    try {
      // The server confirms the watch first, and ends it right after when its start is compacted.
      await session.created();
      await session.next();
      return session.end?.kind === 'compacted' ? session.end.compactRevision : undefined;
    } finally {
      stop();
      session.close();
    }
  }

  /** Resolves with a session that the server has confirmed and that misses no event. */
  async #open(range: WatchRange, after: Revision, signal: AbortSignal): Promise<OpenSession> {
    const plan = await this.#plan(signal);
    const { client, clock, tracker, createTimeoutMs: timeoutMs } = this.#options;
    const session = new WatchSession(client, { range, after, wide: plan.wide, timeoutMs, clock });
    const opened = new OpenSession(session, signal);
    const stop = this.#closeAfter(session, signal);
    try {
      const created = await session.created();
      // The session may be with another, older member.
      if (plan.promptProgress && created !== undefined && created.memberId !== plan.memberId) session.close();
      if (session.end === undefined) await this.#checkHistory(after, signal);
      if (plan.promptProgress && session.end === undefined)
        opened.use(new ProgressPrompter(clock, tracker, session));
      return opened;
    } catch (error) {
      opened[Symbol.dispose]();
      throw error;
    } finally {
      stop();
    }
  }

  async #plan(signal: AbortSignal): Promise<Plan> {
    const { client, createTimeoutMs: timeoutMs } = this.#options;
    await client.authenticate({ timeoutMs, signal });
    const { version, memberId } = await client.status({ timeoutMs, signal });
    const promptProgress = answersProgressInOrder(version);
    return { promptProgress, memberId, wide: promptProgress || !this.#mayWatchAll ? undefined : this.#feed };
  }

  /**
   * Verifies that no event after `after` was compacted when the watch started. etcd refuses to watch only from before
   * the compacted revision, but has already removed deletions at exactly that revision (etcd issue 19179).
   */
  async #checkHistory(after: Revision, signal: AbortSignal): Promise<void> {
    if (after === 0) return;
    const { client, probeKey, createTimeoutMs: timeoutMs } = this.#options;
    try {
      const read = { key: probeKey, revision: after, countOnly: true };
      this.#options.tracker.observe((await client.range(read, { timeoutMs, signal })).revision);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === 'futureRevision') return;
      if (refusal === 'compacted') throw compacted(await this.compactRevision(after, signal), after);
      throw error;
    }
  }

  async #pause(delayMs: number, end: SessionEnd | 'again', signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    if (end !== 'again' && end.kind === 'refused') await this.#onRefused(end.reason, signal);
    if (end !== 'again' && end.kind === 'lost') {
      const fields = { reason: end.error?.message, delayMs };
      // A rejection is not temporary.
      if (refusalOf(end.error) === 'rejected') log.warn('etcd rejects the requests of a watch', fields);
      else log.debug(1, 'resuming a watch', fields);
    }
    await sleep(this.#options.clock, delayMs, signal).catch(() => undefined);
  }

  /** etcd reports "permission denied" for an unknown token, and for keys that the user may not read. */
  async #onRefused(reason: string, signal: AbortSignal): Promise<void> {
    const { client, createTimeoutMs: timeoutMs } = this.#options;
    this.#options.log.warn('etcd refused a watch', { reason });
    if (!reason.includes('permission denied')) return;
    const options = { timeoutMs, signal };
    const before = await client.authenticate(options).catch(() => undefined);
    if (before === undefined) return;
    // A call that checks the token replaces it when it has expired.
    await client.range({ key: this.#options.probeKey, countOnly: true }, options).catch(() => undefined);
    const now = await client.authenticate(options).catch(() => undefined);
    if (now === before) this.#mayWatchAll = false;
  }

  /** Closes a session that is not confirmed in time, or whose signal aborts. */
  #closeAfter(session: WatchSession, signal: AbortSignal): () => void {
    const close = () => session.close();
    const cancel = this.#options.clock.schedule(this.#options.createTimeoutMs, close);
    signal.addEventListener('abort', close);
    if (signal.aborted) close();
    return () => {
      cancel();
      signal.removeEventListener('abort', close);
    };
  }
}

/** A session, and resources that are released with it. */
class OpenSession implements Disposable {
  readonly session: WatchSession;
  readonly #signal: AbortSignal;
  readonly #close = () => this.session.close();
  #prompter: Disposable | undefined;

  constructor(session: WatchSession, signal: AbortSignal) {
    this.session = session;
    this.#signal = signal;
    signal.addEventListener('abort', this.#close);
  }

  use(prompter: Disposable): void {
    this.#prompter = prompter;
  }

  [Symbol.dispose](): void {
    this.#signal.removeEventListener('abort', this.#close);
    this.#prompter?.[Symbol.dispose]();
    this.session.close();
  }
}

/** Temporary failures to open a session are retried; others are thrown as errors of the store. */
function retryable(error: unknown): SessionEnd {
  if (error instanceof RpcError && error.failure !== 'closed') return { kind: 'lost', error };
  throw storeErrorOf(error);
}

function compacted(compactRevision: Revision | undefined, after: Revision): StoreError {
  const message = `history after revision ${after} was compacted through ${compactRevision ?? 'a later revision'}`;
  return new StoreError('compacted', message, compactRevision === undefined ? {} : { compactRevision });
}

function closedError(): StoreError {
  return new StoreError('closed', 'the store was closed');
}
