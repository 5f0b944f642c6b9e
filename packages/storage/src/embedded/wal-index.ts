import { readFully, withFile } from './file-io.ts';
import type { Salts } from './high-water-mark.ts';

/** What SQLite's index of its write-ahead log says about the log in use. */
export interface WalIndex {
  readonly salts: Salts;
  /** The last frame of the last commit; 0 when the log is empty. */
  readonly frames: number;
  /** Pages of the database, with what the log holds. */
  readonly pages: number;
}

const HEADER_BYTES = 48;
const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/**
 * Reads the index (sqlite.org/walformat.html, section 2). It is shared memory of the connections: only right while
 * one of them is open, and read by the thread that writes.
 */
export function readWalIndex(path: string): WalIndex {
  const header = Buffer.alloc(HEADER_BYTES);
  const read = withFile(path, (descriptor) => readFully(descriptor, header, 0));
  if (read !== HEADER_BYTES) throw new Error(`${path} is no index of a write-ahead log`);
  const word = (at: number) => (isLittleEndian ? header.readUInt32LE(at) : header.readUInt32BE(at));
  return { salts: header.toString('hex', 32, 40), frames: word(16), pages: word(20) };
}
