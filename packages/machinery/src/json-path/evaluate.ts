import { approximateNumber, isJsonObject } from '../json/index.ts';
import { JsonPathError } from './parse.ts';
import type { Filter, FilterOperator, JsonPath, JsonPathStep, Slice } from './steps.ts';

/**
 * Maximum number of values that one evaluation may visit: recursive steps could otherwise visit all of them repeatedly.
 */
const MAX_VISITS = 10_000;

export interface JsonPathLimits {
  /** Maximum number of visited values; 10,000. For programs of users, which read large lists. */
  readonly maxVisits?: number;
  /** A position that a list does not have leads to no value, instead of a path that does not fit. */
  readonly allowsMissingItems?: boolean;
  /** A field that none of the values has is a `JsonPathError`. */
  readonly requiresFields?: boolean;
}

/**
 * The path cannot be applied to the value: an index is out of bounds, a filter is applied to a value that is not a
 * list, or the work exceeds the limit.
 */
class Mismatch extends Error {}

const childrenOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
};

class Evaluation {
  #left: number;
  readonly #allowsMissing: boolean;
  readonly #requiresFields: boolean;

  constructor({ maxVisits = MAX_VISITS, allowsMissingItems, requiresFields }: JsonPathLimits) {
    this.#left = maxVisits;
    this.#allowsMissing = allowsMissingItems ?? false;
    this.#requiresFields = requiresFields ?? false;
  }

  path(steps: JsonPath, input: readonly unknown[]): readonly unknown[] {
    let values = input;
    for (const step of steps) values = this.#step(step, values);
    return values;
  }

  #step(step: JsonPathStep, values: readonly unknown[]): readonly unknown[] {
    this.#left -= values.length + 1;
    if (this.#left < 0) throw new Mismatch();
    switch (step.kind) {
      case 'field':
        return this.#fields(step.name, values);
      case 'wildcard':
        return values.flatMap(childrenOf);
      case 'recursive':
        return values.flatMap((value) => this.#within(value));
      case 'slice':
        return values.flatMap((value) => itemsOf(value, step.slice, this.#allowsMissing));
      case 'union':
        return step.paths.flatMap((path) => this.path(path, values));
      case 'filter':
        return values.flatMap((value) => this.#filtered(value, step.filter));
      case 'literal':
        return typeof step.value === 'string' ? [step.value] : values.map(() => step.value);
    }
  }

  #fields(name: string, values: readonly unknown[]): readonly unknown[] {
    const found = values.flatMap((value) =>
      isJsonObject(value) && Object.hasOwn(value, name) ? [value[name]] : [],
    );
    if (this.#requiresFields && values.length > 0 && found.length === 0)
      throw new JsonPathError(`${name} is not found`);
    return found;
  }

  #within(value: unknown): readonly unknown[] {
    if (typeof value === 'string' && value !== '') return [value];
    const children = childrenOf(value);
    this.#left -= children.length;
    if (this.#left < 0) throw new Mismatch();
    return children.length === 0 ? [] : [value, ...children.flatMap((child) => this.#within(child))];
  }

  #filtered(value: unknown, { comparison, left }: Filter): readonly unknown[] {
    if (!Array.isArray(value)) throw new Mismatch();
    return value.filter((item: unknown) => {
      if (comparison === undefined) return this.#exists(left, item);
      const lefts = this.path(left, [item]);
      const rights = this.path(comparison.right, [item]);
      if (lefts.length === 0 || rights.length === 0) return false;
      if (lefts.length > 1 || rights.length > 1) throw new Mismatch();
      return compares(lefts[0], comparison.operator, rights[0]);
    });
  }

  /** Reports whether a path leads to anything in an item. A missing field is an answer here. */
  #exists(path: JsonPath, item: unknown): boolean {
    try {
      return this.path(path, [item]).length > 0;
    } catch (error) {
      if (error instanceof JsonPathError) return false;
      throw error;
    }
  }
}

function itemsOf(
  value: unknown,
  { end, isIndex, start = 0, step = 1 }: Slice,
  allowsMissing: boolean,
): readonly unknown[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new Mismatch();
  const { length } = value;
  const first = start < 0 ? start + length : start;
  const last = isIndex ? first + 1 : end === undefined ? length : end < 0 ? end + length : end;
  if (first === last) return [];
  const isWithin = first >= 0 && first < length && last >= 0 && last <= length && first < last;
  if (!isWithin && !allowsMissing) throw new Mismatch();
  if (!isWithin && (isIndex || last < first)) return [];
  if (step <= 0) throw new Mismatch();
  return value.slice(Math.max(first, 0), Math.max(last, 0)).filter((_item, i) => i % step === 0);
}

function compares(left: unknown, operator: FilterOperator, right: unknown): boolean {
  // Booleans are equal or not, and have no order.
  if (typeof left === 'boolean' && operator !== '==' && operator !== '!=') throw new Mismatch();
  const order = orderOf(left, right);
  switch (operator) {
    case '==':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

/** Values of different types, and those that have no order, do not compare. */
function orderOf(left: unknown, right: unknown): number {
  const [a, b] = [approximateNumber(left) ?? left, approximateNumber(right) ?? right];
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  throw new Mismatch();
}

/**
 * The values that a path leads to, missing fields left out; undefined where the path does not fit the value. Work is
 * bounded whatever the path and the value are. Throws a JsonPathError only with `requiresFields`.
 */
export function evaluateJsonPath(
  path: JsonPath,
  value: unknown,
  limits: JsonPathLimits = {},
): readonly unknown[] | undefined {
  try {
    return new Evaluation(limits).path(path, [value]);
  } catch (error) {
    if (error instanceof Mismatch) return undefined;
    throw error;
  }
}
