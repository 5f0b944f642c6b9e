import { approximateNumber, exactInteger, isExactNumber } from '../json/index.ts';
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
  SELF_DESCRIBED,
  SIMPLE,
  TRUE,
  UNSIGNED,
} from './major-types.ts';
import { float16Bits } from './numbers.ts';

const INITIAL_BYTES = 1024;
/** A head with its argument. */
const MAX_HEAD = 9;
/** Arguments below it are part of the first byte. */
const ONE_BYTE = 24;

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** A document: JSON data as one data item that is marked as CBOR. */
export function writeCbor(value: unknown): Buffer {
  const writer = new CborWriter();
  writer.raw(SELF_DESCRIBED);
  writer.value(value);
  return writer.take();
}

/**
 * Writes data items. Strings are byte strings, as other servers of this API write them: clients of typed languages read
 * them into text and, where the field has bytes, as their Base64.
 */
export class CborWriter {
  #bytes = Buffer.allocUnsafe(INITIAL_BYTES);
  #at = 0;

  /** What was written since the last call. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#at);
    this.#bytes = this.#bytes.subarray(this.#at);
    this.#at = 0;
    return taken;
  }

  /** Appends items that are encoded already. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Begins a map whose end is written by `end`. */
  beginMap(): void {
    this.#begin(MAP);
  }

  /** Begins an array whose end is written by `end`. */
  beginArray(): void {
    this.#begin(ARRAY);
  }

  /** Ends the map or array that began last. */
  end(): void {
    this.#reserve(1);
    this.#bytes[this.#at] = BREAK;
    this.#at += 1;
  }

  /** A string of UTF-8. */
  utf8(bytes: Uint8Array): void {
    this.#head(BYTES, bytes.length);
    this.raw(bytes);
  }

  text(text: string): void {
    const length = Buffer.byteLength(text);
    this.#head(BYTES, length);
    this.#reserve(length);
    this.#at += this.#bytes.write(text, this.#at);
  }

  /** Any JSON data; fields that are `undefined` count as absent. */
  value(value: unknown): void {
    switch (typeof value) {
      case 'string':
        this.text(value);
        return;
      case 'number':
        this.#number(value);
        return;
      case 'boolean':
        this.#head(SIMPLE, value ? TRUE : FALSE);
        return;
      default:
        this.#object(value);
    }
  }

  #object(value: unknown): void {
    if (value === null || value === undefined) this.#head(SIMPLE, NULL);
    else if (Array.isArray(value)) {
      this.#head(ARRAY, value.length);
      for (const item of value) this.value(item);
    } else if (isExactNumber(value)) this.#exact(value);
    else this.#fields(value as Readonly<Record<string, unknown>>);
  }

  #fields(fields: Readonly<Record<string, unknown>>): void {
    const names = Object.keys(fields).filter((name) => fields[name] !== undefined);
    this.#head(MAP, names.length);
    for (const name of names) {
      this.text(name);
      this.value(fields[name]);
    }
  }

  #number(value: number): void {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) this.#fraction(value);
    else if (value >= 0) this.#head(UNSIGNED, value);
    else this.#head(NEGATIVE, -1 - value);
  }

  /** A number that a double does not hold: an integer where 64 bits do, else the nearest double. */
  #exact(value: unknown): void {
    const integer = exactInteger(value);
    if (integer === undefined || integer < MIN_INT64 || integer > MAX_INT64)
      this.#fraction(approximateNumber(value) ?? 0);
    else if (integer >= 0n) this.#head(UNSIGNED, integer);
    else this.#head(NEGATIVE, -1n - integer);
  }

  /** A number in the fewest bits that hold it. */
  #fraction(value: number): void {
    this.#reserve(MAX_HEAD);
    const bits = float16Bits(value);
    if (bits !== undefined) {
      this.#first(SIMPLE, FLOAT16);
      this.#at = this.#bytes.writeUInt16BE(bits, this.#at);
    } else if (Math.fround(value) === value) {
      this.#first(SIMPLE, FLOAT32);
      this.#at = this.#bytes.writeFloatBE(value, this.#at);
    } else {
      this.#first(SIMPLE, FLOAT64);
      this.#at = this.#bytes.writeDoubleBE(value, this.#at);
    }
  }

  #begin(major: number): void {
    this.#reserve(1);
    this.#first(major, INDEFINITE);
  }

  #head(major: number, argument: number | bigint): void {
    this.#reserve(MAX_HEAD);
    if (argument < ONE_BYTE) this.#first(major, Number(argument));
    else if (argument <= 0xff) {
      this.#first(major, ONE_BYTE);
      this.#at = this.#bytes.writeUInt8(Number(argument), this.#at);
    } else if (argument <= 0xffff) {
      this.#first(major, ONE_BYTE + 1);
      this.#at = this.#bytes.writeUInt16BE(Number(argument), this.#at);
    } else if (argument <= 0xffff_ffff) {
      this.#first(major, ONE_BYTE + 2);
      this.#at = this.#bytes.writeUInt32BE(Number(argument), this.#at);
    } else {
      this.#first(major, ONE_BYTE + 3);
      this.#at = this.#bytes.writeBigUInt64BE(BigInt(argument), this.#at);
    }
  }

  #first(major: number, info: number): void {
    this.#bytes[this.#at] = (major << 5) | info;
    this.#at += 1;
  }

  #reserve(length: number): void {
    const needed = this.#at + length;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2, INITIAL_BYTES));
    this.#bytes.copy(grown, 0, 0, this.#at);
    this.#bytes = grown;
  }
}
