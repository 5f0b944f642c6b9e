import type { Clock } from '@orch/machinery';
import { onAbort } from '@orch/machinery/concurrency';
import type { Revision } from '@orch/storage';

/** Increases when a thread has made progress for which others wait. */
const TURN = 0;
/** Number of waits in all threads. */
const WAITS = 1;
/** The revision of a thread whose cache is not loaded. */
const NOT_WAITED_FOR = 0n;
const REVISIONS_AT = 2 * Int32Array.BYTES_PER_ELEMENT;

interface Wait {
  readonly rev: Revision;
  readonly end: (isReached: boolean) => void;
}

export interface SharedProgressOptions {
  /** `SharedProgress.bytes` of all threads. */
  readonly memory: SharedArrayBuffer;
  /** Number of this thread; the first one is 1. */
  readonly thread: number;
  readonly clock: Pick<Clock, 'scheduleAwaited'>;
}

/**
 * The revisions that the caches of all threads have reached, in memory that the threads share. A thread without a loaded cache
 * is not waited for: it serves no requests yet.
 */
export class SharedProgress {
  readonly #options: SharedProgressOptions;
  readonly #counts: Int32Array<SharedArrayBuffer>;
  readonly #revisions: BigInt64Array<SharedArrayBuffer>;
  readonly #waits = new Set<Wait>();
  #isListening = false;

  static bytes(threads: number): number {
    return REVISIONS_AT + threads * BigInt64Array.BYTES_PER_ELEMENT;
  }

  constructor(options: SharedProgressOptions) {
    this.#options = options;
    this.#counts = new Int32Array(options.memory, 0, 2);
    this.#revisions = new BigInt64Array(options.memory, REVISIONS_AT);
  }

  /** The cache of this thread has applied all events up to the revision. */
  reached(rev: Revision): void {
    this.#set(BigInt(rev));
  }

  /** The cache of this thread has stopped: it is not waited for any longer. */
  stopped(): void {
    this.#set(NOT_WAITED_FOR);
  }

  /**
   * Resolves with true when the caches of all threads have reached the revision; with false after the time, and when the
   * signal aborts.
   */
  async whenReached(rev: Revision, ms: number, signal: AbortSignal): Promise<boolean> {
    Atomics.add(this.#counts, WAITS, 1);
    try {
      return this.#hasReached(rev) || (await this.#wait(rev, ms, signal));
    } finally {
      Atomics.sub(this.#counts, WAITS, 1);
    }
  }

  #set(rev: bigint): void {
    Atomics.store(this.#revisions, this.#options.thread - 1, rev);
    // A thread that begins to wait raises the number before it reads the revisions, so that one of both sees the other.
    if (Atomics.load(this.#counts, WAITS) === 0) return;
    Atomics.add(this.#counts, TURN, 1);
    Atomics.notify(this.#counts, TURN);
  }

  async #wait(rev: Revision, ms: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const wait: Wait = { rev, end: resolve };
    const cancel = this.#options.clock.scheduleAwaited(ms, () => resolve(false));
    const unregister = onAbort(signal, () => resolve(false));
    this.#waits.add(wait);
    void this.#listen();
    try {
      return await promise;
    } finally {
      cancel();
      unregister();
      this.#waits.delete(wait);
    }
  }

  /** One loop for all waits of this thread. */
  async #listen(): Promise<void> {
    if (this.#isListening) return;
    this.#isListening = true;
    while (this.#waits.size > 0) {
      const turn = Atomics.load(this.#counts, TURN);
      for (const wait of this.#waits) if (this.#hasReached(wait.rev)) this.#end(wait);
      if (this.#waits.size > 0) await Atomics.waitAsync(this.#counts, TURN, turn).value;
    }
    this.#isListening = false;
  }

  #end(wait: Wait): void {
    this.#waits.delete(wait);
    wait.end(true);
  }

  #hasReached(rev: Revision): boolean {
    const wanted = BigInt(rev);
    for (let at = 0; at < this.#revisions.length; at++) {
      const reached = Atomics.load(this.#revisions, at);
      if (reached !== NOT_WAITED_FOR && reached < wanted) return false;
    }
    return true;
  }
}
