import { CborError } from './cbor-error.ts';
import { INDEFINITE } from './major-types.ts';

/** Additional information below it is the argument itself. */
const ONE_BYTE = 24;
const EIGHT_BYTES = 27;

/** Reads the heads of data items: the first byte and its argument. */
export class ItemHeads {
  readonly bytes: Buffer;
  /** The position of the next item. */
  at = 0;
  /** The major type of the item last read. */
  major = 0;
  /** The additional information of the item last read. */
  info = 0;
  /** The argument of the item last read; a bigint where a double does not hold it. */
  argument: number | bigint = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get remaining(): number {
    return this.bytes.length - this.at;
  }

  /** Reads the next head. */
  next(): void {
    const start = this.at;
    const first = this.bytes[start];
    if (first === undefined) throw new CborError('the data end too early', start);
    this.major = first >> 5;
    this.info = first & 31;
    this.at = start + 1;
    if (this.info < ONE_BYTE) this.argument = this.info;
    else if (this.info <= EIGHT_BYTES) this.#readArgument(1 << (this.info - ONE_BYTE));
    else if (this.info === INDEFINITE) this.argument = 0;
    else throw new CborError(`the additional information ${this.info} is reserved`, start);
  }

  /** The argument as a number of bytes or items, of which there must be as many bytes left. */
  length(): number {
    const { argument } = this;
    if (typeof argument === 'bigint' || argument > this.remaining)
      throw new CborError('the data end too early', this.bytes.length);
    return argument;
  }

  #readArgument(size: number): void {
    if (this.remaining < size) throw new CborError('the data end too early', this.bytes.length);
    const { bytes, at } = this;
    this.at = at + size;
    if (size < 8) {
      this.argument = bytes.readUIntBE(at, size);
      return;
    }
    const value = bytes.readBigUInt64BE(at);
    this.argument = value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  }
}
