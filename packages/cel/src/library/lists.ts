import type { Evaluation } from '../functions/evaluation.ts';
import { type Library, member, type Overload } from '../functions/overload.ts';
import type { CelType } from '../types/type.ts';
import * as types from '../types/type.ts';
import { addInts, addUints } from '../values/arithmetic.ts';
import { compareValues } from '../values/compare.ts';
import { equalValues } from '../values/equality.ts';
import { EvaluationError } from '../values/evaluation-error.ts';
import { durationOf } from '../values/time.ts';
import { Double, Duration, isInt, type ListValue, Uint, type Value } from '../values/value.ts';
import { elementwise } from './costs.ts';

const { bool, bytes, double, duration, int, list, param, string, timestamp, uint } = types;
const A = param('A');

/** Types whose values have an order. */
const comparable: readonly CelType[] = [int, uint, double, bool, duration, timestamp, string, bytes];

const compare = (a: Value, b: Value): number => compareValues(a, b) ?? 0;

function isSorted(values: ListValue): boolean {
  for (let i = 1; i < values.length; i++) if (compare(values.at(i - 1), values.at(i)) > 0) return false;
  return true;
}

/** The maximum element for a sign of 1, the minimum for -1. */
const extreme =
  (name: string, sign: 1 | -1) =>
  (values: ListValue): Value => {
    if (values.length === 0) throw new EvaluationError(`${name} called on empty list`);
    let found = values.at(0);
    for (let i = 1; i < values.length; i++) {
      const next = values.at(i);
      if (compare(next, found) * sign > 0) found = next;
    }
    return found;
  };

function addTwo(a: Value, b: Value): Value {
  if (isInt(a) && isInt(b)) return addInts(a, b);
  if (a instanceof Uint && b instanceof Uint) return addUints(a, b);
  if (a instanceof Double && b instanceof Double) return new Double(a.value + b.value);
  if (a instanceof Duration && b instanceof Duration) return durationOf(a.nanos + b.nanos);
  throw new EvaluationError('no such overload');
}

const sumFrom =
  (zero: Value) =>
  (values: ListValue): Value => {
    let total = zero;
    for (let i = 0; i < values.length; i++) total = addTwo(total, values.at(i));
    return total;
  };

function indexOf(values: ListValue, value: Value, evaluation: Evaluation): number {
  for (let i = 0; i < values.length; i++) if (equalValues(values.at(i), value, evaluation)) return i;
  return -1;
}

function lastIndexOf(values: ListValue, value: Value, evaluation: Evaluation): number {
  for (let i = values.length - 1; i >= 0; i--) if (equalValues(values.at(i), value, evaluation)) return i;
  return -1;
}

const zeros: readonly (readonly [CelType, Value])[] = [
  [int, 0],
  [uint, new Uint(0n)],
  [double, new Double(0)],
  [duration, new Duration(0n)],
];

const each = (
  name: string,
  result: CelType | 'element',
  apply: (values: ListValue) => Value,
): readonly Overload[] =>
  comparable.map((type) =>
    member(
      `list_${type.kind}_${name}`,
      [[list(type)], result === 'element' ? type : result],
      apply,
      elementwise,
    ),
  );

/** Functions on lists that every release has. */
export const lists: Library = {
  name: 'lists',
  functions: {
    isSorted: each('is_sorted', bool, isSorted),
    max: each('max', 'element', extreme('max', 1)),
    min: each('min', 'element', extreme('min', -1)),
    sum: zeros.map(([type, zero]) =>
      member(`list_${type.kind}_sum`, [[list(type)], type], sumFrom(zero), elementwise),
    ),
    indexOf: [member('list_a_index_of_int', [[list(A), A], int], indexOf, elementwise)],
    lastIndexOf: [member('list_a_last_index_of_int', [[list(A), A], int], lastIndexOf, elementwise)],
  },
};
