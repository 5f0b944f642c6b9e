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

  /** What was written so far; a view that the next write may invalidate. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** A field of wire type 2 with the UTF-8 form of `text`. */
  string(field: number, text: string): void {
    this.#tag(field, 2);
    const size = Buffer.byteLength(text);
    this.#varint(size);
    this.#reserve(size);
    this.#bytes.write(text, this.#length, size, 'utf8');
    this.#length += size;
  }

  /** A field of wire type 0; `value` is a whole number from 0 to 2^53. */
  uint(field: number, value: number): void {
    this.#tag(field, 0);
    this.#varint(value);
  }

  bool(field: number, value: boolean): void {
    this.uint(field, value ? 1 : 0);
  }

  /** A field of wire type 2 with the message that `write` writes. */
  message(field: number, write: () => void): void {
    this.#tag(field, 2);
    const start = this.#length;
    // One byte is enough for the length of most messages; longer ones are moved.
    this.#reserve(1);
    this.#length++;
    write();
    const size = this.#length - start - 1;
    const lengthBytes = varintSize(size);
    if (lengthBytes > 1) {
      this.#reserve(lengthBytes - 1);
      this.#bytes.copyWithin(start + lengthBytes, start + 1, this.#length);
    }
    this.#length = start;
    this.#varint(size);
    this.#length += size;
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + size));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}
