const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;
const NEWLINE = 0x0a;

/**
 * Indents JSON by two spaces a level, byte by byte: values are never parsed, so that numbers keep their digits and a
 * large list is indented slice by slice. The slices of one document are passed in order.
 */
export class PrettyPrinter {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** An opening bracket was written without content yet: `{}` stays on one line. */
  #justOpened = false;

  push(chunk: Uint8Array): Buffer {
    const out = new Output(chunk.length * 2);
    for (const byte of chunk) {
      if (this.#inString) this.#stringByte(byte, out);
      else this.#plainByte(byte, out);
    }
    return out.bytes();
  }

  #stringByte(byte: number, out: Output): void {
    out.put(byte);
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #plainByte(byte: number, out: Output): void {
    switch (byte) {
      case SPACE:
      case NEWLINE:
      case 0x09:
      case 0x0d:
        return;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        this.#content(out);
        out.put(byte);
        this.#depth++;
        this.#justOpened = true;
        return;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        this.#depth--;
        if (!this.#justOpened) out.newline(this.#depth);
        this.#justOpened = false;
        out.put(byte);
        if (this.#depth === 0) out.put(NEWLINE);
        return;
      case COMMA:
        out.put(byte);
        out.newline(this.#depth);
        return;
      case COLON:
        out.put(byte);
        out.put(SPACE);
        return;
      default:
        this.#content(out);
        this.#inString = byte === QUOTE;
        out.put(byte);
    }
  }

  #content(out: Output): void {
    if (this.#justOpened) out.newline(this.#depth);
    this.#justOpened = false;
  }
}

/** Indents a whole JSON document. */
export const prettyJson = (json: Buffer): Buffer => new PrettyPrinter().push(json);

/** Indents a document that arrives in slices. */
export function* prettyChunks(chunks: Iterable<Buffer>): Generator<Buffer> {
  const printer = new PrettyPrinter();
  for (const chunk of chunks) yield printer.push(chunk);
}

/** A growing buffer. */
class Output {
  #buffer: Buffer;
  #length = 0;

  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafe(Math.max(size, 64));
  }

  put(byte: number): void {
    if (this.#length === this.#buffer.length) this.#grow(1);
    this.#buffer[this.#length++] = byte;
  }

  newline(depth: number): void {
    const count = 1 + depth * 2;
    if (this.#length + count > this.#buffer.length) this.#grow(count);
    this.#buffer[this.#length++] = NEWLINE;
    this.#buffer.fill(SPACE, this.#length, this.#length + count - 1);
    this.#length += count - 1;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #grow(by: number): void {
    const larger = Buffer.allocUnsafe((this.#buffer.length + by) * 2);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
