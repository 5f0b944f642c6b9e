import { rawJson } from './raw-json.ts';

const { stringify } = rawJson;
const special = /[<>&\u2028\u2029]/;
const specials = /[<>&\u2028\u2029]/g;

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON text in its wire form: `<`, `>`, `&` and the two line separators escaped, which only strings can hold. */
export function jsonText(value: unknown, indent?: number): string {
  const text = indent === undefined ? stringify(value) : stringify(value, undefined, indent);
  if (text === undefined) throw new TypeError('not a JSON value');
  return special.test(text) ? text.replace(specials, (c) => escapes[c] ?? c) : text;
}

/** The wire form without a trailing newline. Exact numbers keep their text. */
export const encodeJson = (value: unknown): Buffer => Buffer.from(jsonText(value), 'utf8');
