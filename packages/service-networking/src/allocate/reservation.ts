import type { Logger } from '@orch/machinery';
import type { PendingWrite } from '@orch/registry';
import type { Allocation, Owner } from './allocation-store.ts';
import type { ValuePool } from './allocator.ts';

/** Outcome of allocating a requested value. */
export type Outcome = 'held' | 'outside' | 'taken';

/** Source of values for a service: real allocations, or a dry run. */
export interface ValueSource {
  take(from: ValuePool, value: string): Promise<Outcome>;
  /** Undefined when the range is full. */
  takeAny(from: ValuePool): Promise<string | undefined>;
}

/** The allocations of one write of a service, and the values that are released once it is committed. */
export class Reservation implements ValueSource, PendingWrite {
  readonly #owner: Owner;
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  readonly #taken: { readonly from: ValuePool; readonly allocation: Allocation }[] = [];
  readonly #obsolete: { readonly from: ValuePool; readonly allocation: Allocation }[] = [];

  constructor(options: { readonly owner: Owner; readonly log: Logger; readonly signal: AbortSignal }) {
    this.#owner = options.owner;
    this.#log = options.log;
    this.#signal = options.signal;
  }

  async take(from: ValuePool, value: string): Promise<Outcome> {
    if (!from.contains(value)) return 'outside';
    const allocation = await from.take(value, this.#owner, this.#signal);
    if (allocation === undefined) return 'taken';
    this.#taken.push({ from, allocation });
    return 'held';
  }

  async takeAny(from: ValuePool): Promise<string | undefined> {
    const allocation = await from.takeAny(this.#owner, this.#signal);
    if (allocation !== undefined) this.#taken.push({ from, allocation });
    return allocation?.value;
  }

  /** Marks the allocation of a value for release after the commit. */
  async dropAfterwards(from: ValuePool, value: string): Promise<void> {
    const allocation = await from.find(value, this.#signal);
    if (allocation?.owner?.uid === this.#owner.uid) this.#obsolete.push({ from, allocation });
  }

  get isEmpty(): boolean {
    return this.#taken.length === 0 && this.#obsolete.length === 0;
  }

  finish(success: boolean): Promise<void> {
    return this.#release(success ? this.#obsolete : this.#taken);
  }

  async #release(
    held: readonly { readonly from: ValuePool; readonly allocation: Allocation }[],
  ): Promise<void> {
    for (const from of new Set(held.map((one) => one.from))) {
      const allocations = held.filter((one) => one.from === from).map(({ allocation }) => allocation);
      const kept = await from.release(allocations);
      if (kept.length === 0) continue;
      const values = kept.map(({ value }) => value);
      this.#log.warn('values of a service could not be released; the repair loop will release them', {
        namespace: this.#owner.namespace,
        service: this.#owner.name,
        values,
      });
    }
  }
}

/** Suggests values without allocating them. Whether another service has a requested value is not checked. */
export class DryRunSource implements ValueSource {
  readonly #suggested = new Set<string>();

  async take(from: ValuePool, value: string): Promise<Outcome> {
    if (from.checksDryRuns && !from.contains(value)) return 'outside';
    this.#suggested.add(value);
    return 'held';
  }

  async takeAny(from: ValuePool): Promise<string | undefined> {
    const value = from.suggest(this.#suggested);
    if (value !== undefined) this.#suggested.add(value);
    return value;
  }
}
