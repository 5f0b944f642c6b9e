import type { Env } from '@orch/machinery';
import { isJsonObject, parseJson } from '@orch/machinery/json';
import { type KeyValue, makingRoom, prefixRange, readable, type Store } from '@orch/storage';

export interface SharedRecordsOptions {
  readonly store: Pick<Store, 'get' | 'list' | 'commit'>;
  /** Prefix of the keys in the store; ends with a slash. */
  readonly prefix: string;
  readonly env: Pick<Env, 'clock'>;
  /** Age after which a record expires. */
  readonly expiryMs: number;
  /** Age after which a server writes its record again; a day by default. */
  readonly renewalMs?: number;
}

/** A record of a server. */
export interface SharedRecord {
  readonly id: string;
  /** The fields of the record, unchecked. */
  readonly content: Readonly<Record<string, unknown>>;
  /** Time of the last write by a server, in epoch milliseconds. */
  readonly seenAt: number;
  readonly stored: KeyValue;
}

export interface ReadRecords {
  readonly current: readonly SharedRecord[];
  /** The expired ones. */
  readonly expired: readonly SharedRecord[];
  /** There are more records than the limit. */
  readonly more: boolean;
}

const DAY_MS = 24 * 3_600_000;
/** Maximum number of records that are read. */
export const MOST_RECORDS = 1000;

/** Records that the servers of a cluster share in the store, one key each, and renew periodically. */
export class SharedRecords {
  readonly #options: SharedRecordsOptions;

  constructor(options: SharedRecordsOptions) {
    this.#options = options;
  }

  /** Writes a record, unless a server has written it recently. */
  async publish(id: string, content: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    const { store, prefix, env, renewalMs = DAY_MS } = this.#options;
    const key = `${prefix}${id}`;
    const { kv } = await store.get(key, signal);
    const published = kv === undefined ? undefined : readRecord(kv, prefix);
    const now = env.clock.now();
    const isSame = Object.entries(content).every(([field, text]) => published?.content[field] === text);
    if (published !== undefined && isSame && now - published.seenAt < renewalMs) return;
    const value = Buffer.from(JSON.stringify({ ...content, seenAt: new Date(now).toISOString() }));
    // On a conflict another server has written the same record.
    await store.commit(
      makingRoom(
        kv === undefined
          ? { op: 'create', key, value }
          : { op: 'update', key, value, expected: kv.modRevision },
      ),
      signal,
    );
  }

  async read(signal: AbortSignal): Promise<ReadRecords> {
    const { store, prefix, env, expiryMs } = this.#options;
    const { items, more } = await store.list(prefixRange(prefix), { limit: MOST_RECORDS }, signal);
    const all = items.flatMap((item) => readRecord(item, prefix) ?? []);
    const isCurrent = ({ seenAt }: SharedRecord): boolean => env.clock.now() - seenAt < expiryMs;
    return { current: all.filter(isCurrent), expired: all.filter((one) => !isCurrent(one)), more };
  }

  /** Deletes a record, unless it was renewed meanwhile. */
  async remove({ stored: { key, modRevision } }: SharedRecord, signal: AbortSignal): Promise<void> {
    await this.#options.store.commit({ op: 'delete', key, expected: modRevision }, signal);
  }
}

/** Undefined for a value without a time. */
function readRecord(stored: KeyValue, prefix: string): SharedRecord | undefined {
  try {
    const content = parseJson(readable(stored).value);
    if (!isJsonObject(content)) return undefined;
    const seenAt = Date.parse(String(content['seenAt']));
    return Number.isNaN(seenAt)
      ? undefined
      : { id: stored.key.slice(prefix.length), content, seenAt, stored };
  } catch {
    return undefined;
  }
}
