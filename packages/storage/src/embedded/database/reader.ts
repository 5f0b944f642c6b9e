import type { DatabaseSync } from 'node:sqlite';
import { compareKeys, inRange, type KeyRange } from '../../keys.ts';
import type { PartRead } from '../../scan-pages.ts';
import {
  type KvEvent,
  type Page,
  type ReadableKeyValue,
  type Revision,
  StoreError,
  type WatchBatch,
} from '../../store.ts';
import { PastVersions, type Replaced } from './past-versions.ts';
import { query, type Row } from './sqlite.ts';

export interface PageLimits {
  readonly limit?: number;
  readonly byteBudget?: number;
}

export interface PartLimits extends PageLimits {
  /** Also when the keys of the whole range expire. */
  readonly withExpiry?: boolean;
}

export interface TimedPart extends PartRead {
  /** Expiration of the keys of the range that expire, in epoch milliseconds. */
  readonly expiry?: ReadonlyMap<string, number>;
}

export interface PastLimits extends PageLimits {
  readonly at: Revision;
}

/** Maximum number of revisions and bytes of the log read at a time for a watch that is behind. */
const TAIL_REVISIONS = 1000;
const TAIL_BYTES = 4 * 1024 * 1024;

/** The read connection, in the main thread. Every method reads one consistent state of the store. */
export class Reader {
  readonly #db: DatabaseSync;
  readonly #sql: ReturnType<typeof statements>;
  readonly #past: PastVersions;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#sql = statements(db);
    this.#past = new PastVersions(db);
  }

  /**
   * The last revision in the log, and the revision through which history is compacted. Deletions at the end of the log
   * may be compacted as well.
   */
  state(): { readonly rev: Revision; readonly compacted: Revision; readonly id: string } {
    const [rev, compacted, id] = this.#sql.state.get() ?? [];
    return { rev: Number(rev ?? 0), compacted: Number(compacted), id: String(id) };
  }

  get(key: string): { readonly rev: Revision; readonly kv: ReadableKeyValue | undefined } {
    const [last, rev, createRevision, value] = this.#sql.get.get(key) ?? [];
    const kv = rev === null ? undefined : keyValue([key, rev, createRevision, value]);
    return { rev: Number(last ?? 0), kv };
  }

  nextExpiry(): number | undefined {
    const at = this.#sql.nextExpiry.get()?.[0];
    return typeof at === 'number' ? at : undefined;
  }

  /** The current state, at revision `acknowledged` or later. */
  page(range: KeyRange, limits: PageLimits, acknowledged: Revision): Page {
    return this.#transaction(() => {
      const { rev, items, more } = this.#present(range, limits, acknowledged);
      const count = more ? this.#countUnchanged(range, rev) : items.length;
      return { rev, items, more, count };
    });
  }

  /** The state at revision `at`. Long histories are scanned in steps, between which other work runs. */
  async pageAt(range: KeyRange, limits: PastLimits, signal: AbortSignal): Promise<Page> {
    const { at } = limits;
    await this.#past.prepare(at, signal);
    return this.#transaction(() => {
      const replaced = this.#replaced(range, at);
      const part = this.#partAt(range, limits, replaced);
      return { ...part, count: this.#countUnchanged(range, at) + replaced.length };
    });
  }

  /** As `page`, without the number of keys: counting takes time in proportion to the range. */
  part(range: KeyRange, limits: PartLimits, acknowledged: Revision): TimedPart {
    return this.#transaction(() => {
      const part = this.#present(range, limits, acknowledged);
      return limits.withExpiry === true ? { ...part, expiry: this.#expiry(range) } : part;
    });
  }

  /** As `pageAt`, without the number of keys. */
  async partAt(range: KeyRange, limits: PastLimits, signal: AbortSignal): Promise<TimedPart> {
    await this.#past.prepare(limits.at, signal);
    return this.#transaction(() => this.#partAt(range, limits, this.#replaced(range, limits.at)));
  }

  /** Events of the range in `(after, through]`, or a first part of them. */
  tail(range: KeyRange, after: Revision, through: Revision): WatchBatch {
    return this.#transaction(() => {
      this.#checkHistory(after);
      const events: KvEvent[] = [];
      const end = Math.min(through, after + TAIL_REVISIONS);
      let bytes = 0;
      for (const row of this.#sql.tail.iterate(after, end)) {
        const event = eventOf(row);
        const rev = Number(row[1]);
        if (event.type === 'put') bytes += event.kv.value?.length ?? 0;
        if (inRange(range, String(row[0]))) events.push(event);
        if (bytes >= TAIL_BYTES) return { rev, events };
      }
      return { rev: end, events };
    });
  }

  close(): void {
    this.#db.close();
  }

  #present(range: KeyRange, limits: PageLimits, acknowledged: Revision): PartRead {
    const { rev: last } = this.state();
    const rev = Math.max(last, acknowledged);
    const items = new PageItems(limits);
    for (const row of this.#sql.list.iterate(range.start, range.end, rev)) {
      if (!items.add(keyValue(row))) break;
    }
    return { rev, items: items.taken, more: items.full };
  }

  #expiry(range: KeyRange): ReadonlyMap<string, number> {
    const rows = this.#sql.expiry.all(range.start, range.end);
    return new Map(rows.map(([key, expires]) => [String(key), Number(expires)]));
  }

  #partAt(range: KeyRange, limits: PastLimits, replaced: readonly Replaced[]): PartRead {
    const { at } = limits;
    const items = new PageItems(limits);
    for (const kv of this.#merged(range, at, replaced)) if (!items.add(kv)) break;
    return { rev: at, items: items.taken, more: items.full };
  }

  #replaced(range: KeyRange, at: Revision): readonly Replaced[] {
    this.#checkHistory(at);
    return this.#past.replacedSince(at, range);
  }

  #countUnchanged(range: KeyRange, at: Revision): number {
    return Number(this.#sql.count.get(range.start, range.end, at)?.[0]);
  }

  /** Keys that have not changed since `at`, and old versions of those that have, merged in key order. */
  *#merged(range: KeyRange, at: Revision, replaced: readonly Replaced[]): Generator<ReadableKeyValue> {
    let next = 0;
    for (const row of this.#sql.list.iterate(range.start, range.end, at)) {
      const kv = keyValue(row);
      for (
        let old = replaced[next];
        old !== undefined && compareKeys(old.key, kv.key) < 0;
        old = replaced[++next]
      ) {
        yield this.#version(old);
      }
      yield kv;
    }
    for (let old = replaced[next]; old !== undefined; old = replaced[++next]) yield this.#version(old);
  }

  #version(old: Replaced): ReadableKeyValue {
    const row = this.#sql.version.get(old.rev);
    if (row !== undefined && row[3] !== null) return keyValue(row);
    throw new StoreError('corrupt', `the log lacks revision ${old.rev}, which a later one replaced`);
  }

  #checkHistory(rev: Revision): void {
    const { compacted } = this.state();
    if (rev >= compacted) return;
    throw compactedError(rev, compacted);
  }

  #transaction<T>(read: () => T): T {
    this.#sql.begin.run();
    try {
      return read();
    } finally {
      // SQLite ends the transaction itself after some read errors.
      if (this.#db.isTransaction) this.#sql.commit.run();
    }
  }
}

