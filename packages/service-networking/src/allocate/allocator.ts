import { type Clock, type CounterSeries, errors, type Random } from '@orch/machinery';
import { abortable, withDeadline } from '@orch/machinery/concurrency';
import type { Allocation, Allocations, Owner, StoredAllocation } from './allocation-store.ts';
import { OffsetSet } from './offset-set.ts';
import type { ValueRange } from './value-range.ts';

/** Counters of allocation attempts. */
export interface AllocationSeries {
  readonly allocated: CounterSeries;
  /** The requested value is already allocated. */
  readonly taken: CounterSeries;
  readonly full: CounterSeries;
}

export interface AllocatorOptions {
  readonly range: ValueRange;
  readonly allocations: Allocations;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: AllocationSeries;
}

/** Failed attempts before the allocations are read from the store. */
const BLIND_TRIES = 8;
/** Bound on attempts while other replicas allocate the last values at the same time. */
const MAX_TRIES = 64;
const REFRESH_MS = 10_000;

/** Values that services can get: of one range, or of several. */
export interface ValuePool {
  /** The ranges, for messages. */
  readonly text: string;
  /** A dry run refuses values outside of the ranges. */
  readonly checksDryRuns: boolean;
  contains(value: string): boolean;
  /** Allocates the requested value; undefined when it is already allocated. It must be in the pool. */
  take(value: string, owner: Owner, signal: AbortSignal): Promise<Allocation | undefined>;
  /** Allocates any value; undefined when the pool is full. */
  takeAny(owner: Owner, signal: AbortSignal): Promise<Allocation | undefined>;
  find(value: string, signal: AbortSignal): Promise<StoredAllocation | undefined>;
  /** A value that `takeAny` could allocate, for dry runs; never one of `except`. */
  suggest(except: ReadonlySet<string>): string | undefined;
  /** Returns the allocations that could not be released. */
  release(allocations: readonly Allocation[]): Promise<readonly Allocation[]>;
}

/**
 * Allocates the values of one range. The store is the only authority; this replica caches which values were found
 * allocated, so that few attempts fail, and reads the store before it reports that the range is full.
 */
export class Allocator implements ValuePool {
  readonly range: ValueRange;
  readonly checksDryRuns = false;
  readonly #allocations: Allocations;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #metrics: AllocationSeries;
  #knownTaken: OffsetSet;
  #refreshing: Promise<void> | undefined;

  constructor({ range, allocations, clock, random, metrics }: AllocatorOptions) {
    this.range = range;
    this.#allocations = allocations;
    this.#clock = clock;
    this.#random = random;
    this.#metrics = metrics;
    this.#knownTaken = new OffsetSet(range.size);
  }

  get text(): string {
    return this.range.text;
  }

  contains(value: string): boolean {
    return this.range.offsetOf(value) !== undefined;
  }

  async take(value: string, owner: Owner, signal: AbortSignal): Promise<Allocation | undefined> {
    const allocation = await this.#allocations.take(value, owner, signal);
    this.#note(value, true);
    (allocation === undefined ? this.#metrics.taken : this.#metrics.allocated).inc();
    return allocation;
  }

  async takeAny(owner: Owner, signal: AbortSignal): Promise<Allocation | undefined> {
    let isRefreshed = false;
    for (let tried = 0; tried < MAX_TRIES; tried++) {
      const offset = this.#free();
      if (!isRefreshed && (offset === undefined || tried >= BLIND_TRIES)) {
        await this.#refresh(signal);
        isRefreshed = true;
      } else if (offset === undefined) {
        this.#metrics.full.inc();
        return undefined;
      } else {
        // Marked before the store answers, so that concurrent requests on this replica choose other values.
        this.#knownTaken.add(offset);
        const allocation = await this.#allocations.take(this.range.at(offset), owner, signal);
        if (allocation === undefined) continue;
        this.#metrics.allocated.inc();
        return allocation;
      }
    }
    throw errors.serviceUnavailable(
      `concurrent requests allocated the last values of ${this.range.text}; please try again`,
    );
  }

  find(value: string, signal: AbortSignal): Promise<StoredAllocation | undefined> {
    return this.#allocations.find(value, signal);
  }

  suggest(except: ReadonlySet<string>): string | undefined {
    for (let tried = 0; tried < MAX_TRIES; tried++) {
      const offset = this.#free();
      if (offset === undefined) return undefined;
      const value = this.range.at(offset);
      if (!except.has(value)) return value;
    }
    return undefined;
  }

  async release(allocations: readonly Allocation[]): Promise<readonly Allocation[]> {
    const kept = await this.#allocations.release(allocations);
    for (const allocation of allocations) if (!kept.includes(allocation)) this.#note(allocation.value, false);
    return kept;
  }

  #note(value: string, isTaken: boolean): void {
    const offset = this.range.offsetOf(value);
    if (offset === undefined) return;
    if (isTaken) this.#knownTaken.add(offset);
    else this.#knownTaken.delete(offset);
  }

  /** Random, so that concurrent requests and replicas rarely choose the same value. */
  #free(): number | undefined {
    const { size, staticCount, neverAutomatic } = this.range;
    const lowest = Math.max(staticCount, neverAutomatic);
    return (
      this.#knownTaken.anyAbsent(lowest, size, this.#random) ??
      this.#knownTaken.anyAbsent(neverAutomatic, lowest, this.#random)
    );
  }

  /** Concurrent callers share one read of the store. */
  #refresh(signal: AbortSignal): Promise<void> {
    this.#refreshing ??= this.#readAllocated().finally(() => {
      this.#refreshing = undefined;
    });
    return abortable(this.#refreshing, signal);
  }

  async #readAllocated(): Promise<void> {
    using limit = withDeadline(new AbortController().signal, this.#clock, REFRESH_MS);
    const seen = new OffsetSet(this.range.size);
    for (const value of await this.#allocations.held(limit.signal)) {
      const offset = this.range.offsetOf(value);
      if (offset !== undefined) seen.add(offset);
    }
    this.#knownTaken = seen;
  }
}
