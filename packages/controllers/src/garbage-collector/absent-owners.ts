import type { Claim } from './claim.ts';
import { RecentKeys } from './recent-keys.ts';

/**
 * Owners that are known to be gone, up to a bound. A uid is given once, so what is gone stays gone, and every dependent
 * of a deleted owner but the first is spared a look for it.
 */
export class AbsentOwners {
  readonly #keys: RecentKeys;

  constructor(limit: number) {
    this.#keys = new RecentKeys(limit);
  }

  get size(): number {
    return this.#keys.size;
  }

  add({ key }: Claim): void {
    this.#keys.add(key);
  }

  has({ key }: Claim): boolean {
    return this.#keys.has(key);
  }
}
