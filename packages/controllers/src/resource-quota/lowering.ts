import { type Amounts, noAmounts, sumOf } from '@orch/quota';

/** A quota to which nothing was added for this time contains no usage of writes that are still on their way. */
export const QUIET_MS = 5000;

/** The permitted decrease of the usage of a quota. */
export interface Lowered {
  /** Decrease to the counted usage. */
  readonly isUnlimited: boolean;
  /** By the usage of objects that were deleted, or use less. */
  readonly released: Amounts;
  /** Time from which it may decrease to the counted usage, if that must wait. */
  readonly retryAfterMs: number | undefined;
}

interface Entry {
  released: Amounts;
  mustRecount: boolean;
  /** Time at which usage was last added (monotonic). */
  addedAtMs: number;
}

/**
 * Limits the decrease of the usage of quotas. Admission adds the usage of an object before the object is stored: a
 * count does not contain it yet, and must not remove it. Usage therefore decreases by the usage of deleted objects, and
 * to the counted usage only when nothing was added for a while.
 */
export class Lowering {
  readonly #entries = new Map<string, Entry>();

  /** Objects that a quota counts were deleted, or use less. */
  release(key: string, amounts: Amounts): void {
    const entry = this.#of(key);
    entry.released = sumOf(entry.released, amounts);
  }

  /** The usage must be compared with the existing objects, regardless of released usage. */
  recount(key: string): void {
    this.#of(key).mustRecount = true;
  }

  /** The usage of a quota was increased, or it was seen for the first time. */
  added(key: string, nowMs: number): void {
    this.#of(key).addedAtMs = nowMs;
  }

  /** The permitted decrease of the usage now; the next call permits it only for later changes. */
  take(key: string, nowMs: number): Lowered {
    const entry = this.#entries.get(key);
    if (entry === undefined) return { isUnlimited: false, released: noAmounts, retryAfterMs: undefined };
    const { released, mustRecount } = entry;
    const quietInMs = Math.max(0, entry.addedAtMs + QUIET_MS - nowMs);
    const isUnlimited = mustRecount && quietInMs === 0;
    entry.released = noAmounts;
    entry.mustRecount = mustRecount && !isUnlimited;
    return { isUnlimited, released, retryAfterMs: entry.mustRecount ? quietInMs : undefined };
  }

  /** Restores charges that were not used. */
  restore(key: string, { isUnlimited, released }: Lowered): void {
    this.release(key, released);
    if (isUnlimited) this.recount(key);
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  #of(key: string): Entry {
    const found = this.#entries.get(key);
    if (found !== undefined) return found;
    const entry = { released: noAmounts, mustRecount: false, addedAtMs: Number.NEGATIVE_INFINITY };
    this.#entries.set(key, entry);
    return entry;
  }
}
