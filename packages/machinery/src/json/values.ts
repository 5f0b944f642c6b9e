import { isExactNumber } from './exact-number.ts';
import { noteWidth } from './width.ts';

/** Sets a field of the object itself, regardless of its name: plain assignment of `__proto__` would change the prototype. */
export function setField(target: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  } else (target as Record<string, unknown>)[name] = value;
}

/** A plain JSON object: not null, not an array, not an exact number. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);

/** A deep copy of a JSON value that shares nothing mutable. Faster than `structuredClone`, and keeps exact numbers. */
export function cloneJson<T>(value: T): T {
  return clone(value) as T;
}

function clone(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const out = new Array<unknown>(value.length);
    for (let i = 0; i < value.length; i++) out[i] = clone(value[i]);
    return out;
  }
  if (isExactNumber(value)) return value;
  const out: Record<string, unknown> = {};
  const names = Object.keys(value);
  noteWidth(out, names.length);
  for (const name of names) {
    const field = clone((value as Record<string, unknown>)[name]);
    if (name === '__proto__') setField(out, name, field);
    else out[name] = field;
  }
  return out;
}

/** Deep equality of JSON values; the order of fields does not matter, fields that are `undefined` count as absent. */
export function jsonEquals(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!jsonEquals(a[i], b[i])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  if (isExactNumber(a) || isExactNumber(b))
    return isExactNumber(a) && isExactNumber(b) && a.rawJSON === b.rawJSON;
  return fieldsEqual(a as Record<string, unknown>, b as Record<string, unknown>);
}

function fieldsEqual(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  let extra = 0;
  for (const name in a) {
    const value = a[name];
    if (value === undefined) continue;
    // Among inherited members, only `__proto__` is not a function and could be taken for a JSON value.
    if (name === '__proto__' && !Object.hasOwn(b, name)) return false;
    if (!jsonEquals(value, b[name])) return false;
    extra++;
  }
  for (const name in b) if (b[name] !== undefined) extra--;
  return extra === 0;
}

/** Freezes a JSON value with all values within, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const field of Object.values(value)) deepFreeze(field);
  }
  return value;
}
