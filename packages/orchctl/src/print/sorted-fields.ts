import { isExactNumber, isJsonObject } from '@orch/machinery/json';

/** The same value with the fields of objects in alphabetical order, as kubectl prints them. */
export function sortedFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedFields);
  if (!isJsonObject(value) || isExactNumber(value)) return value;
  const sorted = Object.keys(value)
    .toSorted()
    .map((name) => [name, sortedFields(value[name])]);
  return Object.fromEntries(sorted);
}
