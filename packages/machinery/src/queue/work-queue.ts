import { type Deferred, deferred, onAbort } from '../concurrency/index.ts';
import type { Env, ObservedQueue } from '../env.ts';
import { checkFiniteOptions, finiteNumber } from '../finite-number.ts';
import { Delays } from './delays.ts';
import { type QueueMetrics, queueMetrics } from './queue-metrics.ts';
import { RateLimit, type RateLimitOptions } from './rate-limit.ts';

/** The limits of a work queue, and the name in its metrics. */
export interface WorkQueueOptions {
  /** Label of the metrics. */
  readonly name: string;
  /** Maximum number of queued keys, including delayed ones. */
  readonly capacity?: number;
  readonly rateLimit?: RateLimitOptions;
}

const DEFAULT_CAPACITY = 1_000_000;

/**
 * A queue of keys, each processed at most once at a time. A queued key is not added again; a key that is added while it
 * is being processed is processed once more afterwards. Keys are returned in the order in which they became ready. Keys
 * are compared as by a Map.
 */
export class WorkQueue<K = string> implements ObservedQueue {
  readonly #env: Pick<Env, 'clock' | 'metrics'>;
  readonly name: string;
  readonly #capacity: number;
  readonly #metrics: QueueMetrics;
  readonly #rateLimit: RateLimit<K>;
  readonly #delays: Delays<K>;
  /** Ready keys in order, with the times at which they became ready. */
  readonly #ready = new Map<K, number>();
  /** Keys that are being processed, with the start times. */
  readonly #working = new Map<K, number>();
  /** Keys that were added while they are being processed. */
  readonly #again = new Map<K, number>();
  readonly #takers: Deferred<K | undefined>[] = [];
  readonly #ended: (() => void) | undefined;
  #isShutDown = false;
  #idle: Deferred<void> | undefined;

  constructor(env: Pick<Env, 'clock' | 'metrics' | 'work'>, options: WorkQueueOptions) {
    checkFiniteOptions(options, ['capacity'], { above: 0 });
    this.name = options.name;
    this.#env = env;
    this.#capacity = options.capacity ?? DEFAULT_CAPACITY;
    this.#rateLimit = new RateLimit<K>(env.clock, options.rateLimit);
    this.#delays = new Delays<K>(env.clock, (key) => void this.#makeReady(key));
    this.#metrics = queueMetrics(env.metrics, env.clock, {
      name: options.name,
      startedAt: () => this.#working.values(),
    });
    this.#ended = env.work?.opened(this);
  }

  /** Number of ready keys. */
  get size(): number {
    return this.#ready.size + this.#again.size;
  }

  /** Number of delayed keys. */
  get delayed(): number {
    return this.#delays.size;
  }

  get working(): number {
    return this.#working.size;
  }

  /** Number of keys that failed and were not forgotten. */
  get failing(): number {
    return this.#rateLimit.size;
  }

  /** Whether the queue no longer accepts keys. */
  get isShutDown(): boolean {
    return this.#isShutDown;
  }

  /** Whether at most half of the capacity is used. */
  get hasRoom(): boolean {
    return this.size + this.#delays.size <= this.#capacity / 2;
  }

  /** Adds a key. False when the queue is full or shut down. True for a key that is queued already. */
  add(key: K): boolean {
    if (this.#isShutDown) return false;
    if (this.#ready.has(key) || this.#again.has(key)) return true;
    if (this.#isFull()) return false;
    this.#makeReady(key);
    return true;
  }

  /**
   * Adds a key after a delay; the earliest of several delays applies. False as for `add`. Throws a RangeError for a delay that
   * is not finite.
   */
  addAfter(key: K, delayMs: number): boolean {
    finiteNumber('delayMs', delayMs);
    if (delayMs <= 0) return this.add(key);
    if (this.#isShutDown || (!this.#delays.has(key) && this.#isFull())) return false;
    this.#delays.set(key, delayMs);
    return true;
  }

  /** Adds a key after a failure, with a delay by the rate limit. False as for `add`. */
  addRateLimited(key: K): boolean {
    this.#metrics.retries.inc();
    return this.addAfter(key, this.#rateLimit.next(key));
  }

  /** Resets the failures of a key. */
  forget(key: K): void {
    this.#rateLimit.forget(key);
  }

  /** Number of failures of a key since its backoff was last reset. */
  failures(key: K): number {
    return this.#rateLimit.failures(key);
  }

  /**
   * The next key, which counts as being processed until `done`. Undefined when the queue is shut down and empty. Rejects
   * with the reason of the signal; no key is lost then.
   */
  next(signal: AbortSignal): Promise<K | undefined> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#ready.size > 0) return Promise.resolve(this.#take(this.#first()));
    if (this.#isOver()) return Promise.resolve(undefined);
    const taker = deferred<K | undefined>();
    this.#takers.push(taker);
    const unregister = onAbort(signal, () => {
      const at = this.#takers.indexOf(taker);
      if (at >= 0) this.#takers.splice(at, 1);
      taker.reject(signal.reason);
    });
    return taker.promise.finally(unregister);
  }

  /** Ends the processing of a key. */
  done(key: K): void {
    const startedAt = this.#working.get(key);
    if (startedAt === undefined) return;
    this.#working.delete(key);
    this.#metrics.workedSeconds.observe((this.#env.clock.monotonic() - startedAt) / 1000);
    const again = this.#again.get(key);
    this.#again.delete(key);
    if (again !== undefined) this.#enqueue(key, again);
    this.#endIfOver();
  }

  /** Stops accepting keys and discards delayed ones; ready keys are still returned. */
  shutDown(): void {
    this.#isShutDown = true;
    this.#delays.clear();
    this.#endIfOver();
  }

  /** Shuts down without processing the ready keys: their workers have ended. */
  discard(): void {
    this.#ready.clear();
    this.#again.clear();
    this.#metrics.depth.set(0);
    this.shutDown();
  }

  /** Shuts down, and resolves when all processing has ended. */
  drain(): Promise<void> {
    this.#idle ??= deferred();
    this.shutDown();
    return this.#idle.promise;
  }

  #isFull(): boolean {
    return this.size + this.#delays.size >= this.#capacity;
  }

  #makeReady(key: K): void {
    if (this.#ready.has(key) || this.#again.has(key)) return;
    this.#metrics.adds.inc();
    const now = this.#env.clock.monotonic();
    if (this.#working.has(key)) {
      this.#again.set(key, now);
      this.#metrics.depth.set(this.size);
    } else this.#enqueue(key, now);
  }

  #enqueue(key: K, since: number): void {
    this.#ready.set(key, since);
    this.#metrics.depth.set(this.size);
    const taker = this.#takers.shift();
    if (taker !== undefined) taker.resolve(this.#take(this.#first()));
  }

  #first(): K {
    const [first] = this.#ready.keys();
    return first as K;
  }

  #take(key: K): K {
    const now = this.#env.clock.monotonic();
    const since = this.#ready.get(key) ?? now;
    this.#ready.delete(key);
    this.#working.set(key, now);
    this.#metrics.depth.set(this.size);
    this.#metrics.waitedSeconds.observe((now - since) / 1000);
    return key;
  }

  #isOver(): boolean {
    return this.#isShutDown && this.size === 0;
  }

  #endIfOver(): void {
    if (!this.#isOver()) return;
    // A key that is being processed could be added again, but the queue accepts no keys after the shutdown.
    for (const taker of this.#takers.splice(0)) taker.resolve(undefined);
    if (this.#working.size > 0) return;
    this.#metrics.close();
    this.#ended?.();
    this.#idle?.resolve();
  }
}
