import { type ExactNumber, exactInteger } from '@orch/machinery/json';

/** Strings up to this length are written by hand, which is faster than a call into the runtime. */
const SHORT_TEXT = 48;

/**
 * Writes the Protobuf wire format into one growing buffer. Messages inside messages are written in place and their
 * length is put before them afterwards, so nothing is measured twice.
 */
export class ProtobufWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(initialBytes = 1024) {
    this.#bytes = Buffer.allocUnsafe(initialBytes);
  }

  /** The bytes written so far: a view that the next write may invalidate. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Begins again with nothing written, in the same memory. */
  clear(): void {
    this.#length = 0;
  }

  /** A field of wire type 2 with the UTF-8 encoding of `text`. */
  string(field: number, text: string): void {
    this.#tag(field, 2);
    if (text.length <= SHORT_TEXT && this.#ascii(text)) return;
    const size = Buffer.byteLength(text);
    this.#varint(size);
    this.#reserve(size);
    this.#bytes.write(text, this.#length, size, 'utf8');
    this.#length += size;
  }

  /** A field of wire type 2 with these bytes. */
  bytes(field: number, bytes: Uint8Array): void {
    this.#tag(field, 2);
    this.#varint(bytes.length);
    this.append(bytes);
  }

  /** Fields that are encoded already. */
  append(fields: Uint8Array): void {
    this.#reserve(fields.length);
    this.#bytes.set(fields, this.#length);
    this.#length += fields.length;
  }

  /** A field of wire type 0; `value` is a whole number from 0 to 2^53. */
  uint(field: number, value: number): void {
    this.#tag(field, 0);
    this.#varint(value);
  }

  /** A field of wire type 0 with a whole number of 64 bits; negative ones in two's complement, as ten bytes. */
  int64(field: number, value: number | bigint | ExactNumber): void {
    if (typeof value === 'number' && value >= 0 && Number.isSafeInteger(value)) {
      this.uint(field, value);
      return;
    }
    const exact = typeof value === 'bigint' ? value : exactInteger(value);
    if (exact === undefined) throw new TypeError('not a whole number');
    this.#tag(field, 0);
    this.#bigVarint(BigInt.asUintN(64, exact));
  }

  bool(field: number, value: boolean): void {
    this.uint(field, value ? 1 : 0);
  }

  /** A field of wire type 1. */
  double(field: number, value: number): void {
    this.#tag(field, 1);
    this.#reserve(8);
    this.#length = this.#bytes.writeDoubleLE(value, this.#length);
  }

  /** A field of wire type 2 with the message that `write` writes. */
  message(field: number, write: () => void): void {
    const start = this.open(field);
    write();
    this.close(start);
  }

  /** Begins a field of wire type 2: everything written until `close` is called with the result is its content. */
  open(field: number): number {
    this.#tag(field, 2);
    const start = this.#length;
    // One byte is enough for the length of most messages; longer ones are moved.
    this.#reserve(1);
    this.#length++;
    return start;
  }

  close(start: number): void {
    const size = this.#length - start - 1;
    const lengthBytes = varintSize(size);
    if (lengthBytes > 1) {
      this.#reserve(lengthBytes - 1);
      this.#bytes.copyWithin(start + lengthBytes, start + 1, this.#length);
    }
    // There is room for the length already; reserving more here would lose the bytes after it.
    this.#length = start;
    this.#putVarint(size);
    this.#length += size;
  }

  /** Writes a short text with its length, unless it holds characters of several bytes. */
  #ascii(text: string): boolean {
    const size = text.length;
    this.#reserve(1 + size);
    const bytes = this.#bytes;
    const start = this.#length + 1;
    for (let i = 0; i < size; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) return false;
      bytes[start + i] = code;
    }
    bytes[this.#length] = size;
    this.#length = start + size;
    return true;
  }

  #tag(field: number, wireType: number): void {
    const tag = field * 8 + wireType;
    if (tag < 0x80) {
      this.#reserve(1);
      this.#bytes[this.#length++] = tag;
    } else this.#varint(tag);
  }

  #varint(value: number): void {
    this.#reserve(10);
    this.#putVarint(value);
  }

  #putVarint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  #bigVarint(value: bigint): void {
    this.#reserve(10);
    let rest = value;
    while (rest >= 0x80n) {
      this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + size));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

/** Bytes that a whole number from 0 to 2^53 takes. */
export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}
