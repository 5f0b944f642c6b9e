import { closeSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { type Revision, StoreError } from '../../store.ts';
import { type Query, query } from '../database/sqlite.ts';
import { readFully } from '../files/file-io.ts';
import type { StoreFiles } from '../files/store-files.ts';
import { MarkFile } from './high-water-mark.ts';
import { PageSums } from './page-sums.ts';
import { FRAME_BYTES, FRAME_HEADER_BYTES, WAL_HEADER_BYTES } from './wal-file.ts';
import { lastVersions, readFramePages, readWalIndex, type WalIndex } from './wal-index.ts';

/** Commits after which the mark is synced. A loss of power leaves it that far behind at most. */
const SYNC_COMMITS = 64;
const CHUNK_FRAMES = 256;

/**
 * Keeps the high-water mark and the checksums of pages in step with the database (docs/designs/0009): belongs to the
 * connection that writes, and is the only one that copies the write-ahead log back.
 */
export class FileGuard {
  readonly #files: StoreFiles;
  readonly #mark: MarkFile;
  readonly #sums: PageSums;
  readonly #chunk = Buffer.allocUnsafeSlow(CHUNK_FRAMES * FRAME_BYTES);
  readonly #checkpoint: { readonly passive: Query; readonly restart: Query };
  /** Frames of the log, of the generation that the mark names, that the checksums know. */
  #summedFrames = 0;
  #unsyncedCommits = 0;
  #warning: string | undefined;
  /** The log was copied back completely: SQLite may begin it anew with any commit. */
  #mayBeginAnew = true;

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

  /** To be called after every durable commit, before anybody hears of it. Does not throw: the commit stands. */
  committed(rev: Revision): void {
    try {
      this.#raiseMark(rev);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#warning = `the high-water mark ${this.#files.mark} cannot be written: ${message}`;
    }
  }

  /** What failed without harm since the last call, if anything did. */
  takeWarning(): string | undefined {
    const warning = this.#warning;
    this.#warning = undefined;
    return warning;
  }

  /** Bytes of the log that are in use. */
  logBytes(): number {
    return readWalIndex(this.#files.walIndex).frames * FRAME_BYTES;
  }

  /** Copies the log back as far as readers allow, without waiting for them; true when all of it was. */
  copyBack(): boolean {
    return this.#copyBack(this.#checkpoint.passive);
  }

  /** SQLite has not begun the log anew since all of it was copied back. */
  get mayBeginAnew(): boolean {
    return this.#mayBeginAnew;
  }

  /**
   * Copies all of the log back and waits for readers, so that the next commit begins it anew. The file is never
   * emptied while the mark names it: an empty one is what damage looks like.
   */
  endGeneration(): void {
    if (!this.#copyBack(this.#checkpoint.restart))
      throw new StoreError('unavailable', 'the write-ahead log is in use');
  }

  /** Puts everything into the database, after which the log is not needed. */
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

  /** Takes the pages of the frames that are not known yet; the last version of a page counts. */
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

/** How many of the numbers from `at` on follow each other without a gap, as far as one read may take them. */
function runLength(numbers: readonly number[], at: number): number {
  let count = 1;
  while (count < CHUNK_FRAMES && numbers[at + count] === (numbers[at] ?? 0) + count) count++;
  return count;
}
