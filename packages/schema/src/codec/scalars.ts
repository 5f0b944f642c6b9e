import {
  declaredInteger,
  type ExactNumber,
  exactNumberText,
  isExactNumber,
  isInt64,
  jsonInteger,
} from '@orch/machinery/json';
import { canonicalQuantity, canonicalResourceQuantity, QuantityError } from '@orch/machinery/quantity';
import type { ScalarType } from '../schema.ts';
import { readFreeForm, readingFreeForm } from '../walk/free-form.ts';
import type { Read, Reader, ReadInPieces } from '../walk/reader.ts';
import { readDuration, readMicroTime, readTime } from './times.ts';

const readString: Read = (value, context) => {
  if (typeof value === 'string') return value;
  context.wrongType('a string', value);
  return undefined;
};

const readBool: Read = (value, context) => {
  if (typeof value === 'boolean') return value;
  context.wrongType('a boolean', value);
  return undefined;
};

/** Addition to the message about a number that integer fields refuse because of its text. */
const spelling = (value: unknown): string =>
  isExactNumber(value) && isInt64(value) && declaredInteger(value) === undefined
    ? ' without a fraction or an exponent'
    : '';

/** A whole number of 32 bits; undefined for anything else. `-0` becomes 0. */
function int32(value: unknown): number | undefined {
  if (typeof value === 'number') return (value | 0) === value ? value | 0 : undefined;
  const number = Number(declaredInteger(value) ?? Number.NaN);
  return (number | 0) === number ? number : undefined;
}

const readInt32: Read = (value, context) => {
  const number = int32(value);
  if (number === undefined)
    context.wrongType(`a whole number from -2147483648 to 2147483647${spelling(value)}`, value);
  return number;
};

/** Numbers up to 2^53 as such, larger ones in their exact form; undefined for fractions and beyond 64 bits. */
function int64(value: unknown): number | ExactNumber | undefined {
  // Adding 0 makes 0 of -0.
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value + 0;
  const integer = isInt64(value) ? declaredInteger(value) : undefined;
  return integer === undefined ? undefined : jsonInteger(integer);
}

const readInt64: Read = (value, context) => {
  const number = int64(value);
  if (number === undefined) context.wrongType(`a whole number of 64 bits${spelling(value)}`, value);
  return number;
};

const readFloat64: Read = (value, context) => {
  const number = isExactNumber(value) ? Number(value.rawJSON) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number + 0;
  context.wrongType('a number', value);
  return undefined;
};

/** The canonical base64 text; undefined when the string is not base64. Line breaks are ignored. */
export function canonicalBase64(text: string): string | undefined {
  if (text === '') return '';
  const canonical = Buffer.from(text, 'base64').toString('base64');
  if (canonical === text) return text;
  const joined = text.replace(/[\r\n]+/g, '');
  // Buffer skips invalid characters and accepts the URL alphabet: both are errors here.
  const padded = joined.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(joined.replace(/={1,2}$/, ''));
  return padded ? canonical : undefined;
}

const isByte = (value: unknown): boolean =>
  value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255);

/** Bytes are base64 text; clients may send a list of numbers, too, of which null is 0. */
const readBytes: Read = (value, context) => {
  if (Array.isArray(value) && value.every(isByte)) return Buffer.from(value as number[]).toString('base64');
  if (typeof value !== 'string') {
    context.wrongType('base64 text', value);
    return undefined;
  }
  const canonical = canonicalBase64(value);
  if (canonical === undefined) context.wrongType('base64 text', value);
  return canonical;
};

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * The kind of the suffix at `at`: one of `m`, `k`, `M`, `G`, `T`, none, or (binary) `Ki`, `Mi`, `Gi`, `Ti`; undefined
 * for any other.
 */
