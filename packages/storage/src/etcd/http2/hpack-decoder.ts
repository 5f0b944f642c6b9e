import { ErrorCode, Http2Error } from './constants.ts';
import { HuffmanDecoder } from './hpack-huffman.ts';
import { staticTable } from './hpack-static-table.ts';

type Field = readonly [name: string, value: string];

/** Overhead of an entry, in a table and in a list (RFC 7541 section 4.1). */
const ENTRY_OVERHEAD = 32;
const MAX_TABLE_BYTES = 4096;

/**
 * Decodes header blocks (RFC 7541). One decoder serves one direction of one connection, and must see every block of it
 * in order: the dynamic table is shared by all. Strings have one character per byte.
 */
export class HpackDecoder {
  readonly #huffman = new HuffmanDecoder();
  readonly #maxListBytes: number;
  /** The newest entry is last. */
  #dynamic: Field[] = [];
  #dynamicBytes = 0;
  #dynamicLimit = MAX_TABLE_BYTES;
  #block = Buffer.alloc(0);
  #at = 0;

  /** `maxListBytes` bounds one block's names and values, 32 bytes added for each field. */
  constructor(maxListBytes: number) {
    this.#maxListBytes = maxListBytes;
  }

  /** Calls `field` for every field of the block, in order. Throws {@link Http2Error} when the block is malformed. */
  decode(block: Buffer, field: (name: string, value: string) => void): void {
    this.#block = block as Buffer<ArrayBuffer>;
    this.#at = 0;
    let listBytes = 0;
    let first = true;
    while (this.#at < block.length) {
      const byte = block[this.#at] as number;
      if ((byte & 0xe0) === 0x20) {
        if (!first) throw invalid('a table size update after a field');
        this.#resize(this.#integer(5));
        continue;
      }
      first = false;
      const [name, value] = this.#field(byte);
      listBytes += name.length + value.length + ENTRY_OVERHEAD;
      if (listBytes > this.#maxListBytes) throw invalid(`a header list above ${this.#maxListBytes} bytes`);
      field(name, value);
    }
  }

  #field(byte: number): Field {
    if (byte >= 0x80) return this.#entry(this.#integer(7));
    const indexed = byte >= 0x40;
    const nameIndex = this.#integer(indexed ? 6 : 4);
    const name = nameIndex === 0 ? this.#string() : this.#entry(nameIndex)[0];
    const field: Field = [name, this.#string()];
    if (indexed) this.#insert(field);
    return field;
  }

  #entry(index: number): Field {
    const entry =
      index <= staticTable.length ? staticTable[index - 1] : this.#dynamic.at(staticTable.length - index);
    if (entry === undefined) throw invalid(`index ${index}`);
    return entry;
  }

  #insert(field: Field): void {
    const size = field[0].length + field[1].length + ENTRY_OVERHEAD;
    this.#dynamic.push(field);
    this.#dynamicBytes += size;
    this.#evict();
  }

  #resize(limit: number): void {
    if (limit > MAX_TABLE_BYTES) throw invalid(`a table of ${limit} bytes`);
    this.#dynamicLimit = limit;
    this.#evict();
  }

  #evict(): void {
    let count = 0;
    while (this.#dynamicBytes > this.#dynamicLimit) {
      const [name, value] = this.#dynamic[count++] as Field;
      this.#dynamicBytes -= name.length + value.length + ENTRY_OVERHEAD;
    }
    if (count > 0) this.#dynamic.splice(0, count);
  }

  /** RFC 7541 section 5.1. */
  #integer(prefixBits: number): number {
    const mask = (1 << prefixBits) - 1;
    let value = this.#byte() & mask;
    if (value < mask) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw invalid('an integer above 2^28');
  }

  #string(): string {
    const huffman = this.#at < this.#block.length && (this.#block[this.#at] as number) >= 0x80;
    const length = this.#integer(7);
    const start = this.#at;
    const end = start + length;
    if (end > this.#block.length) throw invalid('a string that runs past its block');
    this.#at = end;
    return huffman
      ? this.#huffman.decode(this.#block, start, end)
      : this.#block.toString('latin1', start, end);
  }

  #byte(): number {
    if (this.#at >= this.#block.length) throw invalid('truncated');
    return this.#block[this.#at++] as number;
  }
}

function invalid(reason: string): Http2Error {
  return new Http2Error(ErrorCode.compressionError, `header block: ${reason}`);
}
