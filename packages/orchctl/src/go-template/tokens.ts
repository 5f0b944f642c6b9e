import { TemplateError } from './nodes.ts';
import { GoFloat } from './values.ts';

/** A part of the text: plain text, or the tokens of an action. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'action';
      readonly tokens: readonly Token[];
      readonly at: string;
      readonly line: number;
    };

export interface Token {
  readonly kind: 'word' | 'field' | 'dot' | 'variable' | 'constant' | 'mark';
  readonly text: string;
  /** Value of a constant. */
  readonly value?: unknown;
  readonly hasSpaceBefore: boolean;
  readonly at: string;
}

const token =
  /(\s+)|(\$[\p{L}\p{Nd}_]*)|\.([\p{L}_][\p{L}\p{Nd}_]*)|("(?:[^"\\\n]|\\[^\n])*")|`([^`]*)`|('(?:[^'\\\n]|\\[^\n])+')|([+-]?(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?))(?![\p{L}\p{Nd}_.])|([\p{L}_][\p{L}\p{Nd}_]*)|(:=|[=|(),])|(\.)/uy;

const comment = /\{\{(- )?\/\*[\s\S]*?\*\/( -)?\}\}/y;

/** The pieces of a template. Throws a TemplateError. */
export function piecesOf(source: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const places = new Places(source);
  let [at, trimsNext] = [0, false];
  while (at <= source.length) {
    const open = source.indexOf('{{', at);
    const end = open < 0 ? source.length : open;
    const trimsLast = /^\{\{-\s/.test(source.slice(end, end + 4));
    let text = source.slice(at, end);
    if (trimsNext) text = text.trimStart();
    if (trimsLast) text = text.trimEnd();
    if (text !== '') pieces.push({ kind: 'text', text });
    if (open < 0) return pieces;
    comment.lastIndex = open;
    const remark = comment.exec(source);
    if (remark !== null) {
      [at, trimsNext] = [comment.lastIndex, remark[2] !== undefined];
      continue;
    }
    const action = new ActionReader(source, open + (trimsLast ? 3 : 2), places);
    pieces.push({ kind: 'action', tokens: action.tokens, at: places.of(open), line: places.lineOf(open) });
    [at, trimsNext] = [action.end, action.trimsNext];
  }
  return pieces;
}

class ActionReader {
  readonly tokens: Token[] = [];
  readonly end: number;
  readonly trimsNext: boolean;

  constructor(source: string, start: number, places: Places) {
    let [at, hasSpaceBefore] = [start, false];
    for (;;) {
      const close = /^(\s-)?\}\}/.exec(source.slice(at, at + 4));
      if (close !== null) {
        this.end = at + close[0].length;
        this.trimsNext = close[1] !== undefined;
        return;
      }
      token.lastIndex = at;
      const match = token.exec(source);
      if (match === null) throw places.error(at, this.#problemAt(source, at));
      const found = tokenOf(match, places, at);
      if (found === undefined) hasSpaceBefore = true;
      else {
        this.tokens.push({ ...found, hasSpaceBefore, at: places.of(at) });
        hasSpaceBefore = false;
      }
      // A space may belong to the end of the action: ` -}}`.
      at = found === undefined ? spaceEnd(source, at, token.lastIndex) : token.lastIndex;
    }
  }

  #problemAt(source: string, at: number): string {
    const char = source[at];
    if (char === undefined) return 'unclosed action';
    if (char === '"') return 'unterminated quoted string';
    if (char === '`') return 'unterminated raw quoted string';
    if (char === "'") return 'unterminated character constant';
    if (/[\d+-]/.test(char)) return `bad number syntax: ${JSON.stringify(source.slice(at, at + 10))}`;
    return `unexpected ${JSON.stringify(char)} in command`;
  }
}

const spaceEnd = (source: string, start: number, end: number): number =>
  source.startsWith('-}}', end) && end > start + 1 ? end - 1 : source.startsWith('-}}', end) ? start : end;

function tokenOf(
  match: RegExpExecArray,
  places: Places,
  at: number,
): Omit<Token, 'hasSpaceBefore' | 'at'> | undefined {
  const [text, space, variable, field, quoted, raw, char, number, word, mark] = match;
  if (space !== undefined) return undefined;
  if (variable !== undefined) return { kind: 'variable', text };
  if (field !== undefined) return { kind: 'field', text: field };
  if (raw !== undefined) return { kind: 'constant', text, value: raw };
  if (word === 'true' || word === 'false') return { kind: 'constant', text, value: word === 'true' };
  if (word !== undefined) return { kind: 'word', text };
  if (mark !== undefined) return { kind: 'mark', text };
  if (number !== undefined) return { kind: 'constant', text, value: numberOf(number) };
  if (quoted === undefined && char === undefined) return { kind: 'dot', text };
  const value = unquoted((quoted ?? char ?? '').slice(1, -1));
  if (value === undefined) throw places.error(at, `invalid syntax: ${text}`);
  return { kind: 'constant', text, value: char === undefined ? value : BigInt(value.codePointAt(0) ?? 0) };
}

function numberOf(text: string): unknown {
  const plain = text.replaceAll('_', '');
  const isHex = /^[+-]?0[xX]/.test(plain);
  if (!isHex && /[.eE]/.test(plain)) return new GoFloat(Number(plain));
  const digits = plain.replace(/^[+-]/, '').replace(/^0(?=[0-7]+$)/, '0o');
  return plain.startsWith('-') ? -BigInt(digits) : BigInt(digits);
}

const escapes: Readonly<Record<string, string>> = {
  ...{ a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\\': '\\', "'": "'", '"': '"' },
};

/** The content of a quoted text with its escapes, as Go has them; undefined for an invalid one. */
function unquoted(text: string): string | undefined {
  let isValid = true;
  const value = text.replaceAll(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|(.))/gsu,
    (...match: (string | undefined)[]) => {
      const char = escapedChar(match);
      if (char === undefined) isValid = false;
      return char ?? '';
    },
  );
  return isValid ? value : undefined;
}

function escapedChar([, hex, short, long, octal, char = '']: readonly (string | undefined)[]):
  | string
  | undefined {
  const code = hex ?? short ?? long;
  if (code === undefined && octal === undefined) return escapes[char];
  const point = code === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(code, 16);
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : undefined;
}

/** Lines and columns of positions, which only grow. */
class Places {
  readonly #source: string;
  #line = 1;
  #lineStart = 0;

  constructor(source: string) {
    this.#source = source;
  }

  lineOf(position: number): number {
    for (;;) {
      const next = this.#source.indexOf('\n', this.#lineStart);
      if (next < 0 || next >= position) return this.#line;
      this.#line += 1;
      this.#lineStart = next + 1;
    }
  }

  of(position: number): string {
    return `${this.lineOf(position)}:${position - this.#lineStart}`;
  }

  error(position: number, problem: string): TemplateError {
    return new TemplateError(`template: output:${this.lineOf(position)}: ${problem}`);
  }
}
