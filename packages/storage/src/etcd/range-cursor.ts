import { compareKeys, keyAfter, prefixRange } from '../keys.ts';
import type { KeyRange } from '../store.ts';

/** What etcd said to a request for the cursor's piece. */
export interface PieceAnswer {
  readonly limit: number;
  readonly keys: readonly { readonly key: string }[];
  /** Keys of the piece, these included. */
  readonly count: number;
}

/** So many keys may be counted for every answer: that takes etcd less than a millisecond. */
const COUNTED_FREELY = 2_000;
/** Where answers have many keys, so many times their number. */
const COUNTED_PER_KEY = 12;

/**
 * Where the next request of a scan begins and ends. etcd counts all keys between the two for every answer, however few
 * it returns: a request that ends where the scan does makes the scan quadratic. Hence it asks for pieces: all keys that
 * begin with some prefix. The keys of an answer show how long a prefix is that an answer spans. The next pieces are its
 * neighbours of the same length; when one of them has few keys, the rest of what a shorter prefix begins, and then the
 * neighbours of that one.
 */
export class RangeCursor {
  readonly #end: string;
  #start: string;
  /** End of the piece: no later than `#end`. */
  #bound: string;
  /** Keys read of the piece. */
  #read = 0;
  /** The piece is all that its prefix begins, and not the rest of it: its size tells that of its neighbours. */
  #whole = false;
  /** How much shorter the prefix becomes when a whole piece has few keys; grows while they have none. */
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

  /** Moves behind what was answered; false when the range is read. */
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

  /** The piece is read; the next one begins where it ended. */
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

  /** Ends the piece with the keys that begin with `prefix`, unless it ends before. */
  #endWith(prefix: string): void {
    if (prefix === '') return;
    const { end } = prefixRange(prefix);
    if (compareKeys(end, this.#bound) < 0) this.#bound = end;
  }
}

/** How many units two keys have in common at their beginning. */
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
