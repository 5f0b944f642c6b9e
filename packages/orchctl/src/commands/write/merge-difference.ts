import { isJsonObject, type JsonObject, jsonEquals } from '@orch/machinery/json';

/** The merge patch that changes one object into another; undefined when they are equal. Lists that differ are replaced. */
export function mergeDifference(before: object, after: object): JsonObject | undefined {
  const patch = new Map<string, unknown>();
  const [was, is] = [before as JsonObject, after as JsonObject];
  for (const key of Object.keys(was)) if (is[key] === undefined) patch.set(key, null);
  for (const [key, value] of Object.entries(is)) {
    const old = was[key];
    if (value === undefined || jsonEquals(old, value)) continue;
    patch.set(key, isJsonObject(old) && isJsonObject(value) ? mergeDifference(old, value) : value);
  }
  return patch.size === 0 ? undefined : Object.fromEntries(patch);
}
