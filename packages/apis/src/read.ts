import type { ApiObject } from '@orch/machinery';

/** A JSON object of unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

const nothing: JsonObject = Object.freeze({});

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as an object; an empty one when it is anything else. */
export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : nothing);

/**
 * The objects of a list; none when the value is no list. What is not an object is left out: defaults are derived also
 * for input that turns out to be of the wrong type.
 */
export function asObjects(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return [];
  for (const item of value) if (!isObject(item)) return value.filter(isObject);
  return value;
}

/** The value as a list of strings; empty when it is not a list. */
export const asStrings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? (value as readonly string[]) : [];

/** The value as text; `''` when it is not a string. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The value as a number; 0 when it is none. */
export const asNumber = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** A string map; empty when the value is none. */
export const asStringMap = (value: unknown): Readonly<Record<string, string>> =>
  asObject(value) as Readonly<Record<string, string>>;

/** `spec` of an object that was decoded. */
export const specOf = (object: ApiObject | JsonObject): JsonObject => asObject(object['spec']);

/** `status` of an object that was decoded. */
export const statusOf = (object: ApiObject | JsonObject): JsonObject => asObject(object['status']);
