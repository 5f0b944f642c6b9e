import { isJsonObject, parseJson } from '@orch/machinery/json';
import { type KeyValue, makingRoom, prefixRange, readable, type Store } from '@orch/storage';
import type { ReplicaSettings } from './replica-settings.ts';

export interface ReplicaRecordsOptions {
  readonly store: Pick<Store, 'list' | 'commit'>;
  /** Prefix of the keys, ending with a slash. */
  readonly prefix: string;
  /** Identifies this run of the replica. */
  readonly id: string;
  readonly ttlSeconds: number;
}

/** The record of a replica about itself. */
export interface ReplicaRecord {
  readonly id: string;
  /** Host and port, for messages. */
  readonly address: string;
  readonly settings: ReplicaSettings;
  /** Orders replicas by their start. */
  readonly since: number;
}

const MOST_REPLICAS = 1000;
const MOST_ATTEMPTS = 4;

/** A key of each replica, which the store removes when it is not renewed in time. */
export class ReplicaRecords {
  readonly #options: ReplicaRecordsOptions;
  #own: Pick<KeyValue, 'modRevision'> | undefined;

  constructor(options: ReplicaRecordsOptions) {
    this.#options = options;
  }

  /** Writes the record of this replica for another ttl. */
  async renew(address: string, settings: ReplicaSettings, signal: AbortSignal): Promise<void> {
    const { store, ttlSeconds } = this.#options;
    const value = Buffer.from(JSON.stringify({ address, settings }));
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const common = { key: this.#key, value, ttlSeconds } as const;
      const expected = this.#own?.modRevision;
      const committed = await store.commit(
        makingRoom(
          expected === undefined ? { op: 'create', ...common } : { op: 'update', ...common, expected },
        ),
        signal,
      );
      this.#own = committed.ok ? { modRevision: committed.rev } : committed.current;
      if (committed.ok) return;
    }
  }

  /** The records of all replicas that run, this one included. */
  async read(signal: AbortSignal): Promise<readonly ReplicaRecord[]> {
    const { store, prefix } = this.#options;
    const { items } = await store.list(prefixRange(prefix), { limit: MOST_REPLICAS }, signal);
    return items.flatMap((item) => readRecord(item, prefix) ?? []);
  }

  async remove(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS && this.#own !== undefined; attempt += 1) {
      const { modRevision: expected } = this.#own;
      const gone = await this.#options.store.commit({ op: 'delete', key: this.#key, expected }, signal);
      this.#own = gone.ok ? undefined : gone.current;
    }
  }

  get #key(): string {
    return `${this.#options.prefix}${this.#options.id}`;
  }
}

/** Undefined for a value of another form, which a later release may write. */
function readRecord(kv: KeyValue, prefix: string): ReplicaRecord | undefined {
  try {
    const { key, value, createRevision } = readable(kv);
    const content = parseJson(value);
    if (!isJsonObject(content) || !isJsonObject(content['settings'])) return undefined;
    const settings = Object.entries(content['settings']).map(([name, text]) => [name, String(text)] as const);
    return {
      id: key.slice(prefix.length),
      address: String(content['address']),
      settings: Object.fromEntries(settings),
      since: createRevision,
    };
  } catch {
    return undefined;
  }
}
