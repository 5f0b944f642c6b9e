/** Bytes that do not have the expected DER structure; the message is for users. */
export class DerError extends Error {
  override readonly name = 'DerError';
}

/** One encoded value. */
export interface DerValue {
  /** First byte of the encoding: class, whether it holds other values, and tag number. */
  readonly tag: number;
  readonly content: Buffer;
  /** The encoding as a whole. */
  readonly raw: Buffer;
}

/** Tags of the types in certificates and certificate requests. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  bmpString: 0x1e,
  sequence: 0x30,
  utcTime: 0x17,
  generalizedTime: 0x18,
  set: 0x31,
  /** `[0]` to `[3]` with constructed encoding. */
  context0: 0xa0,
  context1: 0xa1,
  context3: 0xa3,
} as const;

/**
 * Reads values one after the other from untrusted bytes. It parses only the requested values, does not recurse, and
 * rejects encodings that DER does not allow.
 */
export class DerReader {
  readonly #bytes: Buffer;
  #position = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  more(): boolean {
    return this.#position < this.#bytes.length;
  }

  /** Reports whether the next value has this tag. */
  nextIs(tag: number): boolean {
    return this.#bytes[this.#position] === tag;
  }

  next(): DerValue {
    const start = this.#position;
    const tag = this.#byte();
    if ((tag & 0x1f) === 0x1f) throw new DerError('a tag number of several bytes');
    const size = this.#length();
    const begin = this.#position;
    if (size > this.#bytes.length - begin) throw new DerError('the data ends too early');
    this.#position = begin + size;
    return {
      tag,
      content: this.#bytes.subarray(begin, this.#position),
      raw: this.#bytes.subarray(start, this.#position),
    };
  }

  /** The next value, which must have this tag. */
  expect(tag: number, what: string): DerValue {
    const value = this.next();
    if (value.tag !== tag) throw new DerError(`${what} expected, got a value with tag ${value.tag}`);
    return value;
  }

  /** A reader for the content of the next value, which must have this tag. */
  enter(tag: number, what: string): DerReader {
    return new DerReader(this.expect(tag, what).content);
  }

  /** A reader for the content of a value that this reader returned. */
  inside({ content }: DerValue): DerReader {
    return new DerReader(content);
  }

  /** Everything that has not been read yet. */
  rest(): Buffer {
    return this.#bytes.subarray(this.#position);
  }

  /** Throws a DerError when bytes are left. */
  end(what: string): void {
    if (this.more()) throw new DerError(`trailing data after ${what}`);
  }

  #byte(): number {
    const byte = this.#bytes[this.#position];
    if (byte === undefined) throw new DerError('the data ends too early');
    this.#position++;
    return byte;
  }

  #length(): number {
    const first = this.#byte();
    if (first < 0x80) return first;
    const count = first & 0x7f;
    // Lengths over four gigabytes never occur in a request; the indefinite length (0x80) is BER.
    if (count === 0 || count > 4) throw new DerError('a length that DER does not allow');
    let size = 0;
    for (let i = 0; i < count; i++) size = size * 0x100 + this.#byte();
    if (size < 0x80 || size < 0x100 ** (count - 1)) throw new DerError('a length that is not the shortest');
    return size;
  }
}
