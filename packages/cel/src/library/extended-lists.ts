import type { EstimatedArgument } from '../functions/call-estimate.ts';
import type { Evaluation } from '../functions/evaluation.ts';
import { type Library, member, overload } from '../functions/overload.ts';
import { add, fixed, MAX, multiply, type Range, scale, unknown } from '../functions/range.ts';
import type { CelType } from '../types/type.ts';
import * as types from '../types/type.ts';
import { ArrayList } from '../values/collections.ts';
import { compareValues } from '../values/compare.ts';
import { equalValues } from '../values/equality.ts';
import { EvaluationError } from '../values/evaluation-error.ts';
import { typeNameOf } from '../values/type-of.ts';
import { ListValue, type Value } from '../values/value.ts';
import type { CostRule } from './costs.ts';

const { bool, bytes, double, duration, dyn, int, list, param, string, timestamp, uint } = types;
const T = param('T');

type Int = number | bigint;

/** A call and a new list. */
const BASE = 11;

const allocating = (factor: number, size: Range): { cost: Range; size: Range } => ({
  cost: add(scale(size, factor), fixed(BASE)),
  size,
});

const sizeOf = (argument: EstimatedArgument | undefined): Range => argument?.size ?? unknown;

/** The number that an argument is literally; `otherwise` when it is computed. */
function literal(argument: EstimatedArgument | undefined, otherwise: number): number {
  const value = argument?.literal;
  return typeof value === 'number' ? Math.max(0, value) : otherwise;
}

const sliceCost: CostRule = {
  cost: ([, start, end]) => Math.max(0, Number(end) - Number(start)) + BASE,
  estimate: ([values, start, end]) => {
    const size = literal(end, sizeOf(values).max) - literal(start, 0);
    return allocating(1, fixed(size < 0 ? MAX : size));
  },
};

const rangeCost: CostRule = {
  cost: ([count]) => Math.max(0, Number(count)) + BASE,
  estimate: ([count]) => allocating(1, fixed(literal(count, MAX))),
};

const flattenCost: CostRule = {
  cost: ([values, depth], evaluation) =>
    Math.floor(evaluation.sizeOf(values) * (depth === undefined ? 1 : Math.max(0, Number(depth)))) + BASE,
  estimate: ([values, depth]) => allocating(depth === undefined ? 1 : literal(depth, MAX), sizeOf(values)),
};

const reverseCost: CostRule = {
  cost: ([values], evaluation) => evaluation.sizeOf(values) + BASE,
  estimate: ([values]) => allocating(1, sizeOf(values)),
};

/** Every element is compared with every other one, twice. */
export function selfComparisonCost(values: Value | undefined): number {
  if (!(values instanceof ListValue) || values.length === 0) return BASE;
  const first = values.at(0);
  const factor = typeof first === 'string' || first instanceof Uint8Array ? 2.1 : 2;
  return Math.floor(values.length * values.length * factor) + BASE;
}

const distinctCost: CostRule = {
  cost: ([values]) => selfComparisonCost(values),
  estimate: ([values]) => allocating(2, multiply(sizeOf(values), sizeOf(values))),
};

/** Estimate of sorting by keys of a type. */
export const sortEstimate = (size: Range, type: CelType): { cost: Range; size: Range } =>
  allocating(type.kind === 'string' || type.kind === 'bytes' ? 2.1 : 2, multiply(size, size));

const sortCost = (type: CelType): CostRule => ({
  cost: ([values]) => selfComparisonCost(values),
  estimate: ([values]) => sortEstimate(sizeOf(values), type),
});

/** Work of reading an element and of adding it to a new list, and of reading a list. */
const COPY_WORK = 3;
const LIST_WORK = 30;

function copyOf(values: ListValue, evaluation: Evaluation, start = 0, end = values.length): Value[] {
  evaluation.work(LIST_WORK + (end - start) * COPY_WORK);
  return Array.from({ length: end - start }, (_, index) => values.at(start + index));
}

