import { approximateNumber } from '@orch/machinery/json';
import { JsonPathError, parseJsonPath } from '@orch/machinery/json-path';
import { parseQuantity, QuantityError, quantityNumber } from '@orch/machinery/quantity';
import { UsageError } from '@orch/program/flags';
import { CommandError } from '../command-error.ts';
import { relaxed, valuesAt } from './json-path-template.ts';

/**
 * Items in the order of the values of a JSONPath in their objects. Numbers and quantities are compared by value, texts by
 * characters; items without a value, or with null, come first. The order of equal items is kept.
 */
export function sortValues<T>(
  items: readonly T[],
  path: string,
  objectOf: (item: T) => unknown,
): readonly T[] {
  const parsed = parsedPath(path);
  const keyed = items.map((item) => ({
    item,
    key: valuesAt(parsed, objectOf(item), { source: path })[0] ?? undefined,
  }));
  if (items.length > 1 && keyed.every(({ key }) => key === undefined))
    throw new CommandError(
      `couldn't find any field with path ${JSON.stringify(path)} in the list of objects`,
    );
  return keyed.toSorted((a, b) => compareValues(a.key, b.key)).map(({ item }) => item);
}

function parsedPath(path: string) {
  try {
    return parseJsonPath(relaxed(path));
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new UsageError(`--sort-by ${path}: ${error.message}`);
  }
}

function compareValues(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) return x - y;
  const [s, t] = [String(a), String(b)];
  return s < t ? -1 : s > t ? 1 : 0;
}

function numberOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return approximateNumber(value);
  try {
    return quantityNumber(parseQuantity(value));
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}
