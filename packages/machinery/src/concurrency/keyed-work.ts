import type { Cancel, Env } from '../env.ts';
import { messageOf } from '../error-message.ts';
import { aborted } from './abort.ts';
import { Backoff } from './backoff.ts';

const RETRY_MS = 50;
const MAX_RETRY_MS = 10_000;

export interface KeyedWorkOptions {
  readonly env: Pick<Env, 'clock' | 'random' | 'log'>;
  /** Keys that are worked on at a time. */
  readonly concurrency: number;
  /** The log message of a failure. */
  readonly failed: string;
  /** Returns after how many milliseconds the key is due again; undefined: when it is added. A failure is retried. */
  readonly work: (key: string, signal: AbortSignal) => Promise<number | undefined>;
}

/**
 * Works on keys when they are due: a key never twice at a time, and once more when it was added during its work. Keys may be
 * added before `run`.
 */
export class KeyedWork {
  readonly #options: KeyedWorkOptions;
  readonly #due = new Set<string>();
  readonly #active = new Map<string, Promise<void>>();
  readonly #timers = new Map<string, Cancel>();
  readonly #backoff = new Map<string, Backoff>();
  #signal: AbortSignal | undefined;

  constructor(options: KeyedWorkOptions) {
    this.#options = options;
  }

  /** The key is due now. */
  add(key: string): void {
    this.#cancelTimer(key);
    this.#due.add(key);
    this.#start();
  }

  /** Works on keys until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.#start();
    await aborted(signal);
    this.#signal = undefined;
    for (const key of [...this.#timers.keys()]) this.#cancelTimer(key);
    await Promise.all(this.#active.values());
  }

  #start(): void {
    const signal = this.#signal;
    if (signal === undefined || signal.aborted) return;
    for (const key of this.#due) {
      if (this.#active.size >= this.#options.concurrency) return;
      if (this.#active.has(key)) continue;
      this.#due.delete(key);
      const work = this.#workOn(key, signal).finally(() => {
        this.#active.delete(key);
        this.#start();
      });
      this.#active.set(key, work);
    }
  }

  async #workOn(key: string, signal: AbortSignal): Promise<void> {
    const { env, failed, work } = this.#options;
    try {
      const againMs = await work(key, signal);
      this.#backoff.delete(key);
      if (againMs !== undefined) this.#addAfter(key, againMs);
    } catch (error) {
      if (signal.aborted) return;
      env.log.warn(failed, { key, error: messageOf(error) });
      const backoff = this.#backoff.get(key) ?? new Backoff(env, RETRY_MS, MAX_RETRY_MS);
      this.#backoff.set(key, backoff);
      this.#addAfter(key, backoff.next());
    }
  }

  #addAfter(key: string, delayMs: number): void {
    if (this.#signal === undefined || this.#due.has(key)) return;
    this.#cancelTimer(key);
    const cancel = this.#options.env.clock.schedule(delayMs, () => this.add(key));
    this.#timers.set(key, cancel);
  }

  #cancelTimer(key: string): void {
    this.#timers.get(key)?.();
    this.#timers.delete(key);
  }
}
