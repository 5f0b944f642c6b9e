const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
/** Braces differ from brackets by one bit. */
const BRACKET_MASK = 0xdf;

/** A cursor over JSON bytes written by `JSON.stringify`: no white space, strings well formed. Never reads past the end. */
export class ByteScanner {
  readonly #bytes: Buffer;
  at = 0;
  /** Bounds of the string last skipped, without its quotes. */
  start = 0;
  end = 0;
  /** Whether the string last skipped is plain ASCII without escapes. */
  plain = true;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  peek(): number | undefined {
    return this.#bytes[this.at];
  }

  /** Moves over `expected` when it comes next. */
  accept(expected: Buffer): boolean {
    const bytes = this.#bytes;
    const from = this.at;
    for (let i = 0; i < expected.length; i++) if (bytes[from + i] !== expected[i]) return false;
    this.at = from + expected.length;
    return true;
  }

  acceptByte(expected: number): boolean {
    if (this.#bytes[this.at] !== expected) return false;
    this.at++;
    return true;
  }

  /** Moves over a string; false when none comes next. */
  skipString(): boolean {
    const bytes = this.#bytes;
    if (bytes[this.at] !== QUOTE) return false;
    let i = this.at + 1;
    let plain = true;
    for (;;) {
      const byte = bytes[i];
      if (byte === undefined) return false;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) {
        plain = false;
        i++;
      } else if (byte > 0x7f) plain = false;
      i++;
    }
    this.start = this.at + 1;
    this.end = i;
    this.plain = plain;
    this.at = i + 1;
    return true;
  }

  /** Moves over a number, `true`, `false` or `null`; false when none comes next. */
  skipWord(): boolean {
    const from = this.at;
    for (;;) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) return false;
      const inWord =
        (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x2b && byte <= 0x39 && byte !== 0x2c) || byte === 0x45;
      if (!inWord) return this.at > from;
      this.at++;
    }
  }

  /**
   * Moves over any value; false when none comes next, or none that ends. Of objects and lists only strings and brackets
   * are looked at.
   */
  skipValue(): boolean {
    const first = this.peek();
    if (first === QUOTE) return this.skipString();
    return first === OPEN_BRACE || first === OPEN_BRACKET ? this.#skipNested() : this.skipWord();
  }

  #skipNested(): boolean {
    const bytes = this.#bytes;
    let depth = 0;
    for (let i = this.at; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      if (byte === QUOTE) {
        for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
      } else if ((byte & BRACKET_MASK) === OPEN_BRACKET) depth++;
      else if ((byte & BRACKET_MASK) === CLOSE_BRACKET && --depth === 0) {
        this.at = i + 1;
        return true;
      }
    }
    return false;
  }

  /** Text of the string last skipped. */
  text(): string {
    if (this.plain) return this.#bytes.toString('latin1', this.start, this.end);
    return JSON.parse(this.#bytes.toString('utf8', this.start - 1, this.end + 1)) as string;
  }

  /** Reports whether the string last skipped is exactly `expected`. */
  is(expected: Buffer): boolean {
    const bytes = this.#bytes;
    const { start } = this;
    if (this.end - start !== expected.length) return false;
    for (let i = 0; i < expected.length; i++) if (bytes[start + i] !== expected[i]) return false;
    return true;
  }
}
