import { readFully, withFile } from '../files/file-io.ts';
import type { Salts } from './high-water-mark.ts';

/** Header of SQLite's index of its write-ahead log. */
export interface WalIndex {
  readonly salts: Salts;
  /** The last frame of the last commit; 0 when the log is empty. */
  readonly frames: number;
  /** Number of pages of the database, including those in the log. */
  readonly pages: number;
}

const HEADER_BYTES = 48;
/** Offset of the page numbers, and their number in the first block and in the others. */
const FIRST_BYTES = 136;
const FIRST_FRAMES = 4062;
const BLOCK_FRAMES = 4096;
const BLOCK_BYTES = 32_768;
const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/**
 * Reads the index (sqlite.org/walformat.html, section 2). It is shared memory of the connections: valid only while one
 * of them is open, and when read by the thread that writes.
 */
export function readWalIndex(path: string): WalIndex {
  const header = Buffer.alloc(HEADER_BYTES);
  const read = withFile(path, (descriptor) => readFully(descriptor, header, 0));
  if (read !== HEADER_BYTES) throw new Error(`${path} is not an index of a write-ahead log`);
  const word = (at: number) => (isLittleEndian ? header.readUInt32LE(at) : header.readUInt32BE(at));
  return { salts: header.toString('hex', 32, 40), frames: word(16), pages: word(20) };
}

/** The page numbers of the frames after `known`, in order; `frames` is the last frame. */
export function readFramePages(path: string, known: number, frames: number): Uint32Array {
  const pages = new Uint32Array(Math.max(0, frames - known));
  withFile(path, (descriptor) => {
    for (let done = 0; done < pages.length; ) {
      const { offset, left } = placeOf(known + done);
      const part = pages.subarray(done, done + left);
      const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
      if (readFully(descriptor, bytes, offset) !== bytes.length) throw new Error(`${path} is too short`);
      done += part.length;
    }
  });
  return pages;
}

/** Offset of the page number of a frame (counted from 0), and how many page numbers are contiguous from there on. */
function placeOf(frame: number): { readonly offset: number; readonly left: number } {
  if (frame < FIRST_FRAMES) return { offset: FIRST_BYTES + 4 * frame, left: FIRST_FRAMES - frame };
  const after = frame - FIRST_FRAMES;
  const inBlock = after % BLOCK_FRAMES;
  const block = 1 + Math.floor(after / BLOCK_FRAMES);
  return { offset: block * BLOCK_BYTES + 4 * inBlock, left: BLOCK_FRAMES - inBlock };
}

/** The frames with the last version of a page, as indexes into `pages`, in order. */
export function lastVersions(pages: Uint32Array, databasePages: number): number[] {
  const taken = new Uint8Array(databasePages + 1);
  const last: number[] = [];
  for (let i = pages.length - 1; i >= 0; i--) {
    const page = pages[i] ?? 0;
    // Pages beyond the end of the database were truncated later.
    if (page > databasePages || taken[page] === 1) continue;
    taken[page] = 1;
    last.push(i);
  }
  return last.reverse();
}
