import { isUtf8 } from 'node:buffer';
import { MAX_JSON_DEPTH, parseJson } from './parse.ts';

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
/** 1 for the bytes of a string that stand for themselves, also as a part of a character. */
const plain = new Uint8Array(256).fill(1, 0x20);
plain[QUOTE] = 0;
plain[BACKSLASH] = 0;

/** Number tokens that are not plain integers. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const ESCAPE = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/;

/**
 * Throws a JsonSyntaxError for bytes that are not JSON. Several times faster than parsing for JSON without white space, as
 * objects are stored.
 */
export function checkWellFormed(bytes: Buffer): void {
  if (!isUtf8(bytes) || !new CompactJson(bytes).isWellFormed()) parseJson(bytes);
}

/** A pass over JSON without white space. */
class CompactJson {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** False also for some JSON: with white space, or nested deeply. */
  isWellFormed(): boolean {
    /** The closing bytes of the objects and arrays around the position. */
    const open: number[] = [];
    do {
      if (!this.#value(open)) return false;
      let close = open.at(-1);
      while (close !== undefined && this.#accept(close)) {
        open.pop();
        close = open.at(-1);
      }
      if (close === undefined) return this.#at === this.#bytes.length;
      if (!this.#accept(COMMA)) return false;
      if (close === CLOSE_BRACE && !this.#name()) return false;
    } while (open.length <= MAX_JSON_DEPTH);
    return false;
  }

  /** Moves over a value, or to the first value inside. */
  #value(open: number[]): boolean {
    const bytes = this.#bytes;
    while (open.length <= MAX_JSON_DEPTH) {
      const byte = bytes[this.#at];
      if (byte === OPEN_BRACE) {
        this.#at++;
        if (this.#accept(CLOSE_BRACE)) return true;
        open.push(CLOSE_BRACE);
        if (!this.#name()) return false;
      } else if (byte === OPEN_BRACKET) {
        this.#at++;
        if (this.#accept(CLOSE_BRACKET)) return true;
        open.push(CLOSE_BRACKET);
      } else return byte === QUOTE ? this.#string() : this.#number() || this.#word();
    }
    return false;
  }

  #name(): boolean {
    return this.#string() && this.#accept(COLON);
  }

  #accept(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at++;
    return true;
  }

  #string(): boolean {
    const bytes = this.#bytes;
    if (bytes[this.#at] !== QUOTE) return false;
    let i = this.#at + 1;
    for (;;) {
      while (plain[bytes[i] ?? 0] === 1) i++;
      if (bytes[i] === QUOTE) break;
      // The end, a control character, or an escape.
      if (bytes[i] !== BACKSLASH || !ESCAPE.test(bytes.toString('latin1', i + 1, i + 6))) return false;
      i += 2;
    }
    this.#at = i + 1;
    return true;
  }

  #number(): boolean {
    const bytes = this.#bytes;
    const from = this.#at;
    const first = bytes[from] ?? 0;
    if (first !== MINUS && (first < ZERO || first > NINE)) return false;
    let i = from + 1;
    while (isDigit(bytes[i])) i++;
    if (first > ZERO && first <= NINE && !isNumberPart(bytes[i])) {
      this.#at = i;
      return true;
    }
    while (isNumberPart(bytes[i])) i++;
    this.#at = i;
    return NUMBER.test(bytes.toString('latin1', from, i));
  }

  #word(): boolean {
    const bytes = this.#bytes;
    for (const word of words) {
      const end = this.#at + word.length;
      if (end > bytes.length || word.compare(bytes, this.#at, end) !== 0) continue;
      this.#at = end;
      return true;
    }
    return false;
  }
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

/** Digits, `+`, `-`, `.`, `e` and `E`. */
const isNumberPart = (byte: number | undefined): boolean =>
  isDigit(byte) || byte === 0x2b || byte === MINUS || byte === 0x2e || byte === 0x45 || byte === 0x65;
