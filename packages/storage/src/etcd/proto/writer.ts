const MIN_CAPACITY = 4096;
/** Capacity that is kept between messages: the buffer of a larger request is released. */
const KEPT_CAPACITY = 256 * 1024;

/**
 * Writes one Protobuf message from its end to its start: a nested message is written before its length is needed, so
 * that no size is computed first and nothing is copied. Fields are therefore written in reverse of the order in which
 * they should stand. Values equal to the Protobuf default are left out by the caller.
 */
export class ProtoWriter {
  #bytes = Buffer.allocUnsafeSlow(MIN_CAPACITY);
  #start = MIN_CAPACITY;

  /** Discards the written bytes. */
  reset(): void {
    if (this.#bytes.length > KEPT_CAPACITY) this.#bytes = Buffer.allocUnsafeSlow(MIN_CAPACITY);
    this.#start = this.#bytes.length;
  }

  /** The message: a view that is valid until the next `reset`. */
  finish(): Buffer {
    return this.#bytes.subarray(this.#start);
  }

  /** The message after gRPC's prefix: a zero byte and its length in four bytes. Valid until the next `reset`. */
  finishFramed(): Buffer {
    const size = this.#bytes.length - this.#start;
    this.#reserve(5);
    this.#start -= 5;
    this.#bytes[this.#start] = 0;
    this.#bytes.writeUInt32BE(size, this.#start + 1);
    return this.#bytes.subarray(this.#start);
  }

  /** The end of a nested message; pass it to `nested` after its fields were written. */
  mark(): number {
    return this.#bytes.length - this.#start;
  }

  /** Closes a nested message as field `field`. */
  nested(field: number, mark: number): void {
    this.varint(this.#bytes.length - this.#start - mark);
    this.varint((field << 3) | 2);
  }

  /** A whole number from 0 to 2^53 - 1 as field `field`. */
  uint(field: number, value: number): void {
    this.varint(value);
    this.varint(field << 3);
  }

  bool(field: number, value: boolean): void {
    this.uint(field, value ? 1 : 0);
  }

  bytes(field: number, value: Buffer): void {
    this.raw(value);
    this.varint(value.length);
    this.varint((field << 3) | 2);
  }

  string(field: number, value: string): void {
    const size = isAscii(value) ? value.length : Buffer.byteLength(value);
    this.#reserve(size);
    this.#start -= size;
    this.#bytes.write(value, this.#start, size, size === value.length ? 'latin1' : 'utf8');
    this.varint(size);
    this.varint((field << 3) | 2);
  }

  /** Encoded bytes, without a tag. */
  raw(value: Buffer): void {
    this.#reserve(value.length);
    this.#start -= value.length;
    value.copy(this.#bytes, this.#start);
  }

  varint(value: number): void {
    this.#reserve(10);
    const bytes = this.#bytes;
    if (value < 0x80) {
      bytes[--this.#start] = value;
      return;
    }
    let at = this.#start - varintSize(value);
    this.#start = at;
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80;
    bytes[at] = rest;
  }

  #reserve(size: number): void {
    if (size <= this.#start) return;
    const old = this.#bytes;
    const used = old.length - this.#start;
    const grown = Buffer.allocUnsafeSlow(Math.max(old.length * 2, used + size + MIN_CAPACITY));
    old.copy(grown, grown.length - used, this.#start);
    this.#bytes = grown;
    this.#start = grown.length - used;
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
