import { isJsonObject } from '@orch/machinery';

/** A member of what may be no object; undefined then. */
export const memberOf = (value: unknown, member: string): unknown =>
  isJsonObject(value) ? value[member] : undefined;

/** A copy of an object without some members; of what is no object, an empty one. */
export function without(value: unknown, members: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([member]) => !members.has(member)))
    : {};
}
