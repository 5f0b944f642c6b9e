import { parseIp } from '@orch/machinery/net';
import { type KeyValue, makingRoom, prefixRange, type Store } from '@orch/storage';

/** Address at which a replica serves the API. */
export interface ReplicaAddress {
  readonly ip: string;
  readonly port: number;
}

export interface ReplicaLeasesOptions {
  readonly store: Store;
  /** Prefix of the keys, ending with a slash. */
  readonly prefix: string;
  readonly ttlSeconds: number;
}

/** Maximum number of published replicas. */
const MAX_REPLICAS = 1000;
const MAX_ATTEMPTS = 4;

/**
 * Leases of replicas: each is a key that the store removes when it is not renewed in time. Two replicas at the same
 * address share a key.
 */
export class ReplicaLeases {
  readonly #options: ReplicaLeasesOptions;
  #own: KeyValue | undefined;

  constructor(options: ReplicaLeasesOptions) {
    this.#options = options;
  }

  /** Renews the lease of the replica at `address` for another ttl. */
  async renew(address: ReplicaAddress, signal: AbortSignal): Promise<void> {
    const { store, ttlSeconds } = this.#options;
    const key = this.#keyOf(address);
    const value = Buffer.from('{}');
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const expected = this.#own?.modRevision;
      const committed = await store.commit(
        makingRoom(
          expected === undefined
            ? { op: 'create', key, value, ttlSeconds }
            : { op: 'update', key, value, expected, ttlSeconds },
        ),
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

  /** Replicas with a valid lease, ordered by port and address. */
  async alive(signal: AbortSignal): Promise<readonly ReplicaAddress[]> {
    const { store, prefix } = this.#options;
    const { items } = await store.list(prefixRange(prefix), { limit: MAX_REPLICAS, keysOnly: true }, signal);
    return items.flatMap(({ key }) => addressOf(key.slice(prefix.length)) ?? []);
  }

  /** Deletes the lease of this replica. */
  async leave(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS && this.#own !== undefined; attempt++) {
      const { key, modRevision } = this.#own;
      const gone = await this.#options.store.commit({ op: 'delete', key, expected: modRevision }, signal);
      // A renewal with an unknown outcome may have been committed after the known revision.
      this.#own = gone.ok ? undefined : gone.current;
    }
  }

  #keyOf({ ip, port }: ReplicaAddress): string {
    return `${this.#options.prefix}${String(port).padStart(5, '0')}/${ip}`;
  }
}

/** Reads `06443/10.0.0.1`; undefined for any other key. */
function addressOf(text: string): ReplicaAddress | undefined {
  const match = /^(\d{5})\/(.+)$/.exec(text);
  const ip = match?.[2] ?? '';
  const port = Number(match?.[1]);
  return match !== null && parseIp(ip) !== undefined && port > 0 && port <= 65_535 ? { ip, port } : undefined;
}
