import { floatOf, integerOf, kindOf, sortedEntries, typeOf } from './values.ts';

/** A value as `%v` prints it. */
export const valueText = (value: unknown): string =>
  formatted(value, { verb: 'v', flags: '', width: 0, precision: undefined });

interface Directive {
  readonly verb: string;
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
}

/** Widths and precisions beyond this are errors, as in Go. */
const MAX_WIDTH = 1_000_000;

/** Exponent from which the shortest text of a number uses the exponential form. */
const SHORTEST_EXPONENT = 6;

const directive = /%([-+# 0]*)(\d+|\*)?(?:\.(\d+|\*)?)?(.)?/gsu;

/** Formats as `fmt.Sprintf`: mistakes are part of the text, such as `%!d(string=a)`. */
export function sprintf(format: string, args: readonly unknown[]): string {
  let at = 0;
  const count = (text: string | undefined): number | undefined => {
    const value = text === '*' ? floatOf(args[at++] ?? 0) : Number(text);
    return text === undefined || !Number.isInteger(value) || Math.abs(value) > MAX_WIDTH ? undefined : value;
  };
  const print = (match: readonly (string | undefined)[]): string => {
    const [all = '', flags = '', width, precision, verb] = match;
    const columns = count(width) ?? 0;
    const digits = count(precision) ?? (/\.\D?$/su.test(all.slice(0, -1)) ? 0 : undefined);
    if (verb === undefined) return '%!(NOVERB)';
    if (verb === '%') return '%';
    if (at >= args.length) return `%!${verb}(MISSING)`;
    const directed = {
      verb,
      flags: columns < 0 ? `${flags}-` : flags,
      width: Math.abs(columns),
      precision: digits,
    };
    return formatted(args[at++], directed);
  };
  const text = format.replaceAll(directive, (...match: (string | undefined)[]) => print(match));
  if (at >= args.length) return text;
  const extra = args
    .slice(at)
    .map((arg) => (kindOf(arg) === 'none' ? '<nil>' : `${typeOf(arg)}=${valueText(arg)}`));
  return `${text}%!(EXTRA ${extra.join(', ')})`;
}

function formatted(value: unknown, directive: Directive): string {
  const { verb } = directive;
  if (verb === 'T') return padded(typeOf(value), directive);
  const kind = kindOf(value);
  if (kind === 'slice' || kind === 'map') return collectionText(value, directive);
  const text = scalarText(value, kind, directive);
  if (text !== undefined) return padded(text, directive);
  return kind === 'none' ? `%!${verb}(<nil>)` : `%!${verb}(${typeOf(value)}=${valueText(value)})`;
}

function collectionText(value: unknown, directive: Directive): string {
  if (Array.isArray(value)) return `[${value.map((item) => formatted(item, directive)).join(' ')}]`;
  const entries = sortedEntries(value).map(
    ([key, item]) => `${formatted(key, directive)}:${formatted(item, directive)}`,
  );
  return `map[${entries.join(' ')}]`;
}

/** Undefined for a verb that does not fit. */
function scalarText(
  value: unknown,
  kind: 'none' | 'bool' | 'string' | 'int' | 'float',
  directive: Directive,
): string | undefined {
  const { verb } = directive;
  switch (kind) {
    case 'none':
      return verb === 'v' ? '<nil>' : undefined;
    case 'bool':
      return verb === 'v' || verb === 't' ? String(value) : undefined;
    case 'string':
      return stringText(String(value), directive);
    case 'int':
      return integerText(integerOf(value) ?? 0n, directive);
    case 'float':
      return floatText(floatOf(value), directive);
  }
}

function stringText(value: string, { verb, precision, flags }: Directive): string | undefined {
  const text = precision === undefined ? value : [...value].slice(0, precision).join('');
  switch (verb) {
    case 'v':
      return flags.includes('#') ? quoted(text) : text;
    case 's':
      return text;
    case 'q':
      return quoted(text);
    case 'x':
      return Buffer.from(text).toString('hex');
    case 'X':
      return Buffer.from(text).toString('hex').toUpperCase();
    default:
      return undefined;
  }
}

function integerText(value: bigint, { verb, flags }: Directive): string | undefined {
  const sign = value < 0n ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const size = value < 0n ? -value : value;
  const based = (base: number, prefix: string): string =>
    `${sign}${flags.includes('#') ? prefix : ''}${size.toString(base)}`;
  switch (verb) {
    case 'v':
    case 'd':
      return `${sign}${size}`;
    case 'b':
      return based(2, '0b');
    case 'o':
      return based(8, '0');
    case 'x':
      return based(16, '0x');
    case 'X':
      return based(16, '0X').toUpperCase();
    case 'c':
      return characterOf(value);
    case 'q':
      return `'${characterOf(value).replace(/['\\]/, String.raw`\$&`)}'`;
    case 'U':
      return `U+${size.toString(16).toUpperCase().padStart(4, '0')}`;
    default:
      return undefined;
  }
}

const characterOf = (value: bigint): string =>
  value >= 0n && value <= 0x10_ff_ffn ? String.fromCodePoint(Number(value)) : '\uFFFD';

function floatText(value: number, { verb, flags, precision }: Directive): string | undefined {
  const sign = flags.includes('+') && value >= 0 ? '+' : flags.includes(' ') && value >= 0 ? ' ' : '';
  switch (verb) {
    case 'v':
    case 'g':
      return sign + generalText(value, precision);
    case 'f':
    case 'F':
      return sign + value.toFixed(Math.min(precision ?? 6, 100));
    case 'e':
      return sign + twoDigits(value.toExponential(Math.min(precision ?? 6, 100)));
    default:
      return undefined;
  }
}

/** With an exponent below -4, from 6 on for the shortest text, and else from the precision on. */
export function generalText(value: number, precision?: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const exponent = Number(value.toExponential().split('e')[1]);
  if (precision === undefined)
    return exponent < -4 || exponent >= SHORTEST_EXPONENT
      ? twoDigits(value.toExponential())
      : plainText(value);
  const rounded = Number(value.toPrecision(Math.min(Math.max(precision, 1), 100)));
  return exponent < -4 || exponent >= Math.max(precision, 1)
    ? twoDigits(rounded.toExponential())
    : plainText(rounded);
}

/** Without an exponent: a number has one below 1e-6 otherwise. */
const plainText = (value: number): string =>
  Math.abs(value) < 1e-6 ? value.toFixed(20).replace(/0+$/, '') : String(value);

const twoDigits = (text: string): string => text.replace(/e([+-])(\d)$/, 'e$10$2');

const named: Readonly<Record<string, string>> = {
  ...{
    '"': '\\"',
    '\\': '\\\\',
    '\u0007': '\\a',
    '\b': '\\b',
    '\f': '\\f',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
  },
};

/** A string in quotes, as `%q` prints it. */
const quoted = (text: string): string =>
  `"${text.replaceAll(/["\\\p{C}]|(?! )\p{Z}/gu, (char) => {
    const code = char.codePointAt(0) ?? 0;
    if (named[char] !== undefined) return named[char];
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code < 0x1_00_00
      ? `\\u${code.toString(16).padStart(4, '0')}`
      : `\\U${code.toString(16).padStart(8, '0')}`;
  })}"`;

function padded(text: string, { flags, width, verb }: Directive): string {
  const missing = width - [...text].length;
  if (missing <= 0) return text;
  if (flags.includes('-')) return text + ' '.repeat(missing);
  if (!flags.includes('0') || 'cqU'.includes(verb)) return ' '.repeat(missing) + text;
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  return sign + '0'.repeat(missing) + rest;
}

/** The operands as `fmt.Sprint` joins them: with a blank between two that are not strings. */
export function sprint(args: readonly unknown[]): string {
  let text = '';
  args.forEach((arg, i) => {
    const isApart = i > 0 && typeof arg !== 'string' && typeof args[i - 1] !== 'string';
    text += `${isApart ? ' ' : ''}${valueText(arg)}`;
  });
  return text;
}

export const sprintln = (args: readonly unknown[]): string => `${args.map(valueText).join(' ')}\n`;
