import { TransportError } from '../transport/transport.ts';

const newline = 0x0a;
const none = Buffer.alloc(0);

/**
 * Cuts a stream of bytes into lines. Every byte is looked at once, and copied at most once: pieces of an unfinished
 * line are kept as they are until its end is there.
 */
export class LineCutter {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that end within the piece, without their ends and without empty ones. Throws beyond the longest line. */
  *cut(piece: Uint8Array): Generator<Uint8Array, void, undefined> {
    let start = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, start)) {
      const line = this.#join(piece.subarray(start, end));
      start = end + 1;
      if (line.byteLength > 0) yield line;
    }
    this.#keep(piece.subarray(start));
  }

  /** What stands after the last line's end. */
  rest(): Uint8Array {
    return this.#join(none);
  }

  #keep(part: Uint8Array): void {
    if (part.byteLength === 0) return;
    this.#grow(part.byteLength);
    this.#parts.push(part);
  }

  #join(last: Uint8Array): Uint8Array {
    this.#grow(last.byteLength);
    const line = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last], this.#size);
    this.#parts = [];
    this.#size = 0;
    return line;
  }

  #grow(by: number): void {
    this.#size += by;
    if (this.#size > this.#maxBytes)
      throw new TransportError('unknown', `an event of the watch is longer than ${this.#maxBytes} bytes`);
  }
}
