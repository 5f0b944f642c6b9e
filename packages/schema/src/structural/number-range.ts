import { approximateNumber, exactInteger, isInt64 } from '@orch/machinery/json';
import type { StructuralSchema } from '../structural-schema.ts';
import type { Check } from './scalar-rules.ts';
import { isNearlyWhole, jsonTypeOf } from './value-type.ts';

/** Largest double that rounds to a 32-bit number. */
const MAX_FLOAT32 = (2 - 2 ** -23) * 2 ** 127;

const unsigned = (bits: bigint): readonly [bigint, bigint] => [0n, 2n ** bits - 1n];
const signed = (bits: bigint): readonly [bigint, bigint] => [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];

const integers: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: signed(32n),
  int64: signed(64n),
  uint32: unsigned(32n),
  uint64: unsigned(64n),
};

const floats: ReadonlySet<string> = new Set(['float', 'float32']);

const formatText = (format: string | undefined): string =>
  format === undefined ? '(default format)' : `with format ${format}`;

const isWholeOrNearly = (value: unknown): boolean => jsonTypeOf(value) === 'integer' || isNearlyWhole(value);

/** Reports whether a number may have the type and format of a schema: `undefined` for schemas that allow all numbers. */
export function numberRange({ rules, type }: StructuralSchema): ((value: unknown) => boolean) | undefined {
  const format = rules?.format;
  if (type === 'number')
    return format !== undefined && floats.has(format)
      ? (value) => Math.abs(approximateNumber(value) ?? 0) <= MAX_FLOAT32
      : undefined;
  if (type !== 'integer') return undefined;
  const range = format !== undefined && Object.hasOwn(integers, format) ? integers[format] : undefined;
  if (range === undefined) return isInt64;
  const [least, most] = range;
  return (value) => {
    const integer = isInt64(value) ? exactInteger(value) : undefined;
    return integer !== undefined && integer >= least && integer <= most;
  };
}

/**
 * Refuses numbers that programs with the declared type cannot read: integers beyond the bits of their format, and fractions
 * close to a whole number, which pass as that elsewhere.
 */
export function rangeCheck(schema: StructuralSchema): Check<unknown> | undefined {
  const isInRange = numberRange(schema);
  if (isInRange === undefined) return undefined;
  const problem = `must be of type ${schema.type} ${formatText(schema.rules?.format)}`;
  return (value, walk) => {
    // Other fractions are reported as values of the wrong type.
    const isOfType = schema.type === 'number' || isWholeOrNearly(value);
    if (isOfType && !isInRange(value)) walk.invalid(value, problem);
  };
}
