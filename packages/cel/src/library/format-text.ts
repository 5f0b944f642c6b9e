import type { Evaluation } from '../functions/evaluation.ts';
import { EvaluationError } from '../values/evaluation-error.ts';
import { typeNameOf } from '../values/type-of.ts';
import { Double, isInt, type ListValue, Uint, type Value } from '../values/value.ts';
import type { FormatStyle } from './format-style.ts';

const MAX_PRECISION = 100;
const clause = /%(?:%|(?:\.(\d+))?([A-Za-z])?)/g;

/** `'%s is %d'.format([name, age])` in a style. */
export const formatter =
  (style: FormatStyle) =>
  (template: string, args: ListValue, evaluation: Evaluation): string => {
    let next = 0;
    return template.replace(clause, (found, precision: string | undefined, verb: string | undefined) => {
      if (found === '%%') return '%';
      if (verb === undefined) throw new EvaluationError('unexpected end of a formatting clause');
      if (next >= args.length) throw new EvaluationError(`index ${next} out of range`);
      const value = args.at(next++);
      const digits = precision === undefined ? 6 : Number(precision);
      if (digits > MAX_PRECISION) throw new EvaluationError(`precision ${digits} exceeds ${MAX_PRECISION}`);
      const text = formatValue(verb, value, { digits, style, evaluation });
      evaluation.work(40 + (text.length >> 2));
      return text;
    });
  };

interface Clause {
  readonly digits: number;
  readonly style: FormatStyle;
  readonly evaluation: Evaluation;
}

function formatValue(verb: string, value: Value, { digits, style, evaluation }: Clause): string {
  switch (verb) {
    case 's':
      return style.text(value, evaluation);
    case 'd':
      return decimal(value);
    case 'f':
      return style.fixed(style.doubleOf(value) ?? wrongType(verb, value), digits);
    case 'e':
      return style.scientific(style.doubleOf(value) ?? wrongType(verb, value), digits);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return integer(verb, value).toString(2);
    case 'o':
      return integer(verb, value).toString(8);
    case 'x':
      return hexadecimal(value);
    case 'X':
      return hexadecimal(value).toUpperCase();
    default:
      throw new EvaluationError(`unrecognized formatting clause "${verb}"`);
  }
}

function wrongType(verb: string, value: Value): never {
  throw new EvaluationError(
    `error during formatting: %${verb} cannot format a value of type ${typeNameOf(value)}`,
  );
}

function integer(verb: string, value: Value): bigint {
  if (isInt(value)) return BigInt(value);
  return value instanceof Uint ? value.value : wrongType(verb, value);
}

function decimal(value: Value): string {
  if (value instanceof Double && Number.isNaN(value.value)) return 'NaN';
  if (value instanceof Double && !Number.isFinite(value.value))
    return value.value > 0 ? 'Infinity' : '-Infinity';
  return integer('d', value).toString();
}

function hexadecimal(value: Value): string {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return integer('x', value).toString(16);
}
