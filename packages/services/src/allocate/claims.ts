import { type Clock, isJsonObject, parseJson, type Random, withDeadline } from '@orch/machinery';
import { type KeyValue, prefixRange, type Revision, type Store, StoreError } from '@orch/storage';

/** The service that a value was given to. */
export interface Owner {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** A value that is held. Whoever knows the revision can give back this claim, and no later one of the same value. */
export interface Claim {
  readonly value: string;
  readonly rev: Revision;
}

/** A claim as it was found. The owner is undefined where something else was written. */
export interface FoundClaim extends Claim {
  readonly owner: Owner | undefined;
}

export interface ClaimsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** What the keys begin with, a slash at its end. */
  readonly prefix: string;
}

/** How long giving back may take; what is not given back by then is left to the repair. */
const RELEASE_MS = 5_000;

/**
 * Who holds which value: one key for each value that is given out. A key can be made by one only, whatever the number of
 * replicas, so a value is never held twice; no replica waits for another, and none has to be there.
 */
export class Claims {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #prefix: string;

  constructor({ store, clock, random, prefix }: ClaimsOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#random = random;
    this.#prefix = prefix;
  }

  /**
   * Takes a value; undefined when it is held. A claim whose outcome is unknown is given back if it can be, and the
   * failure passed on.
   */
  async take(value: string, owner: Owner, signal: AbortSignal): Promise<Claim | undefined> {
    const key = this.#prefix + value;
    const bytes = this.#encode(owner);
    try {
      const committed = await this.#store.commit({ op: 'create', key, value: bytes }, signal);
      return committed.ok ? { value, rev: committed.rev } : undefined;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'outcomeUnknown') await this.#disown(key, bytes);
      throw error;
    }
  }

  /** Takes over a claim of somebody else: for repair alone. Undefined when it changed meanwhile. */
  async reassign(claim: Claim, owner: Owner, signal: AbortSignal): Promise<Claim | undefined> {
    const committed = await this.#store.commit(
      { op: 'update', key: this.#prefix + claim.value, value: this.#encode(owner), expected: claim.rev },
      signal,
    );
    return committed.ok ? { value: claim.value, rev: committed.rev } : undefined;
  }

  async find(value: string, signal: AbortSignal): Promise<FoundClaim | undefined> {
    const { kv } = await this.#store.get(this.#prefix + value, signal);
    return kv === undefined ? undefined : this.#found(kv);
  }

  /** Gives claims back. A client that went away does not keep them. Returns those that could not be given back. */
  async release(claims: readonly Claim[]): Promise<readonly Claim[]> {
    if (claims.length === 0) return [];
    using limit = withDeadline(new AbortController().signal, this.#clock, RELEASE_MS);
    const kept: Claim[] = [];
    await Promise.all(
      claims.map(async (claim) => {
        const key = this.#prefix + claim.value;
        await this.#store
          .commit({ op: 'delete', key, expected: claim.rev }, limit.signal)
          .catch(() => kept.push(claim));
      }),
    );
    return kept;
  }

  /** All claims, and a revision at which they were so. */
  async all(
    signal: AbortSignal,
  ): Promise<{ readonly rev: Revision; readonly claims: readonly FoundClaim[] }> {
    const claims: FoundClaim[] = [];
    const rev = await this.#scan(false, signal, (kv) => claims.push(this.#found(kv)));
    return { rev, claims };
  }

  /** The values that are held. */
  async held(signal: AbortSignal): Promise<readonly string[]> {
    const values: string[] = [];
    await this.#scan(true, signal, ({ key }) => values.push(key.slice(this.#prefix.length)));
    return values;
  }

  async #scan(keysOnly: boolean, signal: AbortSignal, each: (kv: KeyValue) => void): Promise<Revision> {
    let rev: Revision = 0;
    for await (const part of this.#store.scan(prefixRange(this.#prefix), { keysOnly }, signal)) {
      part.items.forEach(each);
      rev = part.rev;
    }
    return rev;
  }

  #found(kv: KeyValue): FoundClaim {
    return { value: kv.key.slice(this.#prefix.length), rev: kv.modRevision, owner: decode(kv.value) };
  }

  /** Two claims are never the same bytes, so that one whose fate is unknown is not taken for another. */
  #encode({ namespace, name, uid }: Owner): Buffer {
    return Buffer.from(JSON.stringify({ namespace, name, uid, claim: this.#random.uuid() }));
  }

  async #disown(key: string, bytes: Buffer): Promise<void> {
    using limit = withDeadline(new AbortController().signal, this.#clock, RELEASE_MS);
    try {
      const { kv } = await this.#store.get(key, limit.signal);
      if (kv === undefined || !kv.value.equals(bytes)) return;
      await this.#store.commit({ op: 'delete', key, expected: kv.modRevision }, limit.signal);
    } catch {
      // The repair finds it.
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
