import { MAX_JSON_DEPTH } from './parse-text.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const words = ['true', 'false', 'null'].map((word) => Buffer.from(word));
/** 1 for the bytes of a string that need no escaping, including parts of a character. */
const plain = new Uint8Array(256).fill(1, 0x20);
plain[QUOTE] = 0;
plain[BACKSLASH] = 0;

/** Number tokens that are not plain integers. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** 1 for the bytes that may follow a backslash, with `u` only before four digits. */
const escaped = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrt')) escaped[byte] = 1;
const LOWER_U = 0x75;
const HEX = /^[0-9a-fA-F]{4}$/;

/**
 * A pass over JSON without white space, as objects are stored. Every method moves over one thing and returns true; false where
 * something else comes next, and for some JSON: with white space, or nested deeply. The bytes must be UTF-8.
 */
export class CompactJson {
  readonly #bytes: Buffer;
  at = 0;
  /** Bounds of the string last read, without its quotes. */
  start = 0;
  end = 0;
  /** The string last read has no escapes. */
  isVerbatim = true;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at === this.#bytes.length;
  }

  peek(): number | undefined {
    return this.#bytes[this.at];
  }

  accept(byte: number): boolean {
    if (this.#bytes[this.at] !== byte) return false;
    this.at++;
    return true;
  }

  /** Any value. */
  value(): boolean {
    /** The closing bytes of the objects and arrays around the position. */
    const open: number[] = [];
    do {
      if (!this.#enter(open)) return false;
      let close = open.at(-1);
      while (close !== undefined && this.accept(close)) {
        open.pop();
        close = open.at(-1);
      }
      if (close === undefined) return true;
      if (!this.accept(COMMA)) return false;
      if (close === CLOSE_BRACE && !this.name()) return false;
    } while (open.length <= MAX_JSON_DEPTH);
    return false;
  }

  /** Moves over a value, or to the first value inside. */
  #enter(open: number[]): boolean {
    const bytes = this.#bytes;
    while (open.length <= MAX_JSON_DEPTH) {
      const byte = bytes[this.at];
      if (byte === OPEN_BRACE) {
        this.at++;
        if (this.accept(CLOSE_BRACE)) return true;
        open.push(CLOSE_BRACE);
        if (!this.name()) return false;
      } else if (byte === OPEN_BRACKET) {
        this.at++;
        if (this.accept(CLOSE_BRACKET)) return true;
        open.push(CLOSE_BRACKET);
      } else return byte === QUOTE ? this.string() : this.number() || this.word();
    }
    return false;
  }

  /** The name of a field with its colon. */
  name(): boolean {
    return this.string() && this.accept(COLON);
  }

  /** The text of the string last read. */
  text(): string {
    const { start, end } = this;
    return this.isVerbatim
      ? this.#bytes.toString('utf8', start, end)
      : (JSON.parse(this.#bytes.toString('utf8', start - 1, end + 1)) as string);
  }

  /** Reports whether the string last read consists of exactly these bytes. */
  is(expected: Buffer): boolean {
    const bytes = this.#bytes;
    const { start } = this;
    if (this.end - start !== expected.length) return false;
    for (let i = 0; i < expected.length; i++) if (bytes[start + i] !== expected[i]) return false;
    return true;
  }

  string(): boolean {
    const bytes = this.#bytes;
    if (bytes[this.at] !== QUOTE) return false;
    let i = this.at + 1;
    let isVerbatim = true;
    for (;;) {
      while (plain[bytes[i] ?? 0] === 1) i++;
      if (bytes[i] === QUOTE) break;
      // The end, a control character, or an escape.
      if (bytes[i] !== BACKSLASH || !this.#isEscape(i + 1)) return false;
      isVerbatim = false;
      i += 2;
    }
    this.start = this.at + 1;
    this.end = i;
    this.isVerbatim = isVerbatim;
    this.at = i + 1;
    return true;
  }

  #isEscape(at: number): boolean {
    const byte = this.#bytes[at] ?? 0;
    return (
      escaped[byte] === 1 || (byte === LOWER_U && HEX.test(this.#bytes.toString('latin1', at + 1, at + 5)))
    );
  }

  /** A whole number of at most `digits` digits, its sign included; false also for others in another form. */
  integer(digits: number): boolean {
    const from = this.at;
    return this.number() && this.at - from <= digits && !hasFraction(this.#bytes, from, this.at);
  }

  number(): boolean {
    const bytes = this.#bytes;
    const from = this.at;
    const first = bytes[from] ?? 0;
    if (first !== MINUS && (first < ZERO || first > NINE)) return false;
    let i = from + 1;
    while (isDigit(bytes[i])) i++;
    if (first > ZERO && first <= NINE && !isNumberPart(bytes[i])) {
      this.at = i;
      return true;
    }
    while (isNumberPart(bytes[i])) i++;
    this.at = i;
    return NUMBER.test(bytes.toString('latin1', from, i));
  }

  word(): boolean {
    const bytes = this.#bytes;
    for (const word of words) {
      const end = this.at + word.length;
      if (end > bytes.length || word.compare(bytes, this.at, end) !== 0) continue;
      this.at = end;
      return true;
    }
    return false;
  }
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

/** Digits, `+`, `-`, `.`, `e` and `E`. */
const isNumberPart = (byte: number | undefined): boolean =>
  isDigit(byte) || byte === 0x2b || byte === MINUS || byte === 0x2e || byte === 0x45 || byte === 0x65;

/** Reports whether a number is written with a point or an exponent. */
function hasFraction(bytes: Buffer, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) if (!isDigit(bytes[i])) return true;
  return false;
}
