import { jsonBytesToText } from './parse.ts';
import { parseJsonText } from './parse-text.ts';
import { stringEnd } from './scan.ts';
import { JsonSyntaxError } from './syntax-error.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/**
 * A value within a JSON text, parsed on demand: reading one member of an object with many costs one scan of the text
 * and creates no objects. For malformed text it throws a JsonSyntaxError, or returns a part of it.
 */
export class JsonSlice {
  readonly #whole: string;
  readonly #start: number;
  readonly #end: number;

  private constructor(whole: string, start: number, end: number) {
    this.#whole = whole;
    this.#start = start;
    this.#end = end;
  }

  /** Throws a JsonSyntaxError when the bytes are not UTF-8. */
  static of(bytes: Uint8Array): JsonSlice {
    const text = jsonBytesToText(bytes);
    const start = afterBlanks(text, 0);
    return new JsonSlice(text, start, valueEnd(text, start));
  }

  get length(): number {
    return this.#end - this.#start;
  }

  get text(): string {
    return this.#whole.slice(this.#start, this.#end);
  }

  get isObject(): boolean {
    return this.#whole.charCodeAt(this.#start) === OPEN_OBJECT;
  }

  get isList(): boolean {
    return this.#whole.charCodeAt(this.#start) === OPEN_LIST;
  }

  /** Neither an object nor a list. */
  get isPlain(): boolean {
    return !this.isObject && !this.isList;
  }

  /** The value itself. */
  parse(): unknown {
    return parseJsonText(this.text);
  }

  /** The members of an object in their order; nothing for another value. */
  *members(): Generator<readonly [name: string, value: JsonSlice], void> {
    if (!this.isObject) return;
    const text = this.#whole;
    let at = this.#first();
    while (at < this.#end - 1) {
      if (text.charCodeAt(at) !== QUOTE) throw JsonSyntaxError.at(text, at, 'a name was expected');
      const nameEnd = stringEnd(text, at) + 1;
      const colon = afterBlanks(text, nameEnd);
      if (text.charCodeAt(colon) !== COLON) throw JsonSyntaxError.at(text, colon, 'a colon was expected');
      const value = this.#valueAt(afterBlanks(text, colon + 1));
      yield [nameOf(text, at, nameEnd), value];
      at = this.#afterComma(value.#end);
    }
  }

  /** The elements of a list; nothing for another value. */
  *elements(): Generator<JsonSlice, void> {
    if (!this.isList) return;
    let at = this.#first();
    while (at < this.#end - 1) {
      const value = this.#valueAt(at);
      yield value;
      at = this.#afterComma(value.#end);
    }
  }

  /** The member of an object with this name; undefined without one. */
  member(name: string): JsonSlice | undefined {
    for (const [each, value] of this.members()) if (each === name) return value;
    return undefined;
  }

  #first(): number {
    return afterBlanks(this.#whole, this.#start + 1);
  }

  #valueAt(start: number): JsonSlice {
    const end = valueEnd(this.#whole, start);
    if (end === start || end >= this.#end)
      throw JsonSyntaxError.at(this.#whole, start, 'a value was expected');
    return new JsonSlice(this.#whole, start, end);
  }

  #afterComma(end: number): number {
    const at = afterBlanks(this.#whole, end);
    if (at === this.#end - 1) return at;
    if (this.#whole.charCodeAt(at) !== COMMA)
      throw JsonSyntaxError.at(this.#whole, at, 'a comma was expected');
    return afterBlanks(this.#whole, at + 1);
  }
}

function nameOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  return raw.includes('\\') ? String(parseJsonText(text.slice(start, end))) : raw;
}

function afterBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

const isBlank = (c: number): boolean => c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;

/** Position after the value at `start`; `start` itself when there is no value. */
function valueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return Math.min(text.length, stringEnd(text, start) + 1);
  let at = start;
  if (first !== OPEN_OBJECT && first !== OPEN_LIST) {
    while (at < text.length && !endsPlain(text.charCodeAt(at))) at++;
    return at;
  }
  for (let depth = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === QUOTE) at = stringEnd(text, at);
    // `{` and `[` differ in this bit only, and so do their partners.
    else if ((c | 0x20) === OPEN_OBJECT) depth++;
    else if ((c | 0x20) === 0x7d && --depth === 0) return at + 1;
  }
  return text.length;
}

const endsPlain = (c: number): boolean => c === COMMA || (c | 0x20) === 0x7d || isBlank(c);
