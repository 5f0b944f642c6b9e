import type { Value } from '../values/value.ts';
import { readNumber, readQuoted } from './literals.ts';
import { SyntaxIssue } from './syntax-issue.ts';

export interface Token {
  /** `name` is an identifier, `quoted` one between backquotes; operators and keywords are their own kind. */
  readonly kind: 'name' | 'quoted' | 'literal' | 'end' | 'operator';
  readonly text: string;
  readonly at: number;
  readonly value?: Value;
}

const blank = /(?:[\t\r\n\f ]+|\/\/[^\n]*)*/y;
const name = /[A-Za-z_][A-Za-z0-9_]*/y;
const quotedName = /`[A-Za-z0-9_.\-/ ]+`/y;
const textStart = /(?:[rR][bB]?|[bB][rR]?)?(?:'''|"""|'|")/y;
const numberStart = /\.?\d/y;
const operator = /&&|\|\||[=!<>]=|[-+*/%!<>?:.,()[\]{}]/y;
const keywords: Readonly<Record<string, Value>> = { true: true, false: false, null: null };

const matchAt = (pattern: RegExp, source: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
};

/** The tokens of a source, with one of kind `end` at its end. */
export function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at += matchAt(blank, source, at)?.length ?? 0;
    if (at >= source.length) break;
    const token = readToken(source, at);
    tokens.push(token);
    at += token.text.length;
  }
  tokens.push({ kind: 'end', text: '', at: source.length });
  return tokens;
}

function readToken(source: string, at: number): Token {
  if (matchAt(textStart, source, at) !== undefined) {
    const { text, value } = readQuoted(source, at);
    return { kind: 'literal', text, at, value };
  }
  const word = matchAt(name, source, at);
  if (word !== undefined) return wordToken(word, at);
  if (matchAt(numberStart, source, at) !== undefined) {
    const { text, value } = readNumber(source, at);
    return { kind: 'literal', text, at, value };
  }
  const symbol = matchAt(operator, source, at);
  if (symbol !== undefined) return { kind: 'operator', text: symbol, at };
  const quoted = matchAt(quotedName, source, at);
  if (quoted !== undefined) return { kind: 'quoted', text: quoted, at };
  const found = String.fromCodePoint(source.codePointAt(at) ?? 0);
  throw new SyntaxIssue(at, `Syntax error: token recognition error at: '${found}'`);
}

function wordToken(text: string, at: number): Token {
  const value = Object.hasOwn(keywords, text) ? keywords[text] : undefined;
  if (value !== undefined) return { kind: 'literal', text, at, value };
  return { kind: text === 'in' ? 'operator' : 'name', text, at };
}
