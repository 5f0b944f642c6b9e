import { type Deferred, deferred, type Env, onAbort } from '@orch/machinery';
import { Delays } from './delays.ts';
import { type QueueMetrics, queueMetrics } from './queue-metrics.ts';
import { RateLimit, type RateLimitOptions } from './rate-limit.ts';

export interface WorkQueueOptions {
  /** Label of its metrics. */
  readonly name: string;
  /** Keys that may wait, those with a delay included. */
  readonly capacity?: number;
  readonly rateLimit?: RateLimitOptions;
}

const DEFAULT_CAPACITY = 1_000_000;

/**
 * Keys to be worked on, each at most once at a time. A key that waits is not added again; one that is being worked on
 * and is added meanwhile waits until that work is done, and is then worked on once more. Keys come out in the order in
 * which they became ready. Keys are the same when a Map says so.
 */
export class WorkQueue<K = string> {
  readonly #env: Pick<Env, 'clock' | 'metrics'>;
  readonly #capacity: number;
  readonly #metrics: QueueMetrics;
  readonly #rateLimit: RateLimit<K>;
  readonly #delays: Delays<K>;
  /** Ready keys in order, with the time at which they became so. */
  readonly #ready = new Map<K, number>();
  /** Keys that are worked on, with the time at which that began. */
  readonly #working = new Map<K, number>();
  /** Keys that are worked on and were added meanwhile. */
  readonly #again = new Map<K, number>();
  readonly #takers: Deferred<K | undefined>[] = [];
  #isShutDown = false;
  #idle: Deferred<void> | undefined;

  constructor(env: Pick<Env, 'clock' | 'metrics'>, options: WorkQueueOptions) {
    this.#env = env;
    this.#capacity = options.capacity ?? DEFAULT_CAPACITY;
    this.#rateLimit = new RateLimit<K>(env.clock, options.rateLimit);
    this.#delays = new Delays<K>(env.clock, (key) => void this.#makeReady(key));
    this.#metrics = queueMetrics(env.metrics, env.clock, {
      name: options.name,
      startedAt: () => this.#working.values(),
    });
  }

  /** Keys that wait to be worked on and are ready. */
  get size(): number {
    return this.#ready.size + this.#again.size;
  }

  /** Keys that wait for their time. */
  get delayed(): number {
    return this.#delays.size;
  }

  get working(): number {
    return this.#working.size;
  }

  /** Adds a key. False when it was not taken: the queue is full or shut down. A key that waits already is taken. */
  add(key: K): boolean {
    if (this.#isShutDown) return false;
    if (this.#ready.has(key) || this.#again.has(key)) return true;
    if (this.#isFull()) return false;
    this.#makeReady(key);
    return true;
  }

  /** Adds a key after a delay; the earliest of several delays counts. False as for `add`. */
  addAfter(key: K, delayMs: number): boolean {
    if (delayMs <= 0) return this.add(key);
    if (this.#isShutDown || (!this.#delays.has(key) && this.#isFull())) return false;
    this.#delays.set(key, delayMs);
    return true;
  }

  /** Adds a key after a failure, when its rate allows it. False as for `add`. */
  addRateLimited(key: K): boolean {
    this.#metrics.retries.inc();
    return this.addAfter(key, this.#rateLimit.next(key));
  }

  /** The key is well: its next failure counts as the first. */
  forget(key: K): void {
    this.#rateLimit.forget(key);
  }

  /** Failures of a key since it was last forgotten. */
  failures(key: K): number {
    return this.#rateLimit.failures(key);
  }

  /**
   * The next key, which is then being worked on until `done`. Undefined after the end: shut down, and nothing ready.
   * Rejects with the signal's reason; no key is lost then.
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

  /** The work on a key has ended. */
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

  /** Takes no more keys and forgets delayed ones; what is ready is still given out. */
  shutDown(): void {
    this.#isShutDown = true;
    this.#delays.clear();
    this.#endIfOver();
  }

  /** Shuts down, and resolves when all work has ended. */
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
    // A key that is worked on could still come again, but no key is taken after the shutdown.
    for (const taker of this.#takers.splice(0)) taker.resolve(undefined);
    if (this.#working.size > 0) return;
    this.#metrics.close();
    this.#idle?.resolve();
  }
}
