import { isJsonObject } from '@orch/machinery';

type JsonObject = Readonly<Record<string, unknown>>;

/** The object at a path of members; empty when there is none. */
export function objectAt(object: JsonObject, ...path: readonly string[]): JsonObject {
  let at: JsonObject = object;
  for (const name of path) {
    const member = at[name];
    at = isJsonObject(member) ? member : {};
  }
  return at;
}

/** The objects in a list; none when it is no list. */
export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

export const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);
