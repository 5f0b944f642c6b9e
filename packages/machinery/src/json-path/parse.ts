import { type Quote, unquoted } from './quoted-text.ts';
import {
  type Filter,
  type FilterOperator,
  filterOperators,
  type JsonPath,
  type JsonPathStep,
} from './steps.ts';

/** A string is not a path, or a path leads nowhere where a value is required. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/** Filters and unions within each other; usual paths have one level. */
const MAX_DEPTH = 16;

const shown = (text: string): string => JSON.stringify(text.slice(0, 64));

const fail = (problem: string): never => {
  throw new JsonPathError(problem);
};

const wordEnds: ReadonlySet<string> = new Set(' \t\r\n.,[]$@{}');

/** The action in the braces of a template: a path, or the keyword before it. */
export interface JsonPathAction {
  readonly keyword: 'range' | 'end' | undefined;
  readonly path: JsonPath;
  /** Position behind the closing brace. */
  readonly end: number;
}

/** Parses one path, from a position in a string to its end or to the brace that closes its action. */
class PathParser {
  readonly #text: string;
  readonly #depth: number;
  readonly #inAction: boolean;
  readonly #steps: JsonPathStep[] = [];
  #at: number;
  #keyword: JsonPathAction['keyword'];

  constructor(text: string, { depth = 0, at = 0, inAction = false } = {}) {
    if (depth > MAX_DEPTH) fail('filters nested too deep');
    this.#text = text;
    this.#depth = depth;
    this.#at = at;
    this.#inAction = inAction;
  }

