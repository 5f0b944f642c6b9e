import type { Clock } from '@orch/machinery';

/** Time after a deletion on this replica during which the phase of a namespace is read from the store. */
const MEMORY_MS = 30_000;

/** The namespaces whose deletion was requested from this replica a short time ago. */
export class RecentDeletions {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Times at which names are forgotten, in the order in which they expire. */
  readonly #expiries = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  add(name: string): void {
    this.#forget();
    this.#expiries.delete(name);
    this.#expiries.set(name, this.#clock.monotonic() + MEMORY_MS);
  }

  includes(name: string): boolean {
    if (this.#expiries.size === 0) return false;
    this.#forget();
    return this.#expiries.has(name);
  }

  #forget(): void {
    const now = this.#clock.monotonic();
    for (const [name, expiry] of this.#expiries) {
      if (expiry > now) return;
      this.#expiries.delete(name);
    }
  }
}
