import { isUtf8 } from 'node:buffer';
import type { Work } from '@orch/machinery/concurrency';
import { type ExactNumber, jsonInteger, MAX_JSON_DEPTH } from '@orch/machinery/json';
import { ProtobufError } from './protobuf-error.ts';

/** The wire types. 3 and 4, the former groups, are only ever skipped. */
export type WireType = 0 | 1 | 2 | 5;

/** Findings of a strict reader: paths as in JSON, with numbers for fields whose names are unknown. */
export interface Remarks {
  readonly unknown: string[];
  readonly duplicate: string[];
}

/** Remarks beyond this number are not kept: a malicious message may contain thousands of unknown fields. */
const MAX_REMARKS = 100;

const HIGH = 0x1_0000_0000;

/** Bytes that are read in one piece: half a millisecond or so. */
const PIECE_BYTES = 16 * 1024;

/** Strings up to this length are scanned in JavaScript; longer ones by the runtime. */
const SHORT_TEXT = 48;

/**
 * Reads the Protobuf wire format from untrusted bytes. Every length is checked against its message, and messages nest
 * no deeper than JSON does, so that no input costs more than its size. Every failure is a `ProtobufError`.
 */
export class ProtobufReader {
  readonly #bytes: Buffer;
  /** All bytes as characters, made with the first text: cutting short strings out of it costs no call into the runtime. */
  #characters: string | undefined;
  #position = 0;
  /** End of the message that is being read. */
  #end: number;
  #depth = 0;
  /** Reading in pieces pauses here. */
  #pauseAt = PIECE_BYTES;
  #hasOddities = false;
  /** Path of the field that is being read; undefined when no remarks are collected. */
  readonly #trail: string[] | undefined;
  readonly #found: Remarks | undefined;
  /** The two halves of the last varint, unsigned. */
  #low = 0;
  #high = 0;

  /** With `remarks`, unknown and duplicate fields are recorded there by their paths, at some cost. */
  constructor(bytes: Buffer, remarks?: Remarks) {
    this.#bytes = bytes;
    this.#end = bytes.length;
    this.#found = remarks;
    this.#trail = remarks === undefined ? undefined : [];
  }

  /** Something was read that a strict reader remarks on: an unknown field with a value, or one that came twice. */
  get hasOddities(): boolean {
    return this.#hasOddities;
  }

  get tellsPaths(): boolean {
    return this.#trail !== undefined;
  }

  /** Reads a field, with its path on the trail of the remarks. */
  within(segment: string, read: () => void): void {
    this.#trail?.push(segment);
    read();
    this.#trail?.pop();
  }

  /** Fields are not in the order of their numbers, so some may be duplicates. */
  outOfOrder(): void {
    this.#hasOddities = true;
  }

  /** A field that may occur once is repeated. `segment` is its part of the path. */
  repeated(segment: string): void {
    this.#hasOddities = true;
    this.#remark(this.#found?.duplicate, segment);
  }

  /** Reads a field in pieces, with its path on the trail of the remarks. */
  *withinInPieces(segment: string, reading: Work<void>): Work<void> {
    this.#trail?.push(segment);
    yield* reading;
    this.#trail?.pop();
  }

