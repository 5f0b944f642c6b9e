import type { Evaluation } from '../../functions/evaluation.ts';
import { toText } from '../../values/convert.ts';
import { fixedPoint, plain } from '../../values/double-text.ts';
import { EvaluationError } from '../../values/evaluation-error.ts';
import { formatSeconds, formatTimestamp } from '../../values/time.ts';
import { typeNameOf } from '../../values/type-of.ts';
import {
  Double,
  Duration,
  isInt,
  ListValue,
  MapValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../../values/value.ts';

/** The parts of `format` that differ between releases of the function library. */
export interface FormatStyle {
  /** `%s`. */
  text(value: Value, evaluation: Evaluation): string;
  /** The number that `%f` or `%e` formats; undefined for other values. */
  doubleOf(value: Value): number | undefined;
  fixed(value: number, digits: number): string;
  scientific(value: number, digits: number): string;
}

/** The style of the parts of lists and maps. */
interface Parts {
  readonly element: (value: Value, evaluation: Evaluation) => string;
  /** Between a key and its value. */
  readonly colon: string;
}

/** Work of writing a value that is not a list or map. */
export function writingWork(value: Value): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length >> 2;
  if (value instanceof Timestamp || value instanceof Duration) return 200;
  // All digits are computed; the largest and the smallest numbers have hundreds.
  if (value instanceof Double && value.value !== 0 && Number.isFinite(value.value))
    return 50 + Math.abs(Math.log2(Math.abs(value.value))) * 4;
  return 5;
}

function collection(value: Value, { element, colon }: Parts, evaluation: Evaluation): string | undefined {
  if (value instanceof ListValue) {
    const items: string[] = [];
    evaluation.work(value.length * 10);
    for (let i = 0; i < value.length; i++) items.push(element(value.at(i), evaluation));
    return `[${items.join(', ')}]`;
  }
  if (!(value instanceof MapValue)) return undefined;
  evaluation.work(value.size * 100);
  const entries = value
    .keys()
    .map((key) => [element(key, evaluation), element(value.get(key) ?? null, evaluation)] as const);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map((entry) => entry.join(colon)).join(', ')}}`;
}

function special(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? 'Infinity' : '-Infinity';
}

function scalar(value: Value): string {
  if (value === null) return 'null';
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  const known = typeof value !== 'object' || value instanceof Double || value instanceof Uint;
  if (known || value instanceof Timestamp || value instanceof Duration) return toText(value);
  throw new EvaluationError(`error during formatting: %s cannot format a value of type ${typeNameOf(value)}`);
}

const exponential = (value: number, digits: number): string =>
  value.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');

/** The style of the language's published tests. */
export const plainStyle: FormatStyle = {
  text(value, evaluation) {
    const parts = collection(value, { element: plainStyle.text, colon: ': ' }, evaluation);
    if (parts !== undefined) return parts;
    if (value instanceof Double)
      return Number.isFinite(value.value) ? plain(value.value) : special(value.value);
    return scalar(value);
  },
  doubleOf(value) {
    if (value instanceof Double) return value.value;
    if (isInt(value)) return Number(value);
    return value instanceof Uint ? Number(value.value) : undefined;
  },
  fixed: (value, digits) => (Number.isFinite(value) ? fixedPoint(value, digits) : special(value)),
  scientific: (value, digits) => (Number.isFinite(value) ? exponential(value, digits) : special(value)),
};

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

const quoted = (text: string): string => JSON.stringify(text);

/** Parts of lists and maps as literals of the language. */
function literal(value: Value, evaluation: Evaluation): string {
  evaluation.work(writingWork(value));
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Uint8Array) return `b${quoted(scalar(value))}`;
  if (value instanceof Timestamp) return `timestamp(${quoted(formatTimestamp(value))})`;
  if (value instanceof Duration) return `duration(${quoted(formatSeconds(value))})`;
  if (value instanceof Double)
    return Number.isFinite(value.value) ? fixedPoint(value.value, 6) : quoted(toText(value));
  return localizedStyle.text(value, evaluation);
}

const infinite = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞');

function localizedExponent(value: number, digits: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(digits).split('e');
  const size = Math.abs(Number(exponent)).toString().padStart(2, '0');
  const raised = size.replace(/\d/g, (digit) => superscripts[Number(digit)] ?? digit);
  return `${mantissa}×10${Number(exponent) < 0 ? '⁻' : ''}${raised}`;
}

const grouped = (text: string): string =>
  text.replace(/\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));

/** The style of the API's releases: numbers as in English texts, and parts of collections as literals. */
export const localizedStyle: FormatStyle = {
  text: (value, evaluation) =>
    collection(value, { element: literal, colon: ':' }, evaluation) ?? scalar(value),
  doubleOf(value) {
    if (value instanceof Double) return value.value;
    if (value === 'NaN') return Number.NaN;
    if (value === 'Infinity') return Number.POSITIVE_INFINITY;
    return value === '-Infinity' ? Number.NEGATIVE_INFINITY : undefined;
  },
  fixed: (value, digits) => (Number.isFinite(value) ? grouped(fixedPoint(value, digits)) : infinite(value)),
  scientific: (value, digits) =>
    Number.isFinite(value) ? localizedExponent(value, digits) : infinite(value),
};
