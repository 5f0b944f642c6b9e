import { closeSync, fdatasync, fdatasyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Revision } from '../../store.ts';
import { readIfPresent, writeFully } from '../files/file-io.ts';

/** Identifies one generation of SQLite's write-ahead log: 8 bytes in hexadecimal. */
export type Salts = string;

/**
 * - `adopting`: the store is being created, or upgraded from a version without these files.
 * - `open`: acknowledged commits may be in the log with these `salts`.
 * - `clean`: everything is in the database.
 */
export type MarkState = 'adopting' | 'open' | 'clean';

/** Facts about a store that are kept independently of its database and log. */
export interface Mark {
  /** Identity of the store: 16 bytes in hexadecimal, the same in every file of the set. */
  readonly id: string;
  readonly state: MarkState;
  /** Every acknowledged commit has this revision or a smaller one. May lag behind after a power failure. */
  readonly rev: Revision;
  readonly salts: Salts;
  /** Sequence number of the newest page checksums when the mark was written. */
  readonly sumsSequence: number;
}

const MAGIC = 'orchmark';
const FORMAT = 1;
const STATES: readonly MarkState[] = ['adopting', 'open', 'clean'];
const SLOT_BYTES = 68;
const CHECKED_BYTES = 64;
/** One sector each, far enough apart that no device writes both in one operation. */
const SLOT_OFFSETS = [0, 4096] as const;
const FILE_BYTES = 8192;
const NO_SALTS = '0000000000000000';

/** The newest valid slot of the two. */
export function readMark(path: string): Mark | 'missing' | 'damaged' {
  const found = readNewest(path);
  return typeof found === 'string' ? found : found.mark;
}

function readNewest(path: string): { mark: Mark; sequence: number } | 'missing' | 'damaged' {
  const bytes = readIfPresent(path);
  if (bytes === undefined) return 'missing';
  const slots = SLOT_OFFSETS.map((at) => decode(bytes.subarray(at, at + SLOT_BYTES)));
  const whole = slots.filter((slot) => slot !== undefined).toSorted((a, b) => b.sequence - a.sequence);
  return whole[0] ?? 'damaged';
}

/**
 * Writes the mark in place, to its two slots alternately, so that one of them is valid at any time. A write reaches
 * the kernel before `advance` returns and survives the end of the process; it is durable after `change`, or some time
 * after `syncSoon`.
 */
export class MarkFile {
  readonly #descriptor: number;
  readonly #buffer = Buffer.alloc(SLOT_BYTES);
  #mark: Mark;
  #sequence: number;
  #syncing = false;
  #closed = false;

  private constructor(descriptor: number, mark: Mark, sequence: number) {
    this.#descriptor = descriptor;
    this.#mark = mark;
    this.#sequence = sequence;
  }

  /** Opens the mark of an existing store. */
  static open(path: string): MarkFile {
    const found = readNewest(path);
    if (typeof found === 'string') throw new Error(`${path} is ${found}`);
    return new MarkFile(openSync(path, 'r+'), found.mark, found.sequence);
  }

  /** Creates the mark, or replaces it. A crash leaves no part of it; its name is durable once the directory is synced. */
  static create(path: string, id: string): MarkFile {
    const mark: Mark = { id, state: 'adopting', rev: 0, salts: NO_SALTS, sumsSequence: 0 };
    const fresh = `${path}.new`;
    const file = new MarkFile(openSync(fresh, 'w', 0o600), mark, 0);
    try {
      writeFully(file.#descriptor, Buffer.alloc(FILE_BYTES), 0);
      file.change(mark);
      renameSync(fresh, path);
      return file;
    } catch (error) {
      file.close();
      rmSync(fresh, { force: true });
      throw error;
    }
  }

  get mark(): Mark {
    return this.#mark;
  }

  /** Raises the revision without syncing. */
  advance(rev: Revision, sumsSequence: number): void {
    if (rev === this.#mark.rev && sumsSequence === this.#mark.sumsSequence) return;
    const mark = { ...this.#mark, rev, sumsSequence };
    this.#write(mark);
    this.#mark = mark;
  }

  /** Writes a new state to both slots and syncs it. */
  change(next: Partial<Mark>): void {
    const mark = { ...this.#mark, ...next };
    for (const _ of SLOT_OFFSETS) this.#write(mark);
    fdatasyncSync(this.#descriptor);
    this.#mark = mark;
  }

  /** Starts a sync without waiting for it. */
  syncSoon(): void {
    if (this.#syncing || this.#closed) return;
    this.#syncing = true;
    fdatasync(this.#descriptor, () => {
      // After a failure the mark on disk is older, until the next sync.
      this.#syncing = false;
      if (this.#closed) closeSync(this.#descriptor);
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#syncing) closeSync(this.#descriptor);
  }

  #write(mark: Mark): void {
    const sequence = this.#sequence + 1;
    encode(this.#buffer, mark, sequence);
    writeFully(this.#descriptor, this.#buffer, SLOT_OFFSETS[sequence % 2 === 0 ? 0 : 1]);
    this.#sequence = sequence;
  }
}

function encode(target: Buffer, mark: Mark, sequence: number): void {
  target.write(MAGIC, 0, 'latin1');
  target.writeUInt16LE(FORMAT, 8);
  target.writeUInt16LE(STATES.indexOf(mark.state), 10);
  target.writeUInt32LE(mark.sumsSequence, 12);
  target.writeDoubleLE(sequence, 16);
  target.writeDoubleLE(mark.rev, 24);
  target.write(mark.salts, 32, 8, 'hex');
  target.write(mark.id, 48, 16, 'hex');
  target.writeUInt32LE(crc32(target.subarray(0, CHECKED_BYTES)), CHECKED_BYTES);
}

function decode(slot: Buffer): { mark: Mark; sequence: number } | undefined {
  if (slot.length < SLOT_BYTES || slot.toString('latin1', 0, 8) !== MAGIC) return undefined;
  if (slot.readUInt32LE(CHECKED_BYTES) !== crc32(slot.subarray(0, CHECKED_BYTES))) return undefined;
  const state = STATES[slot.readUInt16LE(10)];
  if (slot.readUInt16LE(8) !== FORMAT || state === undefined) return undefined;
  const mark: Mark = {
    id: slot.toString('hex', 48, 64),
    state,
    rev: slot.readDoubleLE(24),
    salts: slot.toString('hex', 32, 40),
    sumsSequence: slot.readUInt32LE(12),
  };
  return { mark, sequence: slot.readDoubleLE(16) };
}
