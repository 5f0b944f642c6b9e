import type { Derive } from '@orch/schema';
import { asObject, type JsonObject } from '../../read.ts';

/** Adds to a map what it lacks of `source`; undefined when it lacks nothing. */
function completed(map: JsonObject, source: JsonObject): JsonObject | undefined {
  const missing = Object.keys(source).filter((name) => !Object.hasOwn(map, name));
  if (missing.length === 0) return undefined;
  return { ...map, ...Object.fromEntries(missing.map((name) => [name, source[name]])) };
}

function fill(item: Record<string, unknown>, member: string, from: string): boolean {
  const map = completed(asObject(item[member]), asObject(item[from]));
  if (map === undefined) return false;
  item[member] = map;
  return true;
}

/** Containers get as limit what they may have at most, and as request their limit, or what they must have at least. */
export const deriveLimitRangeItem: Derive = (item) => {
  if (item['type'] !== 'Container') return false;
  const limits = fill(item, 'default', 'max');
  const requests = fill(item, 'defaultRequest', 'default');
  return fill(item, 'defaultRequest', 'min') || requests || limits;
};
