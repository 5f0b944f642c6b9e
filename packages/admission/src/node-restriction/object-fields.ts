import { isJsonObject } from '@orch/machinery/json';

/** A field of an object; undefined for any other value. */
export const fieldOf = (value: unknown, field: string): unknown =>
  isJsonObject(value) ? value[field] : undefined;

/** A copy of an object without some fields; an empty object for any other value. */
export function without(value: unknown, fields: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([field]) => !fields.has(field)))
    : {};
}
