import type { Evaluation } from '../../functions/evaluation.ts';
import { EvaluationError } from '../../values/evaluation-error.ts';
import { typeNameOf } from '../../values/type-of.ts';
import { Double, isInt, type ListValue, Uint, type Value } from '../../values/value.ts';
import { type FormatStyle, writingWork } from './format-style.ts';

const MAX_PRECISION = 100;
/** Work of a clause without its value. */
const CLAUSE_WORK = 30;
const clause = /%(?:%|(?:\.(\d+))?([A-Za-z])?)/g;

/** `'%s is %d'.format([name, age])` in a style. */
export const formatter =
  (style: FormatStyle) =>
  (template: string, args: ListValue, evaluation: Evaluation): string => {
    const parts: string[] = [];
    let next = 0;
    let end = 0;
    // One by one: the platform's `replace` looks for all clauses before it replaces the first.
    for (const match of template.matchAll(clause)) {
      evaluation.work(CLAUSE_WORK);
      const [found, precision, verb] = match;
      parts.push(template.slice(end, match.index));
      end = match.index + found.length;
      if (found === '%%') {
        parts.push('%');
        continue;
      }
      if (verb === undefined) throw new EvaluationError('unexpected end of a formatting clause');
      if (next >= args.length) throw new EvaluationError(`index ${next} out of range`);
      parts.push(formatClause({ verb, digits: digitsOf(precision), style, evaluation }, args.at(next++)));
    }
    return parts.join('') + template.slice(end);
  };

function digitsOf(precision: string | undefined): number {
  const digits = precision === undefined ? 6 : Number(precision);
  if (digits > MAX_PRECISION) throw new EvaluationError(`precision ${digits} exceeds ${MAX_PRECISION}`);
  return digits;
}

function formatClause(parts: Clause, value: Value): string {
  const { evaluation } = parts;
  evaluation.work(writingWork(value));
  const text = formatValue(parts, value);
  evaluation.work(text.length >> 2);
  return text;
}

interface Clause {
  readonly verb: string;
  readonly digits: number;
  readonly style: FormatStyle;
  readonly evaluation: Evaluation;
}

function formatValue({ verb, digits, style, evaluation }: Clause, value: Value): string {
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
      return hexadecimal(value, evaluation);
    case 'X':
      return hexadecimal(value, evaluation).toUpperCase();
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

function hexadecimal(value: Value, evaluation: Evaluation): string {
  if (typeof value === 'string' || value instanceof Uint8Array) evaluation.work(value.length >> 1);
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return integer('x', value).toString(16);
}
