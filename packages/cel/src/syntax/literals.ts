import { Double, intOf, MAX_INT64, MAX_UINT64, Uint, type Value } from '../values/value.ts';
import { SyntaxIssue } from './syntax-issue.ts';

export interface ReadLiteral {
  readonly text: string;
  readonly value: Value;
}

const number =
  /0[xX][0-9a-fA-F]+[uU]?|(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|\d+[uU]?/y;

/** Reads a number without its sign. 2^63 is kept as a bigint out of range, for the parser to negate. */
export function readNumber(source: string, at: number): ReadLiteral {
  number.lastIndex = at;
  const text = number.exec(source)?.[0] ?? '';
  if (!/^0[xX]/.test(text) && /[.eE]/.test(text)) return { text, value: doubleOf(text, at) };
  if (/[uU]$/.test(text)) {
    const value = BigInt(text.slice(0, -1));
    if (value > MAX_UINT64) throw new SyntaxIssue(at, 'invalid uint literal');
    return { text, value: new Uint(value) };
  }
  const value = BigInt(text);
  if (value > MAX_INT64 + 1n) throw new SyntaxIssue(at, 'invalid int literal');
  return { text, value: intOf(value) };
}

function doubleOf(text: string, at: number): Double {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new SyntaxIssue(at, 'invalid double literal');
  return new Double(value);
}

/** Reads a string or bytes with its prefix and quotes. */
export function readQuoted(source: string, at: number): ReadLiteral {
  const [, prefix = '', quote = ''] = /^([rRbB]{0,2})('''|"""|'|")/.exec(source.slice(at, at + 5)) ?? [];
  const raw = /r/i.test(prefix);
  const start = at + prefix.length + quote.length;
  const end = endOfText(source, start, { quote, raw });
  if (end === undefined)
    throw new SyntaxIssue(at, `Syntax error: token recognition error at: '${source.slice(at, at + 20)}'`);
  const body = source.slice(start, end).replace(/\r\n?/g, '\n');
  const text = source.slice(at, end + quote.length);
  const isBytes = /b/i.test(prefix);
  if (isBytes) return { text, value: raw ? utf8(body) : unescapeBytes(body, at) };
  return { text, value: raw ? body : unescapeText(body, at) };
}

const utf8 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

function endOfText(
  source: string,
  start: number,
  { quote, raw }: { quote: string; raw: boolean },
): number | undefined {
  for (let i = start; i < source.length; i++) {
    if (source.startsWith(quote, i)) return i;
    const here = source[i];
    if (here === '\n' && quote.length === 1) return undefined;
    if (here === '\\' && !raw) i++;
  }
  return undefined;
}

const simple: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};

const escapeSequence =
  /\\(?:([abfnrtv\\?"'`])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]?))/g;

interface Escape {
  readonly character?: string;
  /** The value of `\x` and `\ooo`: a byte in bytes, a code point in a string. */
  readonly byte?: number;
  readonly codePoint?: number;
}

function escapeOf(groups: readonly (string | undefined)[], at: number): Escape {
  const [character, hex, short, long, octal] = groups;
  if (character !== undefined) return { character: simple[character] ?? character };
  if (hex !== undefined) return { byte: Number.parseInt(hex, 16) };
  if (octal !== undefined) return { byte: Number.parseInt(octal, 8) };
  const digits = short ?? long;
  if (digits === undefined) throw new SyntaxIssue(at, 'invalid escape sequence in a literal');
  return { codePoint: Number.parseInt(digits, 16) };
}

function unescapeText(body: string, at: number): string {
  if (!body.includes('\\')) return body;
  return body.replace(escapeSequence, (_, ...groups: (string | undefined)[]) => {
    const { character, byte, codePoint = byte ?? 0 } = escapeOf(groups, at);
    if (character !== undefined) return character;
    if (codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff))
      throw new SyntaxIssue(at, 'invalid unicode code point in a literal');
    return String.fromCodePoint(codePoint);
  });
}

function unescapeBytes(body: string, at: number): Uint8Array {
  const parts: Buffer[] = [];
  let last = 0;
  for (const match of body.matchAll(escapeSequence)) {
    parts.push(Buffer.from(body.slice(last, match.index)));
    last = match.index + match[0].length;
    const { character, byte } = escapeOf(match.slice(1), at);
    if (character === undefined && byte === undefined)
      throw new SyntaxIssue(at, 'unicode escapes are not allowed in bytes');
    parts.push(byte === undefined ? Buffer.from(character ?? '') : Buffer.from([byte]));
  }
  parts.push(Buffer.from(body.slice(last)));
  return new Uint8Array(Buffer.concat(parts));
}
