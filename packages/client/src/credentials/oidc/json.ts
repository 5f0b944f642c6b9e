import { isJsonObject, type JsonObject, parseJson } from '@orch/machinery/json';

/** Undefined for bytes that are not a JSON object. */
export function jsonOf(body: Uint8Array): JsonObject | undefined {
  try {
    const value = parseJson(body);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A field of the object itself, not of its prototype. */
export const own = (value: JsonObject, field: string): unknown =>
  Object.hasOwn(value, field) ? value[field] : undefined;

/** Undefined for a missing or empty string. */
export function textOf(value: JsonObject, field: string): string | undefined {
  const text = own(value, field);
  return typeof text === 'string' && text !== '' ? text : undefined;
}
