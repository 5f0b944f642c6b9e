import { PAGE_BYTES } from '../database/sqlite.ts';
import { readFully, withFile } from '../files/file-io.ts';
import type { Salts } from './high-water-mark.ts';

/** A damaged frame of the log, with the fields that were readable. */
export interface WalDamage {
  /** Counts from 1, as SQLite does. */
  readonly frame: number;
  readonly offset: number;
  readonly page: number;
  /** Complete commits after it: more than one means that acknowledged ones are lost. */
  readonly laterCommits: number;
}

/** The content of a write-ahead log as SQLite reads it. */
export type WalContents =
  | { readonly kind: 'missing' | 'empty' | 'damagedHeader' }
  | {
      readonly kind: 'frames';
      readonly salts: Salts;
      /** Number of readable commits, and the last frame of the last of them. */
      readonly commits: number;
      readonly frames: number;
      /** Pages in these commits. */
      readonly pages: ReadonlySet<number>;
      readonly damage: WalDamage | undefined;
    };

export const WAL_HEADER_BYTES = 32;
export const FRAME_HEADER_BYTES = 24;
export const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES;
const CHUNK_FRAMES = 256;
const MAGIC = 0x377f0682;
const FORMAT = 3_007_000;

interface Checksum {
  readonly a: number;
  readonly b: number;
}

/** Reads the log as SQLite's recovery does (sqlite.org/walformat.html), and also examines the frames behind its end. */
export function readWal(path: string): WalContents {
  const contents = withFile(path, (descriptor, size): WalContents => {
    if (size === 0) return { kind: 'empty' };
    const header = Buffer.alloc(WAL_HEADER_BYTES);
    const format = readFully(descriptor, header, 0) === WAL_HEADER_BYTES ? headerOf(header) : undefined;
    if (format === undefined) return { kind: 'damagedHeader' };
    const walk = new Walk(format);
    const chunk = Buffer.from(new ArrayBuffer(CHUNK_FRAMES * FRAME_BYTES));
    for (let at = WAL_HEADER_BYTES; at < size; at += chunk.length) {
      const read = readFully(descriptor, chunk, at);
      for (let i = 0; i + FRAME_BYTES <= read; i += FRAME_BYTES)
        walk.visit(chunk.subarray(i, i + FRAME_BYTES));
    }
    return walk.contents();
  });
  return contents ?? { kind: 'missing' };
}

interface WalHeader {
  readonly salts: Salts;
  readonly bigEndian: boolean;
  readonly checksum: Checksum;
}

function headerOf(header: Buffer): WalHeader | undefined {
  const magic = header.readUInt32BE(0);
  const bigEndian = (magic & 1) === 1;
  const checksum = checksumOf(header.subarray(0, 24), { a: 0, b: 0 }, bigEndian);
  const isWhole =
    (magic & ~1) === MAGIC &&
    header.readUInt32BE(4) === FORMAT &&
    header.readUInt32BE(8) === PAGE_BYTES &&
    header.readUInt32BE(24) === checksum.a &&
    header.readUInt32BE(28) === checksum.b;
  return isWhole ? { salts: header.toString('hex', 16, 24), bigEndian, checksum } : undefined;
}

class Walk {
  readonly #header: WalHeader;
  readonly #pages = new Set<number>();
  #pending: number[] = [];
  #checksum: Checksum;
  #frame = 0;
  #commits = 0;
  #lastCommitFrame = 0;
  #damage: Omit<WalDamage, 'laterCommits'> | undefined;
  #laterCommits = 0;

  constructor(header: WalHeader) {
    this.#header = header;
    this.#checksum = header.checksum;
  }

  visit(frame: Buffer): void {
    this.#frame++;
    const page = frame.readUInt32BE(0);
    const isCommit = frame.readUInt32BE(4) > 0;
    const isWhole = this.#isWhole(frame);
    // Frames after a damaged one are checked from the checksum stored in it.
    this.#checksum = storedChecksum(frame);
    if (this.#damage !== undefined) {
      if (isWhole && isCommit) this.#laterCommits++;
    } else if (!isWhole) {
      this.#damage = { frame: this.#frame, offset: this.#offset(), page };
    } else {
      this.#pending.push(page);
      if (isCommit) this.#commit();
    }
  }

  contents(): WalContents {
    return {
      kind: 'frames',
      salts: this.#header.salts,
      commits: this.#commits,
      frames: this.#lastCommitFrame,
      pages: this.#pages,
      damage: this.#damage === undefined ? undefined : { ...this.#damage, laterCommits: this.#laterCommits },
    };
  }

  #commit(): void {
    for (const page of this.#pending) this.#pages.add(page);
    this.#pending = [];
    this.#commits++;
    this.#lastCommitFrame = this.#frame;
  }

  /** The frame belongs to this generation of the log and follows the one before. */
  #isWhole(frame: Buffer): boolean {
    const { bigEndian, salts } = this.#header;
    if (frame.readUInt32BE(0) === 0 || frame.toString('hex', 8, 16) !== salts) return false;
    const head = checksumOf(frame.subarray(0, 8), this.#checksum, bigEndian);
    const { a, b } = checksumOf(frame.subarray(FRAME_HEADER_BYTES), head, bigEndian);
    const stored = storedChecksum(frame);
    return a === stored.a && b === stored.b;
  }

  #offset(): number {
    return WAL_HEADER_BYTES + (this.#frame - 1) * FRAME_BYTES;
  }
}

const storedChecksum = (frame: Buffer): Checksum => ({
  a: frame.readUInt32BE(16),
  b: frame.readUInt32BE(20),
});

/** SQLite's checksum of the log: two sums over pairs of 32-bit words. */
function checksumOf(bytes: Buffer, seed: Checksum, bigEndian: boolean): Checksum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let { a, b } = seed;
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + view.getUint32(at, !bigEndian) + b) >>> 0;
    b = (b + view.getUint32(at + 4, !bigEndian) + a) >>> 0;
  }
  return { a, b };
}
