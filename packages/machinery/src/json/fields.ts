import type { ApiObject } from '../meta.ts';
import { isJsonObject } from './values.ts';

/**
 * Lenient accessors for JSON of unknown or already validated shape: a value of another type counts as absent, and
 * absent values read as empty. None of them throws or copies, except that lists with items of another type are
 * filtered.
 */

/** A JSON object whose fields have unknown types. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The same, mutable: for code that has created or copied the object. */
export type MutableJsonObject = Record<string, unknown>;

const empty: JsonObject = Object.freeze({});

const isText = (value: unknown): value is string => typeof value === 'string';

/** The value as an object; an empty one when it is anything else. */
export const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : empty);

/** The object at a path of fields; an empty one when there is none. */
export function objectAt(object: JsonObject, ...path: readonly string[]): JsonObject {
  let at = object;
  for (const name of path) at = asObject(at[name]);
  return at;
}

/** The value as a list; empty when it is none. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects of a list, without items of another type; empty when the value is not a list. */
export const asObjects = (value: unknown): readonly JsonObject[] => itemsOfType(value, isJsonObject);

/** The strings of a list, without items of another type; empty when the value is not a list. */
export const asStrings = (value: unknown): readonly string[] => itemsOfType(value, isText);

/** The value as text; `''` when it is not a string. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The value as a number; 0 when it is none. */
export const asNumber = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** The value as a map of strings, whose values are not checked; empty when it is not an object. */
export const asStringMap = (value: unknown): Readonly<Record<string, string>> =>
  asObject(value) as Readonly<Record<string, string>>;

/** The field `spec` as an object. */
export const specOf = (object: ApiObject | JsonObject): JsonObject => asObject(object['spec']);

/** The field `status` as an object. */
export const statusOf = (object: ApiObject | JsonObject): JsonObject => asObject(object['status']);

function itemsOfType<T>(value: unknown, isItem: (item: unknown) => item is T): readonly T[] {
  if (!Array.isArray(value)) return [];
  for (const item of value) if (!isItem(item)) return value.filter(isItem);
  return value;
}
