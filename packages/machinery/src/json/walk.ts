import type { Work } from '../concurrency/index.ts';
import { JsonSyntaxError } from './syntax-error.ts';

/** Receives the tokens of the walk in order. Positions count UTF-16 units of the text. */
export interface JsonVisitor {
  enterObject?(): void;
  enterArray?(): void;
  leave?(): void;
  /** The name of the field whose value comes next, escapes undone. */
  field?(name: string): void;
  /** The position of the array item that comes next. */
  item?(position: number): void;
  /** A string from quote to quote; `escaped` when it holds escapes. */
  string?(start: number, end: number, escaped: boolean): void;
  number?(start: number, end: number): void;
  literal?(value: boolean | null): void;
}

/** Values that are read in one piece: about a millisecond. */
const VALUES_OF_A_PIECE = 4096;

/** Codes past the end of the text are NaN, which is equal to nothing and in no range. */
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isHex = (code: number): boolean => isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);

/** Value of the string token at `[start, end)`, quotes included. */
export const stringAt = (text: string, start: number, end: number, escaped: boolean): string =>
  escaped ? (JSON.parse(text.slice(start, end)) as string) : text.slice(start + 1, end - 1);

/**
 * Walks a JSON text without building its value, in constant stack: finds the first syntax error and its position, and
 * passes the tokens to the visitor. Several times slower than `JSON.parse`; for exact numbers, errors and strict
 * checks.
 */
export class JsonWalker {
  readonly #text: string;
  readonly #visitor: JsonVisitor;
  #at = 0;

  constructor(text: string, visitor: JsonVisitor = {}) {
    this.#text = text;
    this.#visitor = visitor;
  }

  /** Reads the whole text; throws a JsonSyntaxError at the first syntax error. */
  walk(): void {
    this.#walk([], Number.POSITIVE_INFINITY);
  }

  /** As `walk`, in pieces. */
  *walkInPieces(): Work<void> {
    const open: number[] = [];
    while (!this.#walk(open, VALUES_OF_A_PIECE)) yield;
  }

  /** Reads at most so many values; whether the whole text is read. */
  #walk(open: number[], values: number): boolean {
    let left = values;
    // One entry per open container: -1 for an object, else the position of the array's current item.
    do {
      if (left-- === 0) return false;
      this.#space();
      if (!this.#value(open)) this.#afterValue(open);
    } while (open.length > 0);
    this.#space();
    if (this.#at < this.#text.length) this.#fail('after top-level value');
    return true;
  }

  /** Reads one value or opens a container; true when the next thing is a value again. */
  #value(open: number[]): boolean {
    const code = this.#code();
    if (code === 0x7b) {
      this.#at++;
      this.#visitor.enterObject?.();
      this.#space();
      open.push(-1);
      if (this.#code() === 0x7d) return false;
      this.#fieldName();
      return true;
    }
    if (code === 0x5b) {
      this.#at++;
      this.#visitor.enterArray?.();
      this.#space();
      open.push(0);
      if (this.#code() === 0x5d) return false;
      this.#visitor.item?.(0);
      return true;
    }
    this.#scalar(code);
    return false;
  }

  /** Closes containers and moves over a comma, until a value is due or everything is closed. */
  #afterValue(open: number[]): void {
    while (open.length > 0) {
      this.#space();
      const code = this.#code();
      const position = open[open.length - 1] as number;
      const isObject = position < 0;
      if (code === (isObject ? 0x7d : 0x5d)) {
        this.#at++;
        open.pop();
        this.#visitor.leave?.();
        continue;
      }
      if (code !== 0x2c) this.#fail(isObject ? 'after object member' : 'after array element');
      this.#at++;
      this.#space();
      if (isObject) this.#fieldName();
      else {
        open[open.length - 1] = position + 1;
        this.#visitor.item?.(position + 1);
      }
      return;
    }
  }

  #fieldName(): void {
    if (this.#code() !== 0x22) this.#fail('looking for a quoted member name');
    const start = this.#at;
    const escaped = this.#string();
    this.#visitor.field?.(stringAt(this.#text, start, this.#at, escaped));
    this.#space();
    if (this.#code() !== 0x3a) this.#fail("looking for ':' after member name");
    this.#at++;
  }

  #scalar(code: number): void {
    const start = this.#at;
    if (code === 0x22) {
      const escaped = this.#string();
      this.#visitor.string?.(start, this.#at, escaped);
    } else if (code === 0x2d || isDigit(code)) {
      this.#number();
      this.#visitor.number?.(start, this.#at);
    } else if (code === 0x74) this.#word('true', true);
    else if (code === 0x66) this.#word('false', false);
    else if (code === 0x6e) this.#word('null', null);
    else this.#fail('looking for beginning of value');
  }

  /** Moves past a string; true when it holds escapes. */
  #string(): boolean {
    const text = this.#text;
    let escaped = false;
    let at = this.#at + 1;
    for (let code = text.charCodeAt(at); code !== 0x22; code = text.charCodeAt(++at)) {
      if (!(code >= 0x20)) this.#failAt(at, 'in string');
      if (code !== 0x5c) continue;
      escaped = true;
      at = this.#escape(at + 1);
    }
    this.#at = at + 1;
    return escaped;
  }

  /** Position of the last character of the escape sequence whose letter is at `at`. */
  #escape(at: number): number {
    if (this.#text[at] === 'u') {
      for (let i = at + 1; i <= at + 4; i++)
        if (!isHex(this.#text.charCodeAt(i))) this.#failAt(i, 'in \\u escape');
      return at + 4;
    }
    if (!'"\\/bfnrt'.includes(this.#text[at] ?? 'end')) this.#failAt(at, 'in string escape');
    return at;
  }

  #number(): void {
    if (this.#code() === 0x2d) this.#at++;
    if (this.#code() === 0x30) this.#at++;
    else this.#digits('in number');
    if (isDigit(this.#code())) this.#fail('after leading zero of a number');
    if (this.#code() === 0x2e) {
      this.#at++;
      this.#digits('after decimal point in number');
    }
    if ((this.#code() | 0x20) === 0x65) {
      this.#at++;
      if (this.#code() === 0x2b || this.#code() === 0x2d) this.#at++;
      this.#digits('in exponent of number');
    }
  }

  #digits(where: string): void {
    if (!isDigit(this.#code())) this.#fail(where);
    while (isDigit(this.#code())) this.#at++;
  }

  #word(word: string, value: boolean | null): void {
    for (let i = 0; i < word.length; i++, this.#at++) {
      if (this.#code() !== word.charCodeAt(i)) this.#fail(`in literal ${word}`);
    }
    this.#visitor.literal?.(value);
  }

  #space(): void {
    for (;;) {
      const code = this.#code();
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #fail(where: string): never {
    this.#failAt(this.#at, where);
  }

  #failAt(at: number, where: string): never {
    throw JsonSyntaxError.at(this.#text, at, `${describe(this.#text, at)} ${where}`);
  }
}

function describe(text: string, at: number): string {
  const point = text.codePointAt(at);
  if (point === undefined) return 'unexpected end of JSON input';
  if (point > 0x20 && point < 0x7f) return `invalid character '${String.fromCharCode(point)}'`;
  return `invalid character U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
