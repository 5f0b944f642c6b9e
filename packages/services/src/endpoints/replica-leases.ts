import { parseIp } from '@orch/machinery';
import type { KeyValue, Store } from '@orch/storage';
import { prefixRange } from '@orch/storage';

/** Where a replica serves the API. */
export interface ReplicaAddress {
  readonly ip: string;
  readonly port: number;
}

export interface ReplicaLeasesOptions {
  readonly store: Store;
  /** What the keys begin with, a slash at its end. */
  readonly prefix: string;
  readonly ttlSeconds: number;
}

/** More replicas than these are not announced. */
const MAX_REPLICAS = 1000;
const MAX_ATTEMPTS = 4;

/**
 * Which replicas are alive: each keeps a key that the store removes when it is not renewed in time. Two replicas at one
 * address share a key, as they share the address.
 */
export class ReplicaLeases {
  readonly #options: ReplicaLeasesOptions;
  #own: KeyValue | undefined;

  constructor(options: ReplicaLeasesOptions) {
    this.#options = options;
  }

  /** Says that the replica at `address` is alive, for another ttl. */
  async renew(address: ReplicaAddress, signal: AbortSignal): Promise<void> {
    const { store, ttlSeconds } = this.#options;
    const key = this.#keyOf(address);
    const value = Buffer.from('{}');
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const expected = this.#own?.modRevision;
      const committed = await store.commit(
        expected === undefined
          ? { op: 'create', key, value, ttlSeconds, makesRoom: true }
          : { op: 'update', key, value, expected, ttlSeconds, makesRoom: true },
        signal,
      );
      if (committed.ok) {
        this.#own = { key, value, createRevision: committed.rev, modRevision: committed.rev };
        return;
      }
      // It expired, or another server at this address wrote it.
      this.#own = committed.current;
    }
  }

  /** Replicas that are alive, by port and address. */
  async alive(signal: AbortSignal): Promise<readonly ReplicaAddress[]> {
    const { store, prefix } = this.#options;
    const { items } = await store.list(prefixRange(prefix), { limit: MAX_REPLICAS, keysOnly: true }, signal);
    return items.flatMap(({ key }) => addressOf(key.slice(prefix.length)) ?? []);
  }

  /** The replica is going away. */
  async leave(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS && this.#own !== undefined; attempt++) {
      const { key, modRevision } = this.#own;
      const gone = await this.#options.store.commit({ op: 'delete', key, expected: modRevision }, signal);
      // A renewal whose outcome was not known may have come after the one that is remembered.
      this.#own = gone.ok ? undefined : gone.current;
    }
  }

  #keyOf({ ip, port }: ReplicaAddress): string {
    return `${this.#options.prefix}${String(port).padStart(5, '0')}/${ip}`;
  }
}

/** Reads `06443/10.0.0.1`; undefined for a key of some other form. */
function addressOf(text: string): ReplicaAddress | undefined {
  const match = /^(\d{5})\/(.+)$/.exec(text);
  const ip = match?.[2] ?? '';
  const port = Number(match?.[1]);
  return match !== null && parseIp(ip) !== undefined && port > 0 && port <= 65_535 ? { ip, port } : undefined;
}
