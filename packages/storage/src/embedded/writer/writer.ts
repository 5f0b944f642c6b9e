import type { DatabaseSync } from 'node:sqlite';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import { messageOf } from '@orch/machinery/error-message';
import type { SideWrite } from '../../extensions/write-extensions.ts';
import { type Revision, StoreError } from '../../store.ts';
import { query, resultCode, SQLITE_FULL } from '../database/sqlite.ts';
import type { FileGuard } from '../integrity/file-guard.ts';
import type { SpaceReserve } from '../space/space-reserve.ts';
import { CREATE, DELETE, type DecodedWrite, decodeBatch, Results } from './batch-codec.ts';
import type { EncodedBatch, Progress, Reply } from './protocol.ts';

/** The version of a key that exists. */
interface LiveVersion {
  readonly rev: Revision;
  readonly createRevision: Revision;
}

type Failed = Extract<Reply, { type: 'failed' }>;
type Outcome = Pick<Extract<Reply, { type: 'committed' }>, 'results' | 'currents'>;

/** The outcomes of the batches of a transaction. */
interface Applied {
  readonly type: 'applied';
  readonly outcomes: readonly Outcome[];
}

/** Recently written or compared keys whose versions are known, so that a compare needs no query. */
const CACHED_KEYS = 16_384;

/** Revisions that one step of the sweep covers: about a millisecond of work. */
const SWEEP_REVISIONS = 256;

/**
 * The only connection that writes. Every request is one transaction: durable, or without effect. Synchronous: it runs
 * in the writer thread.
 */
export class Writer {
  readonly #db: DatabaseSync;
  readonly #sql: ReturnType<typeof statements>;
  readonly #guard: FileGuard;
  readonly #space: SpaceReserve;
  /** Undefined for keys that do not exist. */
  readonly #live = new BoundedCache<string, LiveVersion | undefined>({ maxEntries: CACHED_KEYS });
  #rev: Revision;
  #compacted: Revision;
  #swept: Revision;
  /** A commit failed: until `#recover` succeeds, it is unknown which part of it is on disk. */
  #doubtful = false;

  constructor(db: DatabaseSync, guard: FileGuard, space: SpaceReserve) {
    this.#db = db;
    this.#guard = guard;
    this.#space = space;
    this.#sql = statements(db);
    const [last, compacted, swept] = this.#sql.state.get() ?? [];
    this.#compacted = Number(compacted);
    this.#swept = Number(swept);
    // Compaction may have removed the last rows of the log, when they were deletions.
    this.#rev = Math.max(Number(last ?? 0), this.#compacted, 1);
  }

  get rev(): Revision {
    return this.#rev;
  }

  /** Whether compaction has left rows for `sweep`. */
  get sweepPending(): boolean {
    return this.#swept < this.#compacted && !this.#doubtful;
  }

  /**
   * Starts a generation of the write-ahead log without content of earlier sessions: frames that a crash has left
   * behind its end cannot become valid later. Must be called first; returns an error message, if it failed.
   */
  begin(): string | undefined {
    this.#space.restore();
    const begun = this.#begun();
    // On a full disk the previous generation continues: nothing is lost, and reads and deletions may work.
    return begun.type === 'failed' ? begun.message : undefined;
  }

  /** Checks whether a full store has space again: restarts the log, which truncates its file, and reserves space. */
  checkSpace(): void {
    if (!this.#space.isFull) return;
    this.#endGeneration();
    this.#touch();
    this.#space.restore();
  }

  #begun(): Reply {
    const problem = this.#endGeneration();
    const reply = this.#touch();
    if (problem === undefined && reply.type !== 'failed') return reply;
    // The reserve has been freed by now.
    this.#endGeneration();
    return this.#touch();
  }

