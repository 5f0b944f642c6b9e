import type { Transferable } from 'node:worker_threads';
import type { Cancel, Clock } from '@orch/machinery';
import { type SideWrite, sideWritesOf } from '../extensions/write-extensions.ts';
import { type Committed, type KvEvent, StoreError, type Write } from '../store.ts';
import { FULL_MESSAGE } from './database/sqlite.ts';
import { encodeBatch, guardKeyLength, Results, sideBytes, type TimedWrite } from './writer/batch-codec.ts';
import type { Progress, Request } from './writer/protocol.ts';
import type { Answer } from './writer/sent-requests.ts';

export interface CommitQueueOptions {
  readonly clock: Clock;
  /** Sends a batch to the writer. */
  readonly send: (request: Request, transfer: Transferable[]) => Promise<Answer>;
  /** Called with the events of every durable batch, before its commits resolve. */
  readonly committed: (events: readonly KvEvent[], progress: Progress) => void;
  /** Commits that would exceed this number of queued bytes are refused with `unavailable`. */
  readonly maxQueuedBytes: number;
}

interface Pending extends TimedWrite {
  readonly signal: AbortSignal;
  readonly resolve: (committed: Committed) => void;
  readonly reject: (reason: unknown) => void;
  /** The commit was rejected already: its deadline passed. */
  gone: boolean;
}

/** Limits of one transaction: they bound its duration and its buffer. */
const MAX_BATCH_WRITES = 1024;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/** Minimum weight of a write in the queue: it bounds the number of writes. */
const WRITE_OVERHEAD_BYTES = 512;

/** Interval at which pending commits are checked for passed deadlines. */
const DEADLINE_CHECK_MS = 100;

/**
 * Collects commits into batches: while one is being written, the next one is collected. All commits of one tick of the
 * event loop share a batch.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  #queued: Pending[] = [];
  #queuedBytes = 0;
  #inFlight: readonly Pending[] = [];
  #scheduled = false;
  #cancelCheck: Cancel | undefined;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  push(write: Write, expires: number | undefined, signal: AbortSignal): Promise<Committed> {
    const bytes = weight(write);
    if (this.#queuedBytes + bytes > this.#options.maxQueuedBytes) {
      const message = `${this.#queued.length} writes are already waiting for the disk`;
      return Promise.reject(new StoreError('unavailable', message));
    }
    this.#queuedBytes += bytes;
    return new Promise((resolve, reject) => {
      this.#queued.push({ write, expires, signal, resolve, reject, gone: false });
      this.#schedule();
    });
  }

  /** Rejects commits that were not sent yet. The writer answers the others. */
  rejectQueued(error: StoreError): void {
    const queued = this.#queued;
    this.#queued = [];
    this.#queuedBytes = 0;
    for (const pending of queued) pending.reject(error);
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight.length > 0 || this.#queued.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    const batch = this.#take();
    if (batch.length === 0) return;
    this.#inFlight = batch;
    this.#watchDeadlines();
    const { meta, bytes } = encodeBatch(batch);
    try {
      const request = { type: 'batch', meta, bytes } as const;
      const answer = await this.#options.send(request, [meta.buffer, bytes.buffer]);
      if (answer.type !== 'committed') throw new Error(`the writer answered ${answer.type} to a batch`);
      this.#resolve(batch, answer);
    } catch (error) {
      for (const pending of batch) if (!pending.gone) pending.reject(error);
    }
    this.#inFlight = [];
    this.#schedule();
  }

  /** Removes the next batch from the queue; commits whose signals have aborted are rejected. */
  #take(): Pending[] {
    const batch: Pending[] = [];
    let bytes = 0;
    let taken = 0;
    while (taken < this.#queued.length && batch.length < MAX_BATCH_WRITES) {
      const pending = this.#queued[taken];
      if (pending === undefined) break;
      const own = weight(pending.write);
      if (batch.length > 0 && bytes + own > MAX_BATCH_BYTES) break;
      taken++;
      this.#queuedBytes -= own;
      if (pending.signal.aborted) {
        pending.reject(pending.signal.reason);
      } else {
        bytes += own;
        batch.push(pending);
      }
    }
    this.#queued = taken === this.#queued.length ? [] : this.#queued.slice(taken);
    return batch;
  }

  #resolve(batch: readonly Pending[], answer: Extract<Answer, { type: 'committed' }>): void {
    const events: KvEvent[] = [];
    const results = new Results(answer.results);
    for (const [index, { write }] of batch.entries()) {
      const rev = results.wonAt(index);
      if (rev === 0) continue;
      events.push(eventOf(write, rev, results.createRevision(index)));
      const also = sideWritesOf(write);
      if (also !== undefined) events.push(...sideEvents(also, rev, results.wonAlone(index)));
    }
    this.#options.committed(events, answer);
    for (const [index, pending] of batch.entries()) {
      if (results.wasRefused(index)) pending.reject(new StoreError('full', FULL_MESSAGE));
      else pending.resolve(results.committed(index, pending.write.key, answer.currents?.get(index)));
    }
  }

  /**
   * Rejects pending commits whose deadline passed while the disk did not answer. One timer serves all of them: that
   * costs less per commit than a listener on every signal.
   */
  #watchDeadlines(): void {
    this.#cancelCheck ??= this.#options.clock.schedule(DEADLINE_CHECK_MS, () => {
      this.#cancelCheck = undefined;
      if (this.#inFlight.length === 0) return;
      for (const pending of this.#inFlight) {
        if (pending.gone || !pending.signal.aborted) continue;
        pending.gone = true;
        const options = { cause: pending.signal.reason };
        pending.reject(new StoreError('outcomeUnknown', 'the deadline passed during the commit', options));
      }
      const waiting = this.#queued.filter((pending) => !pending.signal.aborted);
      for (const pending of this.#queued) if (pending.signal.aborted) pending.reject(pending.signal.reason);
      this.#queued = waiting;
      this.#queuedBytes = waiting.reduce((sum, pending) => sum + weight(pending.write), 0);
      this.#watchDeadlines();
    });
  }
}

function weight(write: Write): number {
  const keys = write.key.length + guardKeyLength(write);
  return WRITE_OVERHEAD_BYTES + keys + sideBytes(write) + (write.op === 'delete' ? 0 : write.value.length);
}

function eventOf(write: Write, rev: number, createRevision: number): KvEvent {
  if (write.op === 'delete') return { type: 'delete', key: write.key, modRevision: rev };
  return { type: 'put', kv: { key: write.key, value: write.value, createRevision, modRevision: rev } };
}

/** Each of those that were written has taken a revision after that of the write. */
function sideEvents(also: readonly SideWrite[], rev: number, onlyDeletes: boolean): KvEvent[] {
  const written = onlyDeletes ? also.filter(({ value }) => value === undefined) : also;
  return written.map(({ key, value }, i) => {
    const modRevision = rev + 1 + i;
    return value === undefined
      ? { type: 'delete', key, modRevision }
      : { type: 'put', kv: { key, value, createRevision: rev, modRevision } };
  });
}
