import type { Evaluation } from '../functions/evaluation.ts';
import { type Library, overload } from '../functions/overload.ts';
import { add, fixed, multiply, scale, unknown } from '../functions/range.ts';
import * as types from '../types/type.ts';
import { equalValues } from '../values/equality.ts';
import type { ListValue, Value } from '../values/value.ts';
import type { CostRule } from './costs.ts';

const lists = types.list(types.param('T'));
const signature = [[lists, lists], types.bool] as const;

/** Every element of one list is compared with every one of the other. */
const product = (factor: number): CostRule => ({
  cost: ([a, b], evaluation) => 1 + evaluation.sizeOf(a) * evaluation.sizeOf(b) * factor,
  estimate: ([a, b]) => ({
    cost: add(scale(multiply(a?.size ?? unknown, b?.size ?? unknown), factor), fixed(1)),
  }),
});

function includes(values: ListValue, value: Value, evaluation: Evaluation): boolean {
  for (let i = 0; i < values.length; i++) if (equalValues(values.at(i), value, evaluation)) return true;
  return false;
}

function contains(values: ListValue, part: ListValue, evaluation: Evaluation): boolean {
  for (let i = 0; i < part.length; i++) if (!includes(values, part.at(i), evaluation)) return false;
  return true;
}

function intersects(a: ListValue, b: ListValue, evaluation: Evaluation): boolean {
  for (let i = 0; i < a.length; i++) if (includes(b, a.at(i), evaluation)) return true;
  return false;
}

const equivalent = (a: ListValue, b: ListValue, evaluation: Evaluation): boolean =>
  contains(a, b, evaluation) && contains(b, a, evaluation);

export const sets: Library = {
  name: 'sets',
  functions: {
    'sets.contains': [overload('list_sets_contains_list', signature, contains, product(1))],
    'sets.equivalent': [overload('list_sets_equivalent_list', signature, equivalent, product(2))],
    'sets.intersects': [overload('list_sets_intersects_list', signature, intersects, product(1))],
  },
};
