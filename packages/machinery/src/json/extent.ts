import { isExactNumber } from './exact-number.ts';
import { widthOf } from './width.ts';

/** Work on values with fewer parts takes less than half a millisecond. */
export const LARGE_PARTS = 512;

/** Objects and lists that had many parts: the names of a wide object are listed only once. */
const known = new WeakSet<object>();

/** Whether a JSON value has many parts, so that work on it is divided. Takes only as many steps as that. */
export function hasManyParts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (known.has(value)) return true;
  if (partsLeft(value, LARGE_PARTS) >= 0) return false;
  known.add(value);
  return true;
}

/** The number less the parts of a value; negative as soon as there are more. */
function partsLeft(value: unknown, left: number): number {
  if (typeof value !== 'object' || value === null) return left - 1;
  if (Array.isArray(value)) return ofItems(value, left - 1);
  if (isExactNumber(value)) return left - 1;
  return widthOf(value) === undefined && !known.has(value) ? ofFields(value, left - 1) : -1;
}

function ofItems(list: readonly unknown[], most: number): number {
  if (list.length > most) return -1;
  let left = most;
  for (const item of list) {
    left = typeof item === 'object' ? partsLeft(item, left) : left - 1;
    if (left < 0) break;
  }
  return left;
}

function ofFields(object: object, most: number): number {
  if (most < 0) return -1;
  let left = most;
  for (const name in object) {
    const value = (object as Readonly<Record<string, unknown>>)[name];
    left = typeof value === 'object' ? partsLeft(value, left) : left - 1;
    if (left < 0) break;
  }
  return left;
}
