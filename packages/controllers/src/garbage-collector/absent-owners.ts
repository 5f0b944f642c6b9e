import type { OwnerRef } from './owner-ref.ts';
import { RecentKeys } from './recent-keys.ts';

/**
 * A bounded cache of owners that are known to be deleted. Uids are never reused, so that entries stay valid; they save the
 * lookups for all but the first dependent of a deleted owner.
 */
export class AbsentOwners {
  readonly #keys: RecentKeys;

  constructor(limit: number) {
    this.#keys = new RecentKeys(limit);
  }

  get size(): number {
    return this.#keys.size;
  }

  add({ key }: OwnerRef): void {
    this.#keys.add(key);
  }

  has({ key }: OwnerRef): boolean {
    return this.#keys.has(key);
  }
}