  path(): JsonPath {
    while (this.#at < this.#text.length) this.#step();
    return this.#steps;
  }

  action(): JsonPathAction {
    while (this.#text[this.#at] !== '}') {
      if (this.#at >= this.#text.length) fail('unclosed action');
      this.#step();
    }
    return { keyword: this.#keyword, path: this.#steps, end: this.#at + 1 };
  }

  #step(): void {
    const char = this.#text[this.#at] as string;
    const next = this.#text[this.#at + 1];
    if (char === '.' && next === '.') this.#recursive();
    else if (char === '.') this.#field(this.#at + 1);
    else if (char === '[' && next === '?' && this.#text[this.#at + 2] === '(') this.#filter();
    else if (char === '[') this.#bracket();
    else if (char === '"' || char === "'") this.#string(char);
    else if (char === ' ' || char === '@' || char === '$') this.#at++;
    else if (char === '\n' || char === '\r') fail('unclosed action: a line ends within it');
    else this.#word();
  }

  #recursive(): void {
    if (this.#steps.at(-1)?.kind === 'recursive') fail('invalid multiple recursive descent');
    this.#steps.push({ kind: 'recursive' });
    this.#at += 2;
    if (/[\p{L}\p{Nd}_]/u.test(this.#text[this.#at] ?? '')) this.#field(this.#at);
  }

  /** A backslash escapes the next character, including another backslash, and is dropped. */
  #field(start: number): void {
    let at = start;
    for (; at < this.#text.length; at++) {
      if (this.#text[at] === '\\') at++;
      else if (wordEnds.has(this.#text[at] as string)) break;
    }
    const word = this.#text.slice(start, at);
    this.#steps.push(
      word === '*' ? { kind: 'wildcard' } : { kind: 'field', name: word.replaceAll('\\', '') },
    );
    this.#at = Math.min(at, this.#text.length);
  }

  #string(quote: Quote): void {
    const end = endOfString(this.#text, this.#at, quote);
    if (end < 0) fail('unterminated quoted string');
    const value =
      unquoted(this.#text.slice(this.#at + 1, end), quote) ??
      fail(`invalid escape in ${shown(this.#text.slice(this.#at, end + 1))}`);
    this.#steps.push({ kind: 'literal', value });
    this.#at = end + 1;
  }

  /** A number, a boolean or a keyword. */
  #word(): void {
    const rest = this.#text.slice(this.#at, this.#at + 256);
    const [number] = /^[+-]?[\d.]+/.exec(rest) ?? [];
    const [word = ''] = /^[\p{L}\p{Nd}_][^ \t\r\n.,[\]$@{}]*/u.exec(rest) ?? [];
    if (number !== undefined) this.#number(number);
    else if (word === 'true' || word === 'false') this.#literal(word === 'true', word);
    else if (this.#inAction && this.#steps.length === 0 && (word === 'range' || word === 'end')) {
      if (this.#keyword !== undefined) fail(`unexpected ${word} behind ${this.#keyword}`);
      this.#keyword = word;
      this.#at += word.length;
    } else fail(`unrecognized character or identifier at ${shown(rest)}`);
  }

  #number(word: string): void {
    if (!/^[+-]?\d+(?:\.\d*)?$/.test(word)) fail(`cannot parse number ${shown(word)}`);
    this.#literal(Number(word), word);
  }

  #literal(value: number | boolean, word: string): void {
    this.#steps.push({ kind: 'literal', value });
    this.#at += word.length;
  }

  /** Brackets end at the first closing one, also within quotes. */
  #bracket(): void {
    const end = this.#text.indexOf(']', this.#at);
    const inner = this.#text.slice(this.#at + 1, end);
    if (end < 0 || inner.includes('\n')) fail('unterminated array');
    this.#steps.push(...this.#index(inner));
    this.#at = end + 1;
  }

  #filter(): void {
    const start = this.#at + '[?('.length;
    const end = endOfFilter(this.#text, start);
    if (end < 0) fail('unterminated filter');
    if (this.#text[end + 1] !== ']') fail('unclosed array, expected ]');
    this.#steps.push({ kind: 'filter', filter: this.#condition(this.#text.slice(start, end)) });
    this.#at = end + 2;
  }

  #condition(text: string): Filter {
    const [, left, operator = '', right = ''] = /^([^!<>=]+)([!<>=]+)(.+)$/.exec(text) ?? [];
    if (left === undefined) {
      if (/^[^"']*[!<>=]/.test(text)) fail('a filter without both sides');
      return { left: this.#nested(text) };
    }
    if (!isOperator(operator)) return fail(`unrecognized filter operator ${operator}`);
    return { left: this.#nested(left), comparison: { operator, right: this.#nested(right) } };
  }

  #nested(text: string): JsonPath {
    return new PathParser(text, { depth: this.#depth + 1 }).path();
  }

  /** A quoted key is a path itself: `['metadata.name']` is two fields, and `['a\\.b']` one. */
  #index(inner: string): readonly JsonPathStep[] {
    const parts = inner.split(',');
    if (parts.length > 1)
      return [{ kind: 'union', paths: parts.map((part) => this.#index(part.replace(/^ +| +$/g, ''))) }];
    if (inner === '*') return [{ kind: 'slice', slice: allItems }];
    if (/^'[^']*'$/.test(inner)) return this.#nested(`.${inner.slice(1, -1)}`);
    const match = /^(-?\d{1,9}|)(:(?:-?\d{1,9})?)?(:(?:-?\d{1,9})?)?$/.exec(inner);
    if (match === null) return fail(`invalid array index ${shown(inner)}`);
    const [, start, end, step] = match;
    const position = (text: string | undefined): number | undefined => {
      const digits = (text ?? '').replace(':', '');
      return digits === '' ? undefined : Number(digits);
    };
    const isIndex = end === undefined;
    const slice = { start: position(start), end: position(end), step: position(step), isIndex };
    return [{ kind: 'slice', slice }];
  }
}

const allItems = { start: undefined, end: undefined, step: undefined, isIndex: false } as const;

const isOperator = (text: string): text is FilterOperator => filterOperators.some((one) => one === text);

/** Position of the quote that ends the string at `start`; -1 without one in its line. A backslash before a quote keeps it. */
function endOfString(text: string, start: number, quote: Quote): number {
  for (let at = start + 1; at < text.length && text[at] !== '\n'; at++)
    if (text[at] === quote && text[at - 1] !== '\\') return at;
  return -1;
}

/** Position of the parenthesis that ends a condition: the first one that is not in its first string; -1 without one. */
function endOfFilter(text: string, start: number): number {
  let quote: string | undefined;
  let isClosed = false;
  for (let at = start; at < text.length && text[at] !== '\n'; at++) {
    const char = text[at] as string;
    if (char === '"' || char === "'") {
      if (quote === undefined) quote = char;
      else if (char === quote && text[at - 1] !== '\\') isClosed = true;
    } else if (char === ')' && (quote === undefined || isClosed)) return at;
  }
  return -1;
}

/** Reads a path; throws a JsonPathError where the text is none. */
export const parseJsonPath = (text: string): JsonPath => new PathParser(text).path();

/** Reads the action of a template behind its opening brace; throws a JsonPathError where there is none. */
export const parseJsonPathAction = (template: string, start: number): JsonPathAction =>
  new PathParser(template, { at: start, inAction: true }).action();

/** The problem of a path; undefined when it can be read. */
export function jsonPathProblem(text: string): string | undefined {
  try {
    parseJsonPath(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonPathError) return error.message;
    throw error;
  }
}