  #touch(): Reply {
    return this.#transaction<Reply>('beginning', () => {
      this.#sql.touch.run();
      return { type: 'done' };
    });
  }

  /**
   * Commits batches of several threads as one transaction; returns a reply for each. When there is no space for all, the writes
   * that make room are applied and the others refused.
   */
  commit(encoded: readonly EncodedBatch[]): readonly Reply[] {
    const batches = encoded.map(({ meta, bytes }) => decodeBatch(meta, bytes));
    const size = encoded.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (batches.some((writes) => writes.some((write) => !write.makesRoom))) this.#space.admit(size);
    const applied = this.#applyAll(batches);
    // The reserve has been freed by now.
    const isFull = applied.type === 'failed' && applied.code === 'full';
    const result = isFull ? this.#applyAll(batches) : applied;
    if (result.type === 'failed') return batches.map(() => result);
    const progress: Progress = { rev: this.#rev, expires: firstExpiry(batches) };
    return result.outcomes.map((outcome) => ({ type: 'committed', ...outcome, ...progress }));
  }

  #applyAll(batches: readonly (readonly DecodedWrite[])[]): Failed | Applied {
    const onlyRoom = this.#space.isFull;
    return this.#transaction('writing', () => ({
      type: 'applied',
      outcomes: batches.map((writes) => this.#apply(writes, onlyRoom)),
    }));
  }

  #apply(writes: readonly DecodedWrite[], onlyRoom: boolean): Outcome {
    const results = Results.of(writes.length);
    let currents: Map<number, Uint8Array> | undefined;
    for (const [index, write] of writes.entries()) {
      if (onlyRoom && !write.makesRoom) {
        results.refused(index);
        continue;
      }
      const lostTo = this.#write(write, index, results);
      if (lostTo === undefined) continue;
      currents ??= new Map();
      currents.set(index, this.#value(lostTo.rev));
    }
    return { results: results.values, currents };
  }

  expire(now: number, limit: number): Reply {
    return this.#transaction<Reply>('expiring keys', () => {
      const keys: string[] = [];
      const firstRev = this.#rev + 1;
      for (const [key, rev] of this.#sql.due.all(now, limit)) {
        this.#remove(String(key), Number(rev));
        keys.push(String(key));
      }
      const next = this.#sql.nextExpiry.get()?.[0];
      return { type: 'expired', keys, firstRev, next: typeof next === 'number' ? next : undefined };
    });
  }

  /** Compacts history before `through`; `sweep` then frees the space. */
  compact(through: Revision): Reply {
    const reply = this.#transaction<Reply>('compacting', () => {
      this.#sql.setCompacted.run(through);
      return { type: 'done' } as const;
    });
    if (reply.type === 'done') this.#compacted = Math.max(this.#compacted, through);
    return reply;
  }

  /** Deletes some rows that compaction made obsolete; returns an error message, if it failed. */
  sweep(): string | undefined {
    const from = this.#swept;
    const to = Math.min(this.#compacted, from + SWEEP_REVISIONS);
    const reply = this.#transaction<Reply>('sweeping', () => {
      this.#sql.dropReplaced.run(from, to);
      this.#sql.dropDeletions.run(from, to);
      this.#sql.setSwept.run(to);
      return { type: 'done' } as const;
    });
    if (reply.type === 'failed') return reply.message;
    this.#swept = to;
    return undefined;
  }

  /**
   * Checkpoints the write-ahead log as far as readers allow, without waiting for them; returns an error message, if it
   * failed.
   */
  checkpoint(): string | undefined {
    return this.#copying(() => void this.#guard.copyBack());
  }

  #endGeneration(): string | undefined {
    return this.#copying(() => this.#guard.endGeneration());
  }

  #copying(copy: () => void): string | undefined {
    try {
      copy();
      return undefined;
    } catch (error) {
      // Nothing is lost: commits stay in the write-ahead log.
      const failure = this.#space.failureOf(error, 'copying the write-ahead log back');
      if (!(failure instanceof StoreError)) throw error;
      if (failure.code === 'full') this.#space.release();
      return failure.message;
    }
  }

  /** Checkpoints everything and closes the database; returns an error message, if it failed. The log keeps the rest. */
  close(): string | undefined {
    let problem: string | undefined;
    try {
      if (this.#doubtful) this.#recover();
      this.#guard.finish(this.#rev);
    } catch (error) {
      problem = messageOf(error);
    }
    this.#guard.close();
    this.#db.close();
    return problem;
  }

  /** Applies one write; returns the conflicting version, if there is one. */
  #write(write: DecodedWrite, index: number, results: Results): LiveVersion | undefined {
    const current = this.#current(write.key);
    const expected = write.op === CREATE ? 0 : write.expected;
    if ((current?.rev ?? 0) !== expected) {
      const { rev: modRevision, createRevision } = current ?? { rev: 0, createRevision: 0 };
      results.lost(index, this.#rev, { createRevision, modRevision });
      return current;
    }
    if (!write.guards.every(({ key, revision }) => this.#current(key)?.rev === revision)) {
      results.guardFailed(index, this.#rev);
    } else {
      const rev = this.#rev + 1;
      const createRevision = write.op === DELETE ? 0 : this.#put(write, current);
      if (write.op === DELETE) this.#remove(write.key, expected);
      const isAlone = write.also.length > 0 && this.#space.isFull;
      for (const side of write.also) this.#writeSide(side, rev, isAlone);
      results.won(index, rev, createRevision, isAlone);
    }
    return undefined;
  }

  /** Takes one revision, also for the deletion of an absent key, so that the revisions of all events are known. */
  #writeSide({ key, value }: SideWrite, commitRevision: Revision, onlyDeletes: boolean): void {
    const current = this.#current(key);
    if (value === undefined) {
      if (current === undefined) this.#rev++;
      else this.#remove(key, current.rev);
      return;
    }
    if (onlyDeletes) return;
    const rev = ++this.#rev;
    const createRevision = current?.createRevision ?? commitRevision;
    this.#sql.append.run(rev, current?.rev ?? 0, createRevision, key, value);
    if (current === undefined) this.#sql.insertLive.run(key, rev, createRevision, null);
    else this.#sql.updateLive.run(rev, null, key);
    this.#live.set(key, { rev, createRevision });
  }

  /** The create revision of the key. */
  #put(write: DecodedWrite, current: LiveVersion | undefined): Revision {
    const { key, value } = write;
    const expires = write.expires === 0 ? null : write.expires;
    const rev = ++this.#rev;
    const createRevision = current?.createRevision ?? rev;
    this.#sql.append.run(rev, current?.rev ?? 0, createRevision, key, value);
    if (current === undefined) this.#sql.insertLive.run(key, rev, createRevision, expires);
    else this.#sql.updateLive.run(rev, expires, key);
    this.#live.set(key, { rev, createRevision });
    return createRevision;
  }

  #remove(key: string, replaced: Revision): void {
    this.#sql.append.run(++this.#rev, replaced, 0, key, null);
    this.#sql.deleteLive.run(key);
    this.#live.set(key, undefined);
  }

  #current(key: string): LiveVersion | undefined {
    if (this.#live.has(key)) return this.#live.get(key);
    const row = this.#sql.live.get(key);
    const version = row === undefined ? undefined : { rev: Number(row[0]), createRevision: Number(row[1]) };
    this.#live.set(key, version);
    return version;
  }

  #value(rev: Revision): Uint8Array {
    const value = this.#sql.value.get(rev)?.[0];
    if (value instanceof Uint8Array) return value;
    throw new StoreError('corrupt', `the log has no value at revision ${rev}, which a key holds`);
  }

  #transaction<T>(doing: string, work: () => T): T | Failed {
    const before = this.#rev;
    let committing = false;
    try {
      if (this.#doubtful) this.#recover();
      this.#guard.prepare();
      this.#sql.begin.run();
      const reply = work();
      committing = true;
      this.#sql.commit.run();
      this.#guard.committed(this.#rev);
      return reply;
    } catch (error) {
      this.#rev = before;
      this.#live.clear();
      // On a full disk the last frame of the commit was not written: without it, there is no commit.
      this.#doubtful ||= committing && resultCode(error) !== SQLITE_FULL;
      return this.#failure(error, doing, committing);
    }
  }

  #failure(error: unknown, doing: string, committing: boolean): Failed {
    const failure = this.#space.failureOf(error, doing);
    if (!(failure instanceof StoreError)) throw error;
    try {
      // Recovery from the failed commit may need the space, too.
      if (failure.code === 'full') this.#space.release();
      if (this.#db.isTransaction) this.#sql.rollback.run();
      if (this.#doubtful) this.#recover();
    } catch (cause) {
      const message = `${failure.message}; and recovery failed: ${messageOf(cause)}`;
      const isUnknown = committing && this.#doubtful;
      return { type: 'failed', code: isUnknown ? 'outcomeUnknown' : failure.code, message };
    }
    return { type: 'failed', code: failure.code, message: failure.message };
  }

  /**
   * Ensures that a failed commit never becomes valid. Its frames may be complete in the write-ahead log, where
   * recovery after a crash would apply them. A checkpoint, followed by a durable write that restarts the log, changes
   * its salts: older frames in it are invalid from then on.
   */
  #recover(): void {
    if (this.#db.isTransaction) this.#sql.rollback.run();
    this.#guard.endGeneration();
    this.#sql.touch.run();
    this.#guard.committed(this.#rev);
    if (this.#guard.mayBeginAnew) throw new StoreError('unavailable', 'the write-ahead log is in use');
    this.#doubtful = false;
  }
}

/** When the first of the keys expires, in epoch milliseconds. */
function firstExpiry(batches: readonly (readonly DecodedWrite[])[]): number | undefined {
  let first = Number.POSITIVE_INFINITY;
  for (const writes of batches)
    for (const { expires } of writes) if (expires > 0 && expires < first) first = expires;
  return Number.isFinite(first) ? first : undefined;
}

function statements(db: DatabaseSync) {
  return {
    begin: query(db, 'BEGIN IMMEDIATE'),
    commit: query(db, 'COMMIT'),
    rollback: query(db, 'ROLLBACK'),
    state: query(db, 'SELECT (SELECT max(rev) FROM log), compacted, swept FROM state'),
    live: query(db, 'SELECT rev, create_rev FROM live WHERE key = ?'),
    value: query(db, 'SELECT value FROM log WHERE rev = ?'),
    append: query(db, 'INSERT INTO log (rev, prev_rev, create_rev, key, value) VALUES (?, ?, ?, ?, ?)'),
    insertLive: query(db, 'INSERT INTO live (key, rev, create_rev, expires) VALUES (?, ?, ?, ?)'),
    updateLive: query(db, 'UPDATE live SET rev = ?, expires = ? WHERE key = ?'),
    deleteLive: query(db, 'DELETE FROM live WHERE key = ?'),
    due: query(
      db,
      'SELECT key, rev FROM live WHERE expires IS NOT NULL AND expires <= ? ORDER BY expires LIMIT ?',
    ),
    nextExpiry: query(db, 'SELECT min(expires) FROM live WHERE expires IS NOT NULL'),
    setCompacted: query(db, 'UPDATE state SET compacted = max(compacted, ?)'),
    // SQLite does not write an update without a change.
    touch: query(db, 'UPDATE identity SET generation = generation + 1'),
    setSwept: query(db, 'UPDATE state SET swept = ?'),
    dropReplaced: query(
      db,
      'DELETE FROM log WHERE rev IN (SELECT prev_rev FROM log WHERE rev > ? AND rev <= ? AND prev_rev > 0)',
    ),
    dropDeletions: query(db, 'DELETE FROM log WHERE rev > ? AND rev <= ? AND value IS NULL'),
  };
}
