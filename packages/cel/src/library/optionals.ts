import type { Evaluation } from '../functions/evaluation.ts';
import { type Library, member, overload } from '../functions/overload.ts';
import { optionalMacros } from '../syntax/macros.ts';
import * as types from '../types/type.ts';
import { ArrayList } from '../values/collections.ts';
import { EvaluationError } from '../values/evaluation-error.ts';
import {
  Double,
  Duration,
  isInt,
  ListValue,
  MapValue,
  none,
  OptionalValue,
  Uint,
  type Value,
} from '../values/value.ts';
import { optionalIndices } from './standard/operators.ts';

const V = types.param('V');
const optionalV = types.optional(V);

/** The default of a type: empty, zero, false or null. */
function isZero(value: Value): boolean {
  if (isInt(value)) return value === 0;
  if (value === null || value === false || value === '') return true;
  if (value instanceof Double) return value.value === 0;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof ListValue || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof MapValue) return value.size === 0;
  return value instanceof OptionalValue && value.value === undefined;
}

function valueIn(optional: OptionalValue): Value {
  if (optional.value === undefined) throw new EvaluationError('optional.none() dereference');
  return optional.value;
}

function unwrap(values: ListValue, evaluation: Evaluation): ListValue {
  evaluation.work(values.length * 4);
  const items: Value[] = [];
  for (let i = 0; i < values.length; i++) {
    const item = values.at(i);
    if (item instanceof OptionalValue && item.value !== undefined) items.push(item.value);
  }
  return new ArrayList(items);
}

const at = (values: ListValue, index: number): OptionalValue =>
  values.length === 0 ? none : new OptionalValue(values.at(index));

export const optionals: Library = {
  name: 'optionals',
  macros: optionalMacros,
  types: [types.optional(types.dyn)],
  functions: {
    ...optionalIndices,
    'optional.of': [overload('optional_of', [[V], optionalV], (value: Value) => new OptionalValue(value))],
    'optional.ofNonZeroValue': [
      overload('optional_ofNonZeroValue', [[V], optionalV], (value: Value) =>
        isZero(value) ? none : new OptionalValue(value),
      ),
    ],
    'optional.none': [overload('optional_none', [[], optionalV], () => none)],
    'optional.unwrap': [overload('optional_unwrap', [[types.list(optionalV)], types.list(V)], unwrap)],
    value: [member('optional_value', [[optionalV], V], valueIn)],
    hasValue: [
      member(
        'optional_hasValue',
        [[optionalV], types.bool],
        ({ value }: OptionalValue) => value !== undefined,
      ),
    ],
    // The argument of these two is evaluated only if needed (`eval/calls.ts`).
    or: [member('optional_or_optional', [[optionalV, optionalV], optionalV], valueIn)],
    orValue: [member('optional_orValue_value', [[optionalV, V], V], valueIn)],
    unwrapOpt: [member('optional_unwrapOpt', [[types.list(optionalV)], types.list(V)], unwrap)],
    first: [member('list_first', [[types.list(V)], optionalV], (values: ListValue) => at(values, 0))],
    last: [
      member('list_last', [[types.list(V)], optionalV], (values: ListValue) => at(values, values.length - 1)),
    ],
  },
};
