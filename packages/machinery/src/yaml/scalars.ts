import { numberFromText } from '../json/index.ts';

/** The value of a plain scalar. `undefined` fields do not exist: a scalar is always a JSON value here. */
export type ScalarValue = string | boolean | null | ReturnType<typeof numberFromText>;

const words = new Map<string, boolean | null>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    (word) => [word, true] as const,
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    (word) => [word, false] as const,
  ),
]);

const based = /^([+-]?)(0x[0-9a-fA-F]+|0b[01]+|0o[0-7]+)$/;
const octal = /^([+-]?)0([0-7]+)$/;
const decimal = /^([+-]?)(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?$/;

/** Text of a decimal number in JSON's grammar: no plus sign, no leading zeros, digits on both sides of the point. */
function jsonNumber(match: RegExpExecArray): string {
  const [, sign, whole = '0', fraction, bareFraction, exponent] = match;
  const digits = (fraction ?? bareFraction ?? '').replace(/0+$/, '');
  const number = `${sign === '-' ? '-' : ''}${whole.replace(/^0+(?=[0-9])/, '')}${digits === '' ? '' : `.${digits}`}`;
  return exponent === undefined ? number : `${number}e${exponent}`;
}

function wholeNumber(sign: string, digits: string): ScalarValue | undefined {
  const value = BigInt(digits);
  return finiteNumber((sign === '-' ? -value : value).toString());
}

const finiteNumber = (text: string): ScalarValue | undefined =>
  Number.isFinite(Number(text)) ? numberFromText(text) : undefined;

/** Maximum length of a numeral that is parsed as a number; longer digit strings remain strings. */
const MAX_NUMERAL = 1024;

/**
 * A number of YAML 1.1 as other tools read it: `0644` is octal, `_` may group digits; `1:30` is not a number, nor is one
 * beyond the range of a double, such as `1e400`.
 */
export function yamlNumber(text: string): ScalarValue | undefined {
  const first = text.charCodeAt(0);
  const startsNumber = (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d || first === 0x2e;
  if (!startsNumber || text.length > MAX_NUMERAL) return undefined;
  const plain = text.includes('_') ? text.replaceAll('_', '') : text;
  const inBase = based.exec(plain);
  if (inBase !== null) return wholeNumber(inBase[1] ?? '', inBase[2] ?? '0');
  const inOctal = octal.exec(plain);
  if (inOctal !== null) return wholeNumber(inOctal[1] ?? '', `0o${inOctal[2]}`);
  const match = decimal.exec(plain);
  return match === null ? undefined : finiteNumber(jsonNumber(match));
}

const notJson = /^(?:[+-]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** The value of an unquoted scalar without a tag. Dates and times stay text. */
export function plainScalar(text: string): ScalarValue {
  const word = words.get(text);
  if (word !== undefined) return word;
  return yamlNumber(text) ?? text;
}

/** True for the numbers of YAML that JSON cannot represent. */
export const isNotJson = (text: string): boolean => notJson.test(text);