function plainSuffix(text: string, at: number): 'decimal' | 'binary' | undefined {
  if (at === text.length) return 'decimal';
  const code = text.charCodeAt(at);
  const scaled = code === 77 || code === 71 || code === 84;
  if (text.length === at + 1) return scaled || code === 109 || code === 107 ? 'decimal' : undefined;
  const binary = text.length === at + 2 && text.charCodeAt(at + 1) === 105;
  return binary && (scaled || code === 75) ? 'binary' : undefined;
}

/**
 * Reports whether a quantity of the usual form (`500m`, `2`, `128Mi`) is canonical already, decided without big numbers: up to
 * six digits that no larger unit could shorten.
 */
export function isPlainQuantity(text: string): boolean {
  let value = 0;
  let at = 0;
  for (; at < 6; at++) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) break;
    value = value * 10 + code - 48;
  }
  if (at === 0 || text.charCodeAt(0) === 48) return false;
  const suffix = plainSuffix(text, at);
  return suffix === 'decimal' ? value % 1000 !== 0 : suffix === 'binary' && value % 1024 !== 0;
}

/** Canonical text of a quantity in string or number form; undefined when it is none. */
function quantity(value: unknown, canonical: (text: string) => string): string | undefined {
  const text = typeof value === 'string' ? value : exactNumberText(value);
  if (text === undefined || isPlainQuantity(text)) return text;
  try {
    return canonical(text);
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}

const readQuantity =
  (canonical: (text: string) => string): Read =>
  (value, context) => {
    const text = quantity(value, canonical);
    if (text === undefined) context.wrongType('a quantity such as "500m" or "2Gi"', value);
    return text;
  };

const readIntOrString: Read = (value, context) => {
  if (typeof value === 'string') return value;
  const number = int32(value);
  if (number === undefined)
    context.wrongType(`a whole number of 32 bits${spelling(value)} or a string`, value);
  return number;
};

const readText =
  (expected: string, canonical: (text: string) => string | null | undefined): Read =>
  (value, context) => {
    const result = typeof value === 'string' ? canonical(value) : undefined;
    if (result === undefined) context.wrongType(expected, value);
    return result;
  };

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && !Array.isArray(value) && !isExactNumber(value);

const readObject: Read = (value, context) => {
  if (isObject(value)) return readFreeForm(value, context);
  context.wrongType('an object', value);
  return undefined;
};

const read: Readonly<Record<ScalarType, Read>> = {
  string: readString,
  bool: readBool,
  int32: readInt32,
  int64: readInt64,
  float64: readFloat64,
  bytes: readBytes,
  quantity: readQuantity(canonicalQuantity),
  intOrString: readIntOrString,
  time: readText('a time such as "2006-01-02T15:04:05Z"', readTime),
  microTime: readText('a time such as "2006-01-02T15:04:05.000000Z"', readMicroTime),
  duration: readText('a duration such as "1h30m"', readDuration),
  object: readObject,
  json: readFreeForm,
};

const zero: Readonly<Record<ScalarType, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  bytes: '',
  quantity: '0',
  intOrString: 0,
  time: null,
  microTime: null,
  duration: '0s',
  object: null,
  json: null,
};

export const zeroOfScalar = (type: ScalarType): unknown => zero[type];

/** Types whose values may have many parts. */
const inPieces: Partial<Readonly<Record<ScalarType, ReadInPieces>>> = {
  *object(value, context) {
    return isObject(value) ? yield* readingFreeForm(value, context) : readObject(value, context);
  },
  json: readingFreeForm,
};

/** The reader of a scalar. */
export function scalarReader(type: ScalarType): Reader {
  const reader: Reader = { read: read[type], zero: () => zeroOfScalar(type) };
  const divided = inPieces[type];
  return divided === undefined ? reader : { ...reader, inPieces: divided };
}

/** Amounts of a resource list: rounded up to a thousandth. */
export const resourceQuantityReader: Reader = {
  read: readQuantity(canonicalResourceQuantity),
  zero: () => '0',
};
