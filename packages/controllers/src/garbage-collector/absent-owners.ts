import { BoundedCache } from '@orch/machinery/bounded-cache';
import type { OwnerRef } from './owner-ref.ts';

/**
 * A bounded cache of owners that are known to be deleted. Uids are never reused, so that entries stay valid; they save the
 * lookups for all but the first dependent of a deleted owner.
 */
export class AbsentOwners {
  readonly #keys: BoundedCache<string, true>;

  constructor(limit: number) {
    this.#keys = new BoundedCache({ maxEntries: limit, leastRecentlyUsed: true });
  }

  get size(): number {
    return this.#keys.size;
  }

  add({ key }: OwnerRef): void {
    this.#keys.set(key, true);
  }

  has({ key }: OwnerRef): boolean {
    return this.#keys.get(key) === true;
  }
}
