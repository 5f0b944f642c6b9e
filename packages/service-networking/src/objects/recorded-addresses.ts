import type { Clock } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import type { Allocation, AllocationStore, Allocations, Owner } from '../allocate/allocation-store.ts';
import type { AddressObjects } from './address-objects.ts';

const REMOVE_MS = 5_000;

export interface RecordedAddressesOptions {
  /** The key of an address in it decides who has the address, in every release. */
  readonly keys: AllocationStore;
  /** Undefined where the release does not have them. */
  readonly objects: () => AddressObjects | undefined;
  readonly clock: Clock;
}

/**
 * Allocations of addresses that clients see as objects. The object exists only while the key does: it is created after and
 * removed before the key, and a repair does what was interrupted in between.
 */
export class RecordedAddresses implements Allocations {
  readonly #keys: AllocationStore;
  readonly #objects: () => AddressObjects | undefined;
  readonly #clock: Clock;

  constructor({ keys, objects, clock }: RecordedAddressesOptions) {
    this.#keys = keys;
    this.#objects = objects;
    this.#clock = clock;
  }

  async take(value: string, owner: Owner, signal: AbortSignal): Promise<Allocation | undefined> {
    const allocation = await this.#keys.take(value, owner, signal);
    const objects = this.#objects();
    if (allocation === undefined || objects === undefined) return allocation;
    let isRecorded = false;
    try {
      isRecorded = await objects.record(value, owner, signal);
    } finally {
      if (!isRecorded) await this.#keys.release([allocation]);
    }
    return isRecorded ? allocation : undefined;
  }

  async reassign(allocation: Allocation, owner: Owner, signal: AbortSignal): Promise<Allocation | undefined> {
    const reassigned = await this.#keys.reassign(allocation, owner, signal);
    if (reassigned !== undefined) await this.#objects()?.record(allocation.value, owner, signal);
    return reassigned;
  }

  find(value: string, signal: AbortSignal) {
    return this.#keys.find(value, signal);
  }

  async release(allocations: readonly Allocation[]): Promise<readonly Allocation[]> {
    const objects = this.#objects();
    if (objects === undefined || allocations.length === 0) return this.#keys.release(allocations);
    using limit = withDeadline(new AbortController().signal, this.#clock, REMOVE_MS);
    const kept: Allocation[] = [];
    const removed: Allocation[] = [];
    await Promise.all(
      allocations.map((allocation) =>
        objects.remove(allocation.value, limit.signal).then(
          () => removed.push(allocation),
          () => kept.push(allocation),
        ),
      ),
    );
    return [...kept, ...(await this.#keys.release(removed))];
  }

  all(signal: AbortSignal) {
    return this.#keys.all(signal);
  }

  /** Allocated addresses, and those that objects of clients reserve. */
  async held(signal: AbortSignal): Promise<readonly string[]> {
    const held = await this.#keys.held(signal);
    return [...held, ...(this.#objects()?.cached() ?? [])];
  }
}