export function compactedError(requested: Revision, compacted: Revision): StoreError {
  return new StoreError(
    'compacted',
    `history before revision ${compacted} was compacted; requested ${requested}`,
    {
      compactRevision: compacted,
    },
  );
}

/** Collects items up to the limits, but at least one. */
class PageItems {
  readonly taken: ReadableKeyValue[] = [];
  full = false;
  readonly #limits: PageLimits;
  #bytes = 0;

  constructor(limits: PageLimits) {
    this.#limits = limits;
  }

  /** False when the item did not fit: the page ends before it. */
  add(kv: ReadableKeyValue): boolean {
    const { limit = Number.POSITIVE_INFINITY, byteBudget = Number.POSITIVE_INFINITY } = this.#limits;
    this.#bytes += Buffer.byteLength(kv.key) + kv.value.length;
    this.full = this.taken.length > 0 && (this.taken.length >= limit || this.#bytes > byteBudget);
    if (!this.full) this.taken.push(kv);
    return !this.full;
  }
}

function keyValue(row: Row): ReadableKeyValue {
  const [key, modRevision, createRevision, value] = row as [string, number, number, Uint8Array];
  return {
    key,
    value: Buffer.from(value.buffer, value.byteOffset, value.byteLength),
    createRevision,
    modRevision,
  };
}

function eventOf(row: Row): KvEvent {
  if (row[3] === null) return { type: 'delete', key: String(row[0]), modRevision: Number(row[1]) };
  return { type: 'put', kv: keyValue(row) };
}

function statements(db: DatabaseSync) {
  return {
    begin: query(db, 'BEGIN'),
    commit: query(db, 'COMMIT'),
    state: query(db, 'SELECT (SELECT max(rev) FROM log), compacted, identity.id FROM state, identity'),
    // One statement, so that the revision and the value belong to the same state.
    get: query(
      db,
      `SELECT (SELECT max(rev) FROM log), live.rev, live.create_rev, log.value
       FROM (SELECT 1) LEFT JOIN live ON live.key = ? LEFT JOIN log ON log.rev = live.rev`,
    ),
    // CROSS JOIN keeps the order of the loops: keys in order outside, their values inside.
    list: query(
      db,
      `SELECT live.key, live.rev, live.create_rev, log.value FROM live CROSS JOIN log ON log.rev = live.rev
       WHERE live.key >= ? AND live.key < ? AND live.rev <= ? ORDER BY live.key`,
    ),
    count: query(db, 'SELECT count(*) FROM live WHERE key >= ? AND key < ? AND rev <= ?'),
    version: query(db, 'SELECT key, rev, create_rev, value FROM log WHERE rev = ?'),
    tail: query(db, 'SELECT key, rev, create_rev, value FROM log WHERE rev > ? AND rev <= ? ORDER BY rev'),
    // The unary plus: few keys expire, so the index of those is used, not that of keys.
    expiry: query(db, 'SELECT key, expires FROM live WHERE expires IS NOT NULL AND +key >= ? AND +key < ?'),
    nextExpiry: query(db, 'SELECT min(expires) FROM live WHERE expires IS NOT NULL'),
  };
}
