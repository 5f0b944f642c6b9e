import { abortable, aborted, withDeadline } from '../concurrency/index.ts';
import type { Env } from '../env.ts';
import type { RateLimitOptions } from './rate-limit.ts';
import { WorkQueue } from './work-queue.ts';
import { Workers } from './workers.ts';

const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 10_000;
/** The loop ends this long after its signal at the latest, also when work continues. */
const STOP_MS = 10_000;

export interface KeyLoopOptions<K> {
  readonly env: Env;
  /** Label of the metrics of the queue. */
  readonly name: string;
  /** Keys that are processed at a time. */
  readonly workers: number;
  /** After this time the signal of the work aborts, and the work counts as failed. Five minutes when absent. */
  readonly deadlineMs?: number;
  /** Maximum number of queued keys. */
  readonly capacity?: number;
  /** Delays after failures, from 50 ms to 10 s when absent. */
  readonly retry?: RateLimitOptions;
  /** The log message of a failure. */
  readonly failed: string;
  /** Processes a key. Returns the delay after which the key is processed again; undefined: when it is added. */
  readonly reconcile: (key: K, signal: AbortSignal) => Promise<number | undefined>;
  /** Adds all keys again: called when there is room after keys were dropped because the queue was full. */
  readonly refill?: () => void;
}

/** A queue of keys and the workers that process them. Keys may be added before `run`. */
export class KeyLoop<K = string> {
  readonly #options: KeyLoopOptions<K>;
  readonly #queue: WorkQueue<K>;
  readonly #workers: Workers<K>;
  #hasDropped = false;

  constructor(options: KeyLoopOptions<K>) {
    const { env, name, retry, capacity, reconcile: work } = options;
    const { workers, failed, deadlineMs } = options;
    this.#options = options;
    this.#queue = new WorkQueue<K>(env, {
      name,
      rateLimit: { firstMs: FIRST_RETRY_MS, maxMs: MAX_RETRY_MS, random: env.random, ...retry },
      ...(capacity === undefined ? {} : { capacity }),
    });
    this.#workers = new Workers(this.#queue, {
      clock: env.clock,
      log: env.log.with({ queue: name }),
      workers,
      failed,
      work,
      ended: () => this.#refill(),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    });
  }

  /** Adds a key. A key that does not fit is dropped, and all keys are added again when there is room. */
  add(key: K): void {
    if (!this.#queue.add(key)) this.#dropped();
  }

  /** Adds a key after a delay; the earliest of several delays applies. */
  addAfter(key: K, delayMs: number): void {
    if (!this.#queue.addAfter(key, delayMs)) this.#dropped();
  }

  /** Processes keys. Resolves when the signal has aborted and the work has ended, or does not end in time. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options.env;
    const working = this.#workers.run(signal);
    try {
      await Promise.race([working, aborted(signal)]);
      using limit = withDeadline(new AbortController().signal, clock, STOP_MS);
      await abortable(working, limit.signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      log.error('a control loop does not end', { queue: this.#options.name, working: this.#queue.working });
    } finally {
      this.#queue.discard();
    }
  }

  #dropped(): void {
    if (this.#hasDropped || this.#queue.isShutDown) return;
    this.#hasDropped = true;
    this.#options.env.log.error('the queue of a control loop is full', { queue: this.#options.name });
  }

  #refill(): void {
    if (!this.#hasDropped || !this.#queue.hasRoom) return;
    this.#hasDropped = false;
    this.#options.refill?.();
  }
}
