import type { KeyRange } from '../../keys.ts';
import { compareKeys, keyAfter, prefixRange } from '../../keys.ts';

/** Etcd's answer to a request for the cursor's piece. */
export interface PieceAnswer {
  readonly limit: number;
  readonly keys: readonly { readonly key: string }[];
  /** Keys of the piece, these included. */
  readonly count: number;
}

/** Maximum number of keys counted for an answer: that takes etcd less than a millisecond. */
const COUNTED_FREELY = 2_000;
/** For answers with many keys, the maximum relative to their number. */
const COUNTED_PER_KEY = 12;

/**
 * Start and end of the next request of a scan. etcd counts all keys between the two for every answer, however few it
 * returns: with the end of the scan as the end of every request, the scan would be quadratic. Hence a request covers a
 * piece: all keys with a prefix. The keys of an answer show the length of a prefix that an answer spans. The next
 * pieces are the neighbours with prefixes of that length; after one with few keys, the rest of the keys with a shorter
 * prefix, and then the neighbours of that prefix.
 */
export class RangeCursor {
  readonly #end: string;
  #start: string;
  /** End of the piece: no later than `#end`. */
  #bound: string;
  /** Keys read of the piece. */
  #read = 0;
  /** The piece has all keys with its prefix, not only the rest: its size predicts that of its neighbours. */
  #whole = false;
  /** Units by which the prefix is shortened when a whole piece has few keys; grows while pieces are empty. */
  #step = 1;

  constructor(range: KeyRange) {
    this.#start = range.start;
    this.#end = range.end;
    this.#bound = range.end;
  }

  get start(): string {
    return this.#start;
  }

  get bound(): string {
    return this.#bound;
  }

  /** Advances past an answer; returns false when the range has been read. */
  advance({ keys, count, limit }: PieceAnswer): boolean {
    const first = keys[0]?.key;
    const last = keys.at(-1)?.key;
    this.#read += keys.length;
    if (first === undefined || last === undefined || count <= keys.length) return this.#leavePiece(limit);
    this.#start = keyAfter(last);
    this.#step = 1;
    if (count - keys.length > Math.max(COUNTED_FREELY, COUNTED_PER_KEY * limit)) {
      this.#begin(cut(last, sharedLength(first, last) + 1), false);
    }
    return true;
  }

  /** The piece has been read; the next one starts at its end. */
  #leavePiece(limit: number): boolean {
    if (this.#bound === this.#end) return false;
    const isFull = this.#read * 2 >= limit;
    const next = this.#bound;
    this.#start = next;
    this.#bound = this.#end;
    if (this.#read > 0) this.#step = 1;
    if (isFull || !this.#whole) {
      this.#begin(next, true);
    } else {
      this.#begin(cut(next, next.length - this.#step), false);
      this.#step *= 2;
    }
    return true;
  }

  #begin(prefix: string, whole: boolean): void {
    this.#endWith(prefix);
    this.#whole = whole;
    this.#read = 0;
  }

  /** Sets the end of the piece to the end of the keys with `prefix`, unless it ends before. */
  #endWith(prefix: string): void {
    if (prefix === '') return;
    const { end } = prefixRange(prefix);
    if (compareKeys(end, this.#bound) < 0) this.#bound = end;
  }
}

/** Length of the common prefix of two keys. */
function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

/** The first `length` units of `text`, without half a surrogate pair. */
function cut(text: string, length: number): string {
  const part = text.slice(0, Math.max(0, length));
  const lastUnit = part.charCodeAt(part.length - 1);
  return lastUnit >= 0xd800 && lastUnit < 0xdc00 ? part.slice(0, -1) : part;
}
