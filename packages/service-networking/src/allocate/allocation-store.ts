import type { Clock, Random } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import { isJsonObject, parseJson } from '@orch/machinery/json';
import { type KeyValue, prefixRange, type Revision, type Store, StoreError } from '@orch/storage';

/** The service to which a value is allocated. */
export interface Owner {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** An allocated value. The revision identifies this allocation: with it, no later allocation of the same value is released. */
export interface Allocation {
  readonly value: string;
  readonly rev: Revision;
}

/** A stored allocation. The owner is undefined when its content cannot be decoded. */
export interface StoredAllocation extends Allocation {
  readonly owner: Owner | undefined;
}

export interface AllocationStoreOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Prefix of the keys, ending with a slash. */
  readonly prefix: string;
}

/** Allocations of one kind of values. */
export type Allocations = Pick<AllocationStore, 'take' | 'reassign' | 'find' | 'release' | 'all' | 'held'>;

/** Time limit of a release; allocations not released by then are left to the repair loop. */
const RELEASE_MS = 5_000;

/**
 * The allocations: one key per allocated value. The store creates each key only once, regardless of the number of replicas,
 * so a value is never allocated twice, and replicas need no coordination.
 */
export class AllocationStore {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #prefix: string;

  constructor({ store, clock, random, prefix }: AllocationStoreOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#random = random;
    this.#prefix = prefix;
  }

  /**
   * Allocates a value; undefined when it is already allocated. After an unknown outcome the allocation is released if
   * possible, and the error is thrown.
   */
  async take(value: string, owner: Owner, signal: AbortSignal): Promise<Allocation | undefined> {
    const key = this.#prefix + value;
    const bytes = this.#encode(owner);
    try {
      const committed = await this.#store.commit({ op: 'create', key, value: bytes }, signal);
      return committed.ok ? { value, rev: committed.rev } : undefined;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'outcomeUnknown')
        await this.#releaseUnknown(key, bytes);
      throw error;
    }
  }

  /** Changes the owner of an allocation; used by the repair loop only. Undefined when it changed in the meantime. */
  async reassign(allocation: Allocation, owner: Owner, signal: AbortSignal): Promise<Allocation | undefined> {
    const committed = await this.#store.commit(
      {
        op: 'update',
        key: this.#prefix + allocation.value,
        value: this.#encode(owner),
        expected: allocation.rev,
      },
      signal,
    );
    return committed.ok ? { value: allocation.value, rev: committed.rev } : undefined;
  }

  async find(value: string, signal: AbortSignal): Promise<StoredAllocation | undefined> {
    const { kv } = await this.#store.get(this.#prefix + value, signal);
    return kv === undefined ? undefined : this.#found(kv);
  }

  /** Releases allocations, independent of the client's signal. Returns those that could not be released. */
  async release(allocations: readonly Allocation[]): Promise<readonly Allocation[]> {
    if (allocations.length === 0) return [];
    using limit = withDeadline(new AbortController().signal, this.#clock, RELEASE_MS);
    const kept: Allocation[] = [];
    await Promise.all(
      allocations.map(async (allocation) => {
        const key = this.#prefix + allocation.value;
        await this.#store
          .commit({ op: 'delete', key, expected: allocation.rev }, limit.signal)
          .catch(() => kept.push(allocation));
      }),
    );
    return kept;
  }

  async all(signal: AbortSignal): Promise<readonly StoredAllocation[]> {
    const allocations: StoredAllocation[] = [];
    await this.#scan(false, signal, (kv) => allocations.push(this.#found(kv)));
    return allocations;
  }

  /** All allocated values. */
  async held(signal: AbortSignal): Promise<readonly string[]> {
    const values: string[] = [];
    await this.#scan(true, signal, ({ key }) => values.push(key.slice(this.#prefix.length)));
    return values;
  }

  async #scan(keysOnly: boolean, signal: AbortSignal, each: (kv: KeyValue) => void): Promise<void> {
    for await (const { items } of this.#store.scan(prefixRange(this.#prefix), { keysOnly }, signal))
      items.forEach(each);
  }

  #found(kv: KeyValue): StoredAllocation {
    return {
      value: kv.key.slice(this.#prefix.length),
      rev: kv.modRevision,
      owner: kv.value === undefined ? undefined : decode(kv.value),
    };
  }

  /** Each allocation has different bytes, so that one with an unknown outcome can be identified. */
  #encode({ namespace, name, uid }: Owner): Buffer {
    return Buffer.from(JSON.stringify({ namespace, name, uid, claim: this.#random.uuid() }));
  }

  async #releaseUnknown(key: string, bytes: Buffer): Promise<void> {
    using limit = withDeadline(new AbortController().signal, this.#clock, RELEASE_MS);
    try {
      const { kv } = await this.#store.get(key, limit.signal);
      if (kv?.value?.equals(bytes) !== true) return;
      await this.#store.commit({ op: 'delete', key, expected: kv.modRevision }, limit.signal);
    } catch {
      // Left to the repair loop.
    }
  }
}

function decode(value: Buffer): Owner | undefined {
  let read: unknown;
  try {
    read = parseJson(value);
  } catch {
    return undefined;
  }
  if (!isJsonObject(read)) return undefined;
  const { namespace, name, uid } = read;
  if (typeof namespace !== 'string' || typeof name !== 'string' || typeof uid !== 'string') return undefined;
  return { namespace, name, uid };
}
