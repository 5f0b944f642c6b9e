import { closeSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { messageOf } from '@orch/machinery/error-message';
import { type Revision, StoreError } from '../../store.ts';
import { type Query, query } from '../database/sqlite.ts';
import { readFully } from '../files/file-io.ts';
import type { StoreFiles } from '../files/store-files.ts';
import { MarkFile } from './high-water-mark.ts';
import { PageSums } from './page-sums.ts';
import { FRAME_BYTES, FRAME_HEADER_BYTES, WAL_HEADER_BYTES } from './wal-file.ts';
import { lastVersions, readFramePages, readWalIndex, type WalIndex } from './wal-index.ts';

/** Commits after which the mark is synced: the maximum that it lags behind after a power failure. */
const SYNC_COMMITS = 64;
const CHUNK_FRAMES = 256;

/**
 * Updates the high-water mark and the checksums of pages together with the database (docs/designs/0009). Belongs to
 * the write connection, and alone checkpoints the write-ahead log.
 */
export class FileGuard {
  readonly #files: StoreFiles;
  readonly #mark: MarkFile;
  readonly #sums: PageSums;
  readonly #chunk = Buffer.allocUnsafeSlow(CHUNK_FRAMES * FRAME_BYTES);
  readonly #checkpoint: { readonly passive: Query; readonly restart: Query };
  /** Number of frames, of the log generation in the mark, that the checksums include. */
  #summedFrames = 0;
  #unsyncedCommits = 0;
  #warning: string | undefined;
  /** The log was checkpointed completely: SQLite may restart it with any commit. */
  #mayBeginAnew = true;
  /** The mark may not name the log with the last commit: it could not be written, or a crash came before. */
  #isUnmarked = true;
  /** The last revision; undefined before the first commit. */
  #rev: Revision | undefined;

  constructor(files: StoreFiles, db: DatabaseSync) {
    this.#files = files;
    this.#mark = MarkFile.open(files.mark);
    const sums = PageSums.read(files.sums);
    if (typeof sums === 'string') throw new StoreError('corrupt', `${files.sums} is ${sums}`);
    this.#sums = sums;
    this.#checkpoint = {
      passive: query(db, 'PRAGMA wal_checkpoint(PASSIVE)'),
      restart: query(db, 'PRAGMA wal_checkpoint(RESTART)'),
    };
  }

  /**
   * Must be called before every transaction. Throws when the mark cannot name the log: after a crash, a log that the mark does not
   * name is undamaged only when it is the next one and has one commit.
   */
  prepare(): void {
    if (!this.#isUnmarked) return;
    const { salts, frames } = readWalIndex(this.#files.walIndex);
    const { mark } = this.#mark;
    const next = { rev: this.#rev ?? mark.rev, sumsSequence: this.#sums.sequence };
    // SQLite chooses new salts for an empty log, which are not the next ones.
    if (frames === 0 && mark.state === 'open') this.#mark.change({ ...next, state: 'clean' });
    if (frames > 0 && salts !== mark.salts) this.#mark.change({ ...next, state: 'open', salts });
    this.#isUnmarked = false;
  }

  /** Must be called after every durable commit, before it is acknowledged. Does not throw: the commit is valid. */
  committed(rev: Revision): void {
    this.#rev = rev;
    try {
      this.#raiseMark(rev);
    } catch (error) {
      this.#isUnmarked ||= this.#mayBeginAnew;
      const message = messageOf(error);
      this.#warning = `the high-water mark ${this.#files.mark} cannot be written: ${message}`;
    }
  }

  /** The last failure without consequences since the last call, if any. */
  takeWarning(): string | undefined {
    const warning = this.#warning;
    this.#warning = undefined;
    return warning;
  }

  /** Used bytes of the log. */
  logBytes(): number {
    return readWalIndex(this.#files.walIndex).frames * FRAME_BYTES;
  }

  /** Checkpoints the log as far as readers allow, without waiting for them; returns true when all of it was copied. */
  copyBack(): boolean {
    return this.#copyBack(this.#checkpoint.passive);
  }

  /** SQLite has not restarted the log since it was checkpointed completely. */
  get mayBeginAnew(): boolean {
    return this.#mayBeginAnew;
  }

  /**
   * Checkpoints all of the log and waits for readers, so that the next commit restarts it. The file is never truncated
   * while the mark refers to it: an empty log counts as damage.
   */
  endGeneration(): void {
    if (!this.#copyBack(this.#checkpoint.restart))
      throw new StoreError('unavailable', 'the write-ahead log is in use');
  }

  /** Checkpoints everything into the database, after which the log is not needed. */
  finish(rev: Revision): void {
    this.endGeneration();
    this.#mark.change({ state: 'clean', rev, sumsSequence: this.#sums.sequence });
  }

  close(): void {
    this.#mark.close();
  }

  #raiseMark(rev: Revision): void {
    const sumsSequence = this.#sums.sequence;
    if (this.#mayBeginAnew) {
      const { salts } = readWalIndex(this.#files.walIndex);
      const { mark } = this.#mark;
      if (salts !== mark.salts || mark.state !== 'open') {
        this.#mark.change({ state: 'open', salts, rev, sumsSequence });
        this.#mayBeginAnew = false;
        this.#summedFrames = 0;
        return;
      }
    }
    this.#mark.advance(rev, sumsSequence);
    this.#unsyncedCommits++;
    if (this.#unsyncedCommits < SYNC_COMMITS) return;
    this.#unsyncedCommits = 0;
    this.#mark.syncSoon();
  }

  #copyBack(checkpoint: Query): boolean {
    this.prepare();
    const index = readWalIndex(this.#files.walIndex);
    if (index.frames > 0) {
      this.#sum(index);
      this.#sums.resize(index.pages);
      this.#sums.write(this.#files.sums);
    }
    const [busy, frames, copied] = checkpoint.get() ?? [];
    const complete = busy === 0 && frames === copied;
    if (complete) this.#mayBeginAnew = true;
    return complete;
  }

  /** Updates the checksums from the frames that they do not include yet; the last version of a page counts. */
  #sum({ frames, salts, pages }: WalIndex): void {
    if (salts !== this.#mark.mark.salts) this.#summedFrames = 0;
    this.#sums.resize(Math.max(pages, this.#sums.pages));
    const known = this.#summedFrames;
    const found = readFramePages(this.#files.walIndex, known, frames);
    const last = lastVersions(found, pages);
    const descriptor = openSync(this.#files.wal, 'r');
    try {
      for (let at = 0; at < last.length; ) {
        const run = runLength(last, at);
        this.#sumRun(descriptor, known + (last[at] ?? 0), run);
        at += run;
      }
    } finally {
      closeSync(descriptor);
    }
    this.#summedFrames = frames;
  }

  #sumRun(descriptor: number, first: number, count: number): void {
    const bytes = this.#chunk.subarray(0, count * FRAME_BYTES);
    const read = readFully(descriptor, bytes, WAL_HEADER_BYTES + first * FRAME_BYTES);
    if (read < bytes.length) throw new StoreError('corrupt', `${this.#files.wal} is shorter than it was`);
    for (let at = 0; at < bytes.length; at += FRAME_BYTES) {
      const page = bytes.subarray(at + FRAME_HEADER_BYTES, at + FRAME_BYTES);
      this.#sums.set(bytes.readUInt32BE(at), crc32(page));
    }
  }
}

/** Length of the run of consecutive numbers from `at` on, limited to the size of one read. */
function runLength(numbers: readonly number[], at: number): number {
  let count = 1;
  while (count < CHUNK_FRAMES && numbers[at + count] === (numbers[at] ?? 0) + count) count++;
  return count;
}
