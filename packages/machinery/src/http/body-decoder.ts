/** The result of one step: the number of consumed bytes of the input, and their content. */
interface Step {
  readonly consumed: number;
  readonly content: Buffer | undefined;
}

/** Decodes a body from the bytes of a connection. `feed` never reads past the end of the body. */
export interface BodyDecoder {
  /** The whole body was consumed. */
  readonly done: boolean;
  /** Remaining bytes; undefined when unknown. */
  readonly remaining: number | undefined;
  /** Consumes from the start of `input`: at least one byte of a nonempty one unless done. */
  feed(input: Buffer): Step | 'malformed';
}

/** A body of known length. */
export class LengthDecoder implements BodyDecoder {
  remaining: number;

  constructor(length: number) {
    this.remaining = length;
  }

  get done(): boolean {
    return this.remaining === 0;
  }

  feed(input: Buffer): Step {
    const consumed = Math.min(input.length, this.remaining);
    this.remaining -= consumed;
    return { consumed, content: consumed === input.length ? input : input.subarray(0, consumed) };
  }
}

const CR = 0x0d;
const LF = 0x0a;
const MAX_LINE_BYTES = 256;
const MAX_TRAILER_BYTES = 4096;
const sizeLine = /^([0-9A-Fa-f]{1,8})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/;
const trailerLine = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*$/;

/** A chunked body (RFC 9112 section 7.1). Chunk extensions and trailers are checked and dropped. */
export class ChunkedDecoder implements BodyDecoder {
  done = false;
  readonly remaining = undefined;
  #expect: 'size' | 'data' | 'dataEnd' | 'trailer' = 'size';
  #line = '';
  #left = 0;
  #trailerBytes = 0;

  feed(input: Buffer): Step | 'malformed' {
    if (this.#expect === 'data') {
      const consumed = Math.min(input.length, this.#left);
      this.#left -= consumed;
      if (this.#left === 0) this.#expect = 'dataEnd';
      return { consumed, content: input.subarray(0, consumed) };
    }
    const end = input.indexOf(LF);
    const consumed = end < 0 ? input.length : end + 1;
    this.#line += input.toString('latin1', 0, consumed);
    if (
      this.#line.length > MAX_LINE_BYTES &&
      (this.#expect !== 'trailer' || this.#line.length > MAX_TRAILER_BYTES)
    ) {
      return 'malformed';
    }
    if (end < 0) return { consumed, content: undefined };
    const line = this.#line;
    this.#line = '';
    // A line must end in CR LF: parsers disagree about a lone LF (request smuggling).
    if (line.charCodeAt(line.length - 2) !== CR) return 'malformed';
    return this.#takeLine(line.slice(0, -2)) ? { consumed, content: undefined } : 'malformed';
  }

  #takeLine(line: string): boolean {
    switch (this.#expect) {
      case 'size': {
        const size = sizeLine.exec(line)?.[1];
        if (size === undefined) return false;
        this.#left = Number.parseInt(size, 16);
        this.#expect = this.#left === 0 ? 'trailer' : 'data';
        return true;
      }
      case 'dataEnd':
        this.#expect = 'size';
        return line === '';
      case 'trailer':
        this.done = line === '';
        this.#trailerBytes += line.length;
        return this.done || (trailerLine.test(line) && this.#trailerBytes <= MAX_TRAILER_BYTES);
      case 'data':
        return false;
    }
  }
}
