/** Encodes the few ASN.1 types of a certificate (DER, X.690). */

import { tags } from './der-reader.ts';

function encode(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const digits: number[] = [];
  for (let left = length; left > 0; left = Math.floor(left / 256)) digits.unshift(left % 256);
  return Buffer.from([0x80 | digits.length, ...digits]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer =>
  encode(tags.sequence, Buffer.concat(parts));

/** A SET OF: its elements are sorted by their encodings. */
export const set = (...parts: readonly Uint8Array[]): Buffer =>
  encode(tags.set, Buffer.concat(parts.toSorted(Buffer.compare)));

export const nothing = (): Buffer => encode(tags.null, Buffer.alloc(0));

export const boolean = (value: boolean): Buffer => encode(tags.boolean, Buffer.from([value ? 0xff : 0]));

/** A positive integer from its bytes, most significant first. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const digits = bytes.subarray(start);
  // A set first bit would make the integer negative.
  return encode(tags.integer, (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits);
}

/** An object identifier in dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return encode(tags.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): readonly number[] {
  const digits = [value % 128];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128))
    digits.unshift(0x80 | (left % 128));
  return digits;
}

export const utf8 = (text: string): Buffer => encode(tags.utf8String, Buffer.from(text));

export const octets = (content: Uint8Array): Buffer => encode(tags.octetString, content);

/** A bit string; `unusedBits` of the last byte do not belong to it. */
export const bits = (content: Uint8Array, unusedBits = 0): Buffer =>
  encode(tags.bitString, Buffer.concat([Buffer.from([unusedBits]), content]));

/** An instant in epoch milliseconds, in the form that RFC 5280 section 4.1.2.5 requires for its year. */
export function time(epochMs: number): Buffer {
  const digits = new Date(epochMs).toISOString().replace(/[-:T]/g, '').slice(0, 14);
  const isLate = Number(digits.slice(0, 4)) >= 2050;
  return encode(
    isLate ? tags.generalizedTime : tags.utcTime,
    Buffer.from(`${isLate ? digits : digits.slice(2)}Z`),
  );
}

/** `[number]` around an element. */
export const explicit = (number: number, content: Uint8Array): Buffer => encode(0xa0 | number, content);

/** `[number]` in place of the tag of an element. */
export const implicit = (number: number, content: Uint8Array): Buffer => encode(0x80 | number, content);