  /** Whether many bytes were read since it last returned true: reading in pieces should yield. */
  isDue(): boolean {
    if (this.#position < this.#pauseAt) return false;
    this.#pauseAt = this.#position + PIECE_BYTES;
    return true;
  }

  /** Whether the value of wire type 2 that follows is so long that it is read in pieces. */
  isLong(): boolean {
    const before = this.#position;
    const isLong = this.#length() > PIECE_BYTES;
    this.#position = before;
    return isLong;
  }

  /** Something of the current message is left. */
  more(): boolean {
    return this.#position < this.#end;
  }

  /** Number of the next field times 8 plus its wire type. */
  tag(): number {
    this.#varint();
    if (this.#high !== 0) throw new ProtobufError(`field number out of range at byte ${this.#position}`);
    const tag = this.#low;
    if (tag < 8) throw new ProtobufError(`field number 0 at byte ${this.#position}`);
    return tag;
  }

  int32(): number {
    this.#varint();
    return this.#low | 0;
  }

  /** Exact: a plain number up to 2^53. */
  int64(): number | ExactNumber {
    this.#varint();
    const value = (this.#high | 0) * HIGH + this.#low;
    return Number.isSafeInteger(value) ? value : jsonInteger(this.#bigint());
  }

  /** As `int64`, for computing with. */
  bigint(): bigint {
    this.#varint();
    return this.#bigint();
  }

  bool(): boolean {
    this.#varint();
    return this.#low !== 0 || this.#high !== 0;
  }

  double(): number {
    const at = this.#take(8);
    const value = this.#bytes.readDoubleLE(at);
    if (!Number.isFinite(value)) throw new ProtobufError(`${value} is not a number that JSON knows`);
    return value;
  }

  string(): string {
    const size = this.#length();
    const at = this.#take(size);
    return this.#text(at, at + size);
  }

  /** A view of the bytes of a field of wire type 2. */
  view(): Buffer {
    const size = this.#length();
    const at = this.#take(size);
    return this.#bytes.subarray(at, at + size);
  }

  /** Enters a message, or packed numbers: `more` refers to its content until `leave` is called with the result. */
  enter(): number {
    const size = this.#length();
    const outer = this.#end;
    const inner = this.#position + size;
    if (inner > outer) throw this.#truncated(size);
    if (this.#depth >= MAX_JSON_DEPTH) {
      throw new ProtobufError(`nested more than ${MAX_JSON_DEPTH} levels deep`);
    }
    this.#depth++;
    this.#end = inner;
    return outer;
  }

  leave(outer: number): void {
    this.#depth--;
    this.#end = outer;
  }

  /**
   * Skips an unknown field. One that is zero or empty is not reported: writers encode the fields of their schema
   * even when they are unset.
   */
  skip(tag: number): void {
    const before = this.#position;
    this.#pass(tag);
    const says = this.#bytes.subarray(before, this.#position).some((byte) => byte !== 0);
    if (!says) return;
    this.#hasOddities = true;
    this.#remark(this.#found?.unknown, `.<field ${tag >>> 3}>`);
  }

  #remark(list: string[] | undefined, segment: string): void {
    if (list === undefined || list.length >= MAX_REMARKS) return;
    list.push(`${this.#trail?.join('') ?? ''}${segment}`.replace(/^\./, ''));
  }

  #pass(tag: number): void {
    switch (tag & 7) {
      case 3:
        this.#skipGroup(tag >>> 3);
        break;
      case 4:
        throw new ProtobufError(`a group ends at byte ${this.#position} that did not begin`);
      default:
        this.#skipValue(tag & 7);
    }
  }

  /** Refuses a field whose wire type is not that of its number. */
  expect(actual: number, expected: WireType): void {
    if (actual !== expected) throw new ProtobufError(`wire type ${actual} where ${expected} is due`);
  }

  #skipValue(wireType: number): void {
    switch (wireType) {
      case 0:
        this.#varint();
        break;
      case 1:
        this.#take(8);
        break;
      case 2:
        this.#take(this.#length());
        break;
      case 5:
        this.#take(4);
        break;
      default:
        throw new ProtobufError(`unknown wire type ${wireType} at byte ${this.#position}`);
    }
  }

  /** Without recursion, since groups nest at one byte a level. */
  #skipGroup(field: number): void {
    const open = [field];
    while (open.length > 0) {
      const tag = this.tag();
      if ((tag & 7) === 3) {
        if (open.push(tag >>> 3) > MAX_JSON_DEPTH) {
          throw new ProtobufError(`nested more than ${MAX_JSON_DEPTH} levels deep`);
        }
      } else if ((tag & 7) !== 4) this.#skipValue(tag & 7);
      else if (open.pop() !== tag >>> 3) {
        throw new ProtobufError(`a group ends at byte ${this.#position} that did not begin`);
      }
    }
  }

  #text(start: number, end: number): string {
    const bytes = this.#bytes;
    if (end - start <= SHORT_TEXT) {
      let at = start;
      while (at < end && (bytes[at] as number) < 0x80) at++;
      if (at === end) {
        this.#characters ??= bytes.toString('latin1');
        return this.#characters.slice(start, end);
      }
    }
    if (!isUtf8(bytes.subarray(start, end))) throw new ProtobufError('text that is not valid UTF-8');
    return bytes.toString('utf8', start, end);
  }

  #length(): number {
    this.#varint();
    return this.#high * HIGH + this.#low;
  }

  /** Offset of the next `size` bytes, which are passed over. */
  #take(size: number): number {
    const at = this.#position;
    if (at + size > this.#end) throw this.#truncated(size);
    this.#position = at + size;
    return at;
  }

  #truncated(size: number): ProtobufError {
    const left = this.#end - this.#position;
    return new ProtobufError(`the message ends too early: ${size} bytes are announced, ${left} are left`);
  }

  #bigint(): bigint {
    return BigInt.asIntN(64, (BigInt(this.#high) << 32n) | BigInt(this.#low));
  }

  #varint(): void {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#position;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (at >= end) throw new ProtobufError('the message ends within a number');
      const byte = bytes[at++] as number;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        if (shift === 63 && byte > 1) throw new ProtobufError('a number of more than 64 bits');
        this.#position = at;
        this.#low = low >>> 0;
        this.#high = high >>> 0;
        return;
      }
    }
    throw new ProtobufError('a number of more than 64 bits');
  }
}
