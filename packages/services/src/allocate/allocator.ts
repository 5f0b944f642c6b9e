import {
  abortable,
  type Clock,
  type CounterSeries,
  errors,
  type Random,
  withDeadline,
} from '@orch/machinery';
import type { Claim, Claims, FoundClaim, Owner } from './claims.ts';
import { OffsetSet } from './offset-set.ts';
import type { ValueRange } from './value-range.ts';

/** What became of the attempts to hold a value. */
export interface AllocationSeries {
  readonly allocated: CounterSeries;
  /** The value that was asked for is held by another. */
  readonly taken: CounterSeries;
  readonly full: CounterSeries;
}

export interface AllocatorOptions {
  readonly range: ValueRange;
  readonly claims: Claims;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: AllocationSeries;
}

/** Values found taken, one after the other, until the store is asked what is taken. */
const BLIND_TRIES = 8;
/** With others that give out the last values at the same time. */
const MAX_TRIES = 64;
const REFRESH_MS = 10_000;

/**
 * Gives out the values of one range. What is held is known to the store alone; this replica remembers what it saw taken,
 * so that it seldom tries in vain, and asks before it says that nothing is left.
 */
export class Allocator {
  readonly range: ValueRange;
  readonly #claims: Claims;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #metrics: AllocationSeries;
  #seenTaken: OffsetSet;
  #refreshing: Promise<void> | undefined;

  constructor({ range, claims, clock, random, metrics }: AllocatorOptions) {
    this.range = range;
    this.#claims = claims;
    this.#clock = clock;
    this.#random = random;
    this.#metrics = metrics;
    this.#seenTaken = new OffsetSet(range.size);
  }

  /** Holds the value that was asked for; undefined when it is held already. It must be in the range. */
  async take(value: string, owner: Owner, signal: AbortSignal): Promise<Claim | undefined> {
    const claim = await this.#claims.take(value, owner, signal);
    this.#note(value, true);
    (claim === undefined ? this.#metrics.taken : this.#metrics.allocated).inc();
    return claim;
  }

  /** Holds any value; undefined when all are held. */
  async takeAny(owner: Owner, signal: AbortSignal): Promise<Claim | undefined> {
    let isAsked = false;
    for (let tried = 0; tried < MAX_TRIES; tried++) {
      const offset = this.#free();
      if (!isAsked && (offset === undefined || tried >= BLIND_TRIES)) {
        await this.#refresh(signal);
        isAsked = true;
      } else if (offset === undefined) {
        this.#metrics.full.inc();
        return undefined;
      } else {
        // Before the store answers: requests of this replica do not try for the same one.
        this.#seenTaken.add(offset);
        const claim = await this.#claims.take(this.range.at(offset), owner, signal);
        if (claim === undefined) continue;
        this.#metrics.allocated.inc();
        return claim;
      }
    }
    throw errors.serviceUnavailable(
      `others are taking the last values of ${this.range.text}; please try again`,
    );
  }

  find(value: string, signal: AbortSignal): Promise<FoundClaim | undefined> {
    return this.#claims.find(value, signal);
  }

  /** A value that `takeAny` could hold, for dry runs; none of `except`. */
  suggest(except: ReadonlySet<string>): string | undefined {
    for (let tried = 0; tried < MAX_TRIES; tried++) {
      const offset = this.#free();
      if (offset === undefined) return undefined;
      const value = this.range.at(offset);
      if (!except.has(value)) return value;
    }
    return undefined;
  }

  async release(claims: readonly Claim[]): Promise<readonly Claim[]> {
    const kept = await this.#claims.release(claims);
    for (const claim of claims) if (!kept.includes(claim)) this.#note(claim.value, false);
    return kept;
  }

  #note(value: string, isTaken: boolean): void {
    const offset = this.range.offsetOf(value);
    if (offset === undefined) return;
    if (isTaken) this.#seenTaken.add(offset);
    else this.#seenTaken.delete(offset);
  }

  /** Chance, so that replicas and requests that know nothing of each other seldom meet. */
  #free(): number | undefined {
    const { size, staticCount, neverAutomatic } = this.range;
    const lowest = Math.max(staticCount, neverAutomatic);
    return (
      this.#seenTaken.anyAbsent(lowest, size, this.#random) ??
      this.#seenTaken.anyAbsent(neverAutomatic, lowest, this.#random)
    );
  }

  /** All who wait share one look at the store. */
  #refresh(signal: AbortSignal): Promise<void> {
    this.#refreshing ??= this.#readHeld().finally(() => {
      this.#refreshing = undefined;
    });
    return abortable(this.#refreshing, signal);
  }

  async #readHeld(): Promise<void> {
    using limit = withDeadline(new AbortController().signal, this.#clock, REFRESH_MS);
    const seen = new OffsetSet(this.range.size);
    for (const value of await this.#claims.held(limit.signal)) {
      const offset = this.range.offsetOf(value);
      if (offset !== undefined) seen.add(offset);
    }
    this.#seenTaken = seen;
  }
}
