import type { JsonObject } from '@orch/machinery/json';
import type { StructSchema } from '@orch/schema';

/**
 * A struct with its fields in declaration order, for strategies that add fields: equal objects are then stored as equal
 * bytes. For structs whose fields have the same name under every naming.
 */
export const inOrder = (value: JsonObject, { fields }: StructSchema): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap(({ name }) => (Object.hasOwn(value, name) ? [[name, value[name]] as const] : [])),
  );

/** A map of ASCII keys, such as labels, in the order in which maps are stored. */
export const sortedMap = <T>(map: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
