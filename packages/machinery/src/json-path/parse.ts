import {
  type Filter,
  type FilterOperator,
  filterOperators,
  type JsonPath,
  type JsonPathStep,
} from './steps.ts';

/** A string is not a path. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/** Filters within filters; usual paths have one level. */
const MAX_DEPTH = 16;

const quoted = (text: string): string => JSON.stringify(text.slice(0, 64));

const fail = (problem: string): never => {
  throw new JsonPathError(problem);
};

const endsField = (char: string): boolean => /[\s.,[\]$@{}'"]/.test(char);

/** Reads one path. */
class PathParser {
  readonly #text: string;
  readonly #depth: number;
  readonly #steps: JsonPathStep[] = [];
  #at = 0;

  constructor(text: string, depth: number) {
    if (depth > MAX_DEPTH) fail('filters nested too deep');
    this.#text = text;
    this.#depth = depth;
  }

  parse(): JsonPath {
    while (this.#at < this.#text.length) this.#step();
    return this.#steps;
  }

  #step(): void {
    const char = this.#text[this.#at] as string;
    if (this.#text.startsWith('..', this.#at)) this.#recursive();
    else if (char === '.') this.#field(this.#at + 1);
    else if (char === '[') this.#bracket();
    else if (this.#mayBeLiteral && (char === '"' || char === "'")) this.#string(char);
    else if (char === ' ' || char === '@' || char === '$') this.#at++;
    else this.#word();
  }

  /** A literal is a complete side of a comparison. */
  get #mayBeLiteral(): boolean {
    return this.#depth > 0 && this.#steps.length === 0;
  }

  #recursive(): void {
    if (this.#steps.at(-1)?.kind === 'recursive') fail('invalid multiple recursive descent');
    this.#steps.push({ kind: 'recursive' });
    this.#at += 2;
    if (/[\p{L}\p{Nd}_]/u.test(this.#text[this.#at] ?? '')) this.#field(this.#at);
  }

  /** A backslash takes the next character as it is. */
  #field(start: number): void {
    let name = '';
    let at = start;
    for (; at < this.#text.length; at++) {
      let char = this.#text[at] as string;
      if (char === '\\') char = this.#text[++at] ?? '';
      else if (endsField(char)) break;
      name += char;
    }
    const isWildcard = this.#text.slice(start, at) === '*';
    this.#steps.push(isWildcard ? { kind: 'wildcard' } : { kind: 'field', name });
    this.#at = at;
  }

  #string(quote: string): void {
    const end = endOfString(this.#text, this.#at, quote);
    if (end < 0) fail('unterminated quoted string');
    this.#steps.push({ kind: 'literal', value: unquote(this.#text.slice(this.#at + 1, end)) });
    this.#at = end + 1;
  }

  /** A number or a boolean. */
  #word(): void {
    const [word = ''] = /^[^\s.,[\]$@{}'"]*(?:\.\d+)?/.exec(this.#text.slice(this.#at)) ?? [];
    const value = word === 'true' || word === 'false' ? word === 'true' : numberOf(word);
    if (value === undefined || !this.#mayBeLiteral) {
      fail(`unrecognized character or identifier at ${quoted(this.#text.slice(this.#at))}`);
    } else {
      this.#steps.push({ kind: 'literal', value });
      this.#at += word.length;
    }
  }

  #bracket(): void {
    const end = closingBracket(this.#text, this.#at);
    if (end < 0) fail('unterminated array');
    const inner = this.#text.slice(this.#at + 1, end);
    if (inner.startsWith('?(')) this.#steps.push({ kind: 'filter', filter: this.#filter(inner) });
    else this.#steps.push(...this.#index(inner));
    this.#at = end + 1;
  }

  #filter(inner: string): Filter {
    if (!inner.endsWith(')')) fail('unterminated filter');
    const condition = inner.slice(2, -1);
    const [, left, operator = '', right = ''] = /^([^!<>=]+)([!<>=]+)(.+)$/s.exec(condition) ?? [];
    if (left === undefined) {
      if (/[!<>=]/.test(condition)) fail('a filter without both sides');
      return { left: this.#nested(condition) };
    }
    if (!isOperator(operator)) return fail(`unrecognized filter operator ${operator}`);
    return { left: this.#nested(left), comparison: { operator, right: this.#nested(right) } };
  }

  #nested(text: string): JsonPath {
    return new PathParser(text, this.#depth + 1).parse();
  }

  /** A quoted key is a path itself: `['metadata.name']` is two fields, and `['a\\.b']` one. */
  #index(inner: string): readonly JsonPathStep[] {
    const parts = splitAtCommas(inner);
    if (parts.length > 1) return [{ kind: 'union', paths: parts.map((part) => this.#index(part.trim())) }];
    if (inner === '*') return [{ kind: 'slice', slice: allItems }];
    if (/^'(?:[^'\\]|\\.)*'$/.test(inner)) return this.#nested(`.${inner.slice(1, -1)}`);
    const match = /^(-?\d{0,9})(:-?\d{0,9})?(:-?\d{0,9})?$/.exec(inner);
    if (match === null) return fail(`invalid array index ${quoted(inner)}`);
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

function numberOf(word: string): number | undefined {
  return /^[+-]?\d+(?:\.\d+)?$/.test(word) ? Number(word) : undefined;
}

const unquote = (text: string): string => text.replace(/\\(.)/gs, '$1');

/** Position of the quote that ends the string at `start`; -1 when there is none. */
function endOfString(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

/** Position of the bracket that closes the one at `open`; -1 when there is none. Strings may hold brackets. */
function closingBracket(text: string, open: number): number {
  const expected: string[] = [];
  for (let at = open; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '\\') at++;
    else if (char === "'" || char === '"') {
      at = endOfString(text, at, char);
      if (at < 0) return -1;
    } else if (char === '[' || char === '(') expected.push(char === '[' ? ']' : ')');
    else if ((char === ']' || char === ')') && expected.pop() !== char) return -1;
    if (expected.length === 0) return at;
  }
  return -1;
}

/** Parts of a string between commas outside of quotes. */
const splitAtCommas = (text: string): readonly string[] =>
  text.match(/(?:'(?:[^'\\]|\\.)*'|[^,'])+/g) ?? [''];

/** Reads a path; throws a JsonPathError where the text is none. */
export const parseJsonPath = (text: string): JsonPath => new PathParser(text, 0).parse();

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
