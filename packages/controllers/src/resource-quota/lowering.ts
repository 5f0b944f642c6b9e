import { type Amounts, noAmounts, sumOf } from '@orch/quota';

/** A quota to which nothing was added for this time contains no usage of writes that are still on their way. */
export const QUIET_MS = 5000;

/** How far the usage of a quota may decrease. */
export interface Lowered {
  /** To what was counted. */
  readonly isUnlimited: boolean;
  /** By the usage of objects that were deleted, or use less. */
  readonly released: Amounts;
  /** When it may decrease to what was counted, if that must wait. */
  readonly retryAfterMs: number | undefined;
}

interface Entry {
  released: Amounts;
  mustRecount: boolean;
  /** When usage was added last (monotonic). */
  addedAtMs: number;
}

/**
 * Decides how far the usage of quotas may decrease. Admission adds the usage of an object before the object is stored: a
 * count does not contain it yet, and must not remove it. Usage therefore decreases by what deleted objects used, and to
 * what was counted only when nothing was added for a while.
 */
export class Lowering {
  readonly #entries = new Map<string, Entry>();

  /** Objects that a quota counts were deleted, or use less. */
  release(key: string, amounts: Amounts): void {
    const entry = this.#of(key);
    entry.released = sumOf(entry.released, amounts);
  }

  /** The usage must be compared with what exists, without regard to what was released. */
  recount(key: string): void {
    this.#of(key).mustRecount = true;
  }

  /** The usage of a quota was increased, or it was seen for the first time. */
  added(key: string, nowMs: number): void {
    this.#of(key).addedAtMs = nowMs;
  }

  /** How far the usage may decrease now; the next call allows it only for what comes after. */
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
