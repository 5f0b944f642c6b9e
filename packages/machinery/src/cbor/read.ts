import type { Work } from '../concurrency/index.ts';
import { MAX_JSON_DEPTH, noteWidth, setField } from '../json/index.ts';
import { CborError } from './cbor-error.ts';
import { ItemHeads } from './item-heads.ts';
import {
  ARRAY,
  BREAK,
  BYTES,
  FALSE,
  FLOAT16,
  FLOAT32,
  FLOAT64,
  INDEFINITE,
  MAP,
  NEGATIVE,
  NULL,
  TAG,
  TEXT,
  TRUE,
  UNSIGNED,
} from './major-types.ts';
import { float16, fractionOf, integerOf } from './numbers.ts';
import { type LaterEncoding, readString } from './strings.ts';
import { readTags, type Tags } from './tags.ts';

export interface ReadCborOptions {
  /** Numbers with a fraction of zero keep it, so that integer fields can refuse them. */
  readonly keepSpelling?: boolean;
  readonly maxDepth?: number;
}

/** An array or a map whose end has not been read. */
interface Open {
  readonly list: unknown[] | undefined;
  readonly fields: Record<string, unknown>;
  /** Items to come; -1 if a byte ends them. */
  left: number;
  /** The key whose value comes next. */
  key: string | undefined;
  width: number;
  readonly later: LaterEncoding | undefined;
}

/** Bytes that are read at once: some milliseconds. */
const PIECE_BYTES = 64 * 1024;

/**
 * Reads one data item as JSON data (RFC 8949). Byte strings are text, unless a tag announces an encoding of text for them.
 * Duplicate keys, keys that are not strings, numbers that JSON does not have and bytes after the item are refused.
 */
export function readCbor(bytes: Buffer, options: ReadCborOptions = {}): unknown {
  const reading = new Reading(bytes, options);
  reading.readUntil(bytes.length);
  return reading.result();
}

/** As `readCbor`, in pieces. */
export function* readCborInPieces(bytes: Buffer, options: ReadCborOptions = {}): Work<unknown> {
  const reading = new Reading(bytes, options);
  for (let end = PIECE_BYTES; !reading.readUntil(end); end += PIECE_BYTES) yield;
  return reading.result();
}

/** The state of reading: the containers that are open, from the outermost to the innermost. */
class Reading {
  readonly #heads: ItemHeads;
  readonly #keepSpelling: boolean;
  readonly #maxDepth: number;
  readonly #open: Open[] = [];
  #isDone = false;
  #result: unknown;

  constructor(bytes: Buffer, { keepSpelling = false, maxDepth = MAX_JSON_DEPTH }: ReadCborOptions) {
    this.#heads = new ItemHeads(bytes);
    this.#keepSpelling = keepSpelling;
    this.#maxDepth = maxDepth;
  }

  /** Reads items that start before `end`; reports whether the data item is complete. */
  readUntil(end: number): boolean {
    while (!this.#isDone && (this.#heads.at < end || end >= this.#heads.bytes.length)) this.#step();
    return this.#isDone;
  }

  result(): unknown {
    const { remaining, at } = this.#heads;
    if (remaining > 0) throw new CborError('there are bytes after the data item', at);
    return this.#result;
  }

  /** Reads a key or the head of a value, or ends a container. */
  #step(): void {
    const top = this.#open.at(-1);
    if (top === undefined) this.#value(undefined);
    else if (this.#ends(top)) this.#close();
    else if (top.list === undefined && top.key === undefined) top.key = this.#key(top);
    else this.#value(top.later);
  }

  #ends(top: Open): boolean {
    if (top.key !== undefined) return false;
    if (top.left >= 0) return top.left === 0;
    if (this.#heads.bytes[this.#heads.at] !== BREAK) return false;
    this.#heads.at += 1;
    return true;
  }

  #close(): void {
    const closed = this.#open.pop();
    if (closed === undefined) return;
    if (closed.list === undefined) noteWidth(closed.fields, closed.width);
    this.#place(closed.list ?? closed.fields);
  }

  /** Puts a complete value where it belongs. */
  #place(value: unknown): void {
    const top = this.#open.at(-1);
    if (top === undefined) {
      this.#result = value;
      this.#isDone = true;
      return;
    }
    if (top.list !== undefined) top.list.push(value);
    else setField(top.fields, top.key ?? '', value);
    top.key = undefined;
    top.width += 1;
    if (top.left > 0) top.left -= 1;
  }

  #key(top: Open): string {
    const heads = this.#heads;
    const start = heads.at;
    heads.next();
    if (heads.major !== TEXT && heads.major !== BYTES)
      throw new CborError('a key of a map must be a string', start);
    const key = readString(heads, undefined);
    if (Object.hasOwn(top.fields, key)) throw new CborError('a map has a key twice', start);
    return key;
  }

  #value(inherited: LaterEncoding | undefined): void {
    const heads = this.#heads;
    const start = heads.at;
    heads.next();
    const tags = heads.major === TAG ? readTags(heads, inherited) : { later: inherited };
    if (heads.major === ARRAY || heads.major === MAP) this.#begin(tags, start);
    else this.#place(this.#scalar(tags, start));
  }

  #begin({ later, time }: Tags, start: number): void {
    if (time !== undefined) throw new CborError('a time must be a string or a number', start);
    if (this.#open.length >= this.#maxDepth) throw new CborError('the nesting is too deep', start);
    const heads = this.#heads;
    const left = heads.info === INDEFINITE ? -1 : heads.length();
    const list = heads.major === ARRAY ? [] : undefined;
    this.#open.push({ list, fields: {}, left, key: undefined, width: 0, later });
  }

  #scalar({ later, time }: Tags, start: number): unknown {
    const heads = this.#heads;
    const value = this.#untagged(later, start);
    if (time === undefined) return value;
    return time(value, heads.major, start);
  }

  #untagged(later: LaterEncoding | undefined, start: number): unknown {
    const heads = this.#heads;
    switch (heads.major) {
      case UNSIGNED:
      case NEGATIVE:
        if (heads.info === INDEFINITE) throw new CborError('an integer must have a value', start);
        return integerOf(heads.argument, heads.major === NEGATIVE, start);
      case BYTES:
      case TEXT:
        return readString(heads, later);
      default:
        return this.#simple(start);
    }
  }

  #simple(start: number): unknown {
    const { info, argument, at, bytes } = this.#heads;
    switch (info) {
      case FALSE:
        return false;
      case TRUE:
        return true;
      case NULL:
        return null;
      case FLOAT16:
        return fractionOf(float16(Number(argument)), this.#keepSpelling, start);
      case FLOAT32:
        return fractionOf(bytes.readFloatBE(at - 4), this.#keepSpelling, start);
      case FLOAT64:
        return fractionOf(bytes.readDoubleBE(at - 8), this.#keepSpelling, start);
      default:
        throw new CborError('a value must be a boolean, null or a number', start);
    }
  }
}
