/** The bytes are not a valid message. */
export class ProtoError extends Error {
  override readonly name = 'ProtoError';
}

const TWO_32 = 0x1_0000_0000;

/**
 * Reads one Protobuf message field by field. Never reads outside of the current message; throws {@link ProtoError} on
 * anything malformed. Usage: `while (reader.more()) switch (reader.tag()) { … default: reader.skip(); }`.
 */
export class ProtoReader {
  readonly #bytes: Buffer;
  #at: number;
  #end: number;
  #tag = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#at = 0;
    this.#end = bytes.length;
  }

  /** Bytes read so far. */
  get position(): number {
    return this.#at;
  }

  /** Reports whether the current message has another field. */
  more(): boolean {
    return this.#at < this.#end;
  }

  /** Field number times 8 plus wire type of the next field. */
  tag(): number {
    const tag = this.#varint32();
    if (tag < 8) throw new ProtoError(`field number 0 at ${this.#at}`);
    this.#tag = tag;
    return tag;
  }

  /** Enters the nested message whose tag was read; returns what `leave` needs. */
  enter(): number {
    const outer = this.#end;
    this.#end = this.#lengthEnd();
    return outer;
  }

  leave(outer: number): void {
    this.#at = this.#end;
    this.#end = outer;
  }

  /** An int64 that must be a safe integer, as revisions, counts and watch ids are. */
  int(): number {
    const bytes = this.#bytes;
    const at = this.#at;
    // Most numbers have one byte; a revision has up to five.
    if (at < this.#end && (bytes[at] as number) < 0x80) {
      this.#at = at + 1;
      return bytes[at] as number;
    }
    return this.#longInt();
  }

  bool(): boolean {
    return this.int() !== 0;
  }

  /** A view of the field's bytes. */
  bytes(): Buffer {
    const end = this.#lengthEnd();
    const view = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return view;
  }

  string(): string {
    const end = this.#lengthEnd();
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return text;
  }

  /** The encoded varint, copied: for 64-bit identifiers that are only sent back. */
  opaqueVarint(): Buffer {
    const start = this.#at;
    this.#skipVarint();
    return Buffer.from(this.#bytes.subarray(start, this.#at));
  }

  /** Skips the value of the field whose tag was read last. */
  skip(): void {
    switch (this.#tag & 7) {
      case 0:
        this.#skipVarint();
        return;
      case 1:
        this.#advance(8);
        return;
      case 2:
        this.#at = this.#lengthEnd();
        return;
      case 5:
        this.#advance(4);
        return;
      default:
        throw new ProtoError(`wire type ${this.#tag & 7} at ${this.#at}`);
    }
  }

  #longInt(): number {
    let low = 0;
    let high = 0;
    for (let i = 0; i < 10; i++) {
      const byte = this.#byte();
      const bits = byte & 0x7f;
      if (i < 4) low += bits * 2 ** (7 * i);
      else if (i === 4) {
        low += (bits & 0x0f) * 2 ** 28;
        high = bits >>> 4;
      } else if (i < 9) high += bits * 2 ** (7 * i - 32);
      else high += (bits & 1) * 2 ** 31;
      if (byte < 0x80) {
        const value = (high | 0) * TWO_32 + low;
        if (!Number.isSafeInteger(value)) throw new ProtoError(`integer beyond 2^53 at ${this.#at}`);
        return value;
      }
    }
    throw new ProtoError(`varint longer than 10 bytes at ${this.#at}`);
  }

  #varint32(): number {
    const byte = this.#byte();
    if (byte < 0x80) return byte;
    this.#at--;
    const value = this.#longInt();
    if (value < 0 || value >= TWO_32) throw new ProtoError(`length or tag beyond 2^32 at ${this.#at}`);
    return value;
  }

  #lengthEnd(): number {
    if ((this.#tag & 7) !== 2)
      throw new ProtoError(`wire type ${this.#tag & 7} instead of bytes at ${this.#at}`);
    const length = this.#varint32();
    const end = this.#at + length;
    if (end > this.#end)
      throw new ProtoError(`field of ${length} bytes runs past its message at ${this.#at}`);
    return end;
  }

  #skipVarint(): void {
    for (let i = 0; i < 10; i++) if (this.#byte() < 0x80) return;
    throw new ProtoError(`varint longer than 10 bytes at ${this.#at}`);
  }

  #advance(count: number): void {
    this.#at += count;
    if (this.#at > this.#end) throw new ProtoError(`truncated at ${this.#end}`);
  }

  #byte(): number {
    if (this.#at >= this.#end) throw new ProtoError(`truncated at ${this.#end}`);
    return this.#bytes[this.#at++] as number;
  }
}