/** Work of comparing strings or bytes, which may differ in their last character only. */
function comparisonWork(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return 2 + (Math.min(a.length, b.length) >> 2);
  return a instanceof Uint8Array && b instanceof Uint8Array ? 2 + (Math.min(a.length, b.length) >> 2) : 2;
}

const itemsOf = (values: ListValue): Value[] =>
  Array.from({ length: values.length }, (_, index) => values.at(index));

function slice(values: ListValue, start: Int, end: Int, evaluation: Evaluation): ListValue {
  if (start < 0 || end < 0)
    throw new EvaluationError(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end)
    throw new EvaluationError(
      `cannot slice(${start}, ${end}), start index must be less than or equal to end index`,
    );
  if (end > values.length)
    throw new EvaluationError(`cannot slice(${start}, ${end}), list is length ${values.length}`);
  return new ArrayList(copyOf(values, evaluation, Number(start), Number(end)));
}

function flatten(values: ListValue, levels: number, evaluation: Evaluation): ListValue {
  if (levels < 0) throw new EvaluationError('level must be non-negative');
  const items: Value[] = [];
  const collect = (from: ListValue, left: number): void => {
    for (const item of copyOf(from, evaluation)) {
      if (item instanceof ListValue && left > 0) collect(item, left - 1);
      else items.push(item);
    }
  };
  collect(values, levels);
  return new ArrayList(items);
}

const flattenOnce = (values: ListValue, evaluation: Evaluation): ListValue => flatten(values, 1, evaluation);

const flattenTo = (values: ListValue, depth: Int, evaluation: Evaluation): ListValue =>
  flatten(values, Number(depth), evaluation);

const range = (count: Int): ListValue =>
  new ArrayList(Array.from({ length: Math.max(0, Number(count)) }, (_, index) => index));

function distinct(values: ListValue, evaluation: Evaluation): ListValue {
  const found: Value[] = [];
  for (const item of itemsOf(values))
    if (!found.some((each) => equalValues(each, item, evaluation))) found.push(item);
  return new ArrayList(found);
}

/** Sorts values by keys, of which there is one for each. */
export function sortByKeys(values: ListValue, keys: ListValue, evaluation: Evaluation): ListValue {
  if (keys.length === 0) return values;
  const type = typeNameOf(keys.at(0));
  const pairs = itemsOf(keys).map((key, index) => {
    if (typeNameOf(key) !== type) throw new EvaluationError('list elements must have the same type');
    return { key, value: values.at(index) };
  });
  pairs.sort((a, b) => {
    evaluation.work(comparisonWork(a.key, b.key));
    const order = compareValues(a.key, b.key);
    if (order === undefined) throw new EvaluationError('list elements must be comparable');
    return order;
  });
  return new ArrayList(pairs.map(({ value }) => value));
}

const sort = (values: ListValue, evaluation: Evaluation): ListValue => sortByKeys(values, values, evaluation);

/** Types by which lists are sorted. */
export const sortable: readonly CelType[] = [int, uint, double, bool, duration, timestamp, string, bytes];

export const extendedLists: Library = {
  name: 'extended lists',
  macros: ['sortBy/2'],
  functions: {
    slice: [member('list_slice', [[list(T), int, int], list(T)], slice, sliceCost)],
    flatten: [
      member('list_flatten', [[list(list(T))], list(T)], flattenOnce, flattenCost),
      member('list_flatten_int', [[list(dyn), int], list(dyn)], flattenTo, flattenCost),
    ],
    sort: sortable.map((type) =>
      member(`list_${type.kind}_sort`, [[list(type)], list(type)], sort, sortCost(type)),
    ),
    'lists.range': [overload('lists_range', [[int], list(int)], range, rangeCost)],
    reverse: [
      member(
        'list_reverse',
        [[list(T)], list(T)],
        (values: ListValue, evaluation: Evaluation) => new ArrayList(copyOf(values, evaluation).reverse()),
        reverseCost,
      ),
    ],
    distinct: [member('list_distinct', [[list(T)], list(T)], distinct, distinctCost)],
  },
};
