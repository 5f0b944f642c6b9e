import { exactNumberText } from '../json/index.ts';
import { isNotJson, plainScalar } from './scalars.ts';

/** Text that readers of some version of YAML read as another value: merge keys, sexagesimal numbers, dates. */
const lookalike =
  /^(?:<<|=|[+-]?[\d.][\d_.]*e[+-]?\d+|[+-]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?|\d{4}-\d\d?-\d\d?(?:[Tt ].*)?)$/;

/** Reports whether unquoted text is read as the same text by readers of all versions. */
const isText = (text: string): boolean =>
  plainScalar(text) === text && !isNotJson(text) && !lookalike.test(text);

/** Characters that need escapes, in double quotes. */
const special = /[^\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/** Indicators of YAML: at the beginning, before and behind blanks. */
const indicator = /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[-?:](?: |$)| )|:(?: |$)| #| $/;

/** Text as other tools write it: without quotes where possible, in double quotes if it could be another value. */
function lineText(text: string): string {
  if (!isText(text) || special.test(text)) return JSON.stringify(text);
  return indicator.test(text) ? `'${text.replaceAll("'", "''")}'` : text;
}

/** Lines that a literal block can contain unchanged. */
const isLiteral = (text: string): boolean =>
  text.includes('\n') &&
  !/[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/.test(text) &&
  !/^[\n ]/.test(text) &&
  !/ (?:\n|$)/.test(text);

function literal(text: string, indent: string): string {
  const trailing = /\n*$/.exec(text)?.[0].length ?? 0;
  const chomp = trailing === 0 ? '-' : trailing === 1 ? '' : '+';
  const body = trailing === 0 ? text : text.slice(0, -1);
  const lines = body.split('\n').map((line) => (line === '' ? '' : indent + line));
  return `|${chomp}\n${lines.join('\n')}`;
}

function scalar(value: unknown, indent: string): string | undefined {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') {
    return isLiteral(value) ? literal(value, indent) : lineText(value);
  }
  if (typeof value === 'boolean') return String(value);
  return exactNumberText(value);
}

/** The longest key that every reader accepts without a mark, in characters. */
const MAX_KEY = 128;

/** A key as it is written, with its colon, and a mark before it when it is long. */
export const keyHead = (name: string, indent: string): string =>
  name.length > MAX_KEY ? `? ${JSON.stringify(name)}\n${indent}:` : `${lineText(name)}:`;

/** Appends the lines of a collection. `indent` is the indentation of the collection. */
function block(value: object, indent: string, out: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) entry('-', item, indent, out);
    return;
  }
  for (const name of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[name];
    if (field !== undefined) entry(keyHead(name, indent), field, indent, out);
  }
}

const isEmptyCollection = (value: object): boolean =>
  Array.isArray(value) ? value.length === 0 : Object.values(value).every((field) => field === undefined);

/** Appends an entry that begins with `head`, a key with its colon or the dash of an item. */
export function entry(head: string, value: unknown, indent: string, out: string[]): void {
  const inner = `${indent}  `;
  const text = scalar(value, inner);
  if (text !== undefined) {
    out.push(`${indent}${head} ${text}`);
    return;
  }
  const collection = value as object;
  if (isEmptyCollection(collection)) {
    out.push(`${indent}${head} ${Array.isArray(collection) ? '[]' : '{}'}`);
    return;
  }
  if (head !== '-') {
    out.push(indent + head);
    // Sequences have the indentation of their key, as other tools write them.
    block(collection, Array.isArray(collection) ? indent : inner, out);
    return;
  }
  const first = out.length;
  block(collection, inner, out);
  out[first] = `${indent}- ${(out[first] ?? '').slice(inner.length)}`;
}

/**
 * A JSON value as a YAML document in block style, with a trailing newline. Text is quoted wherever a reader of YAML 1.1
 * or 1.2 could read it as another value; long strings are literal blocks. Exact numbers keep their text.
 */
export function encodeYaml(value: unknown): string {
  const text = scalar(value, '  ');
  if (text !== undefined) return `${text}\n`;
  const collection = value as object;
  if (isEmptyCollection(collection)) return Array.isArray(collection) ? '[]\n' : '{}\n';
  const out: string[] = [];
  block(collection, '', out);
  return `${out.join('\n')}\n`;
}
