import type { Clock } from '@orch/machinery';

interface Remembered<T> {
  readonly value: T;
  /** Monotonic milliseconds. */
  readonly until: number;
}

/** Remembers values for a time, and no more than a number of them: the oldest goes first. */
export class BoundedMemory<T> {
  readonly #entries = new Map<string, Remembered<T>>();
  readonly #options: {
    readonly most: number;
    readonly ttlMs: number;
    readonly clock: Pick<Clock, 'monotonic'>;
  };

  constructor(options: {
    readonly most: number;
    readonly ttlMs: number;
    readonly clock: Pick<Clock, 'monotonic'>;
  }) {
    this.#options = options;
  }

  get(key: string): T | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    if (this.#options.clock.monotonic() < found.until) return found.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: T): void {
    const { most, ttlMs, clock } = this.#options;
    // Set anew it is the youngest again.
    this.#entries.delete(key);
    if (this.#entries.size >= most) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, until: clock.monotonic() + ttlMs });
  }
}
