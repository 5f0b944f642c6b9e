import { TransportError } from '../transport/transport.ts';
import { joined } from './bytes.ts';

const NEWLINE = 0x0a;
const none = new Uint8Array();

/**
 * Reports whether a line contains only JSON white space, such as the line end CRLF of a proxy that keeps a stream
 * alive.
 */
function isBlank(line: Uint8Array): boolean {
  for (const byte of line) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  return true;
}

/**
 * Splits a stream of bytes into lines. Every byte is examined once, and copied at most once: the chunks of an incomplete
 * line are kept until its end arrives.
 */
export class LineCutter {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that are not blank and end within the chunk, without line ends. Throws for a line beyond the maximum length. */
  *cut(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = this.#join(chunk.subarray(start, end));
      start = end + 1;
      if (!isBlank(line)) yield line;
    }
    this.#keep(chunk.subarray(start));
  }

  /** The bytes after the last line end; empty for a blank rest. */
  rest(): Uint8Array {
    const line = this.#join(none);
    return isBlank(line) ? none : line;
  }

  #keep(part: Uint8Array): void {
    if (part.byteLength === 0) return;
    this.#grow(part.byteLength);
    this.#parts.push(part);
  }

  #join(last: Uint8Array): Uint8Array {
    this.#grow(last.byteLength);
    const line = this.#parts.length === 0 ? last : joined([...this.#parts, last], this.#size);
    this.#parts = [];
    this.#size = 0;
    return line;
  }

  #grow(by: number): void {
    this.#size += by;
    if (this.#size > this.#maxBytes)
      throw new TransportError('noEffect', `an event of the watch is longer than ${this.#maxBytes} bytes`);
  }
}
