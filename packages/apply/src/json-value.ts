import { exactNumberText, isExactNumber, type MutableJsonObject, setField } from '@orch/machinery/json';

/** Equality of JSON values: fields in any order, numbers by value. Undefined when deeper than `maxDepth`. */
export function jsonEqual(a: unknown, b: unknown, maxDepth: number): boolean | undefined {
  if (a === b) return true;
  if (isExactNumber(a) || isExactNumber(b)) return exactNumberText(a) === exactNumberText(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (maxDepth <= 0) return undefined;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) {
      const same = jsonEqual(a[i], b[i], maxDepth - 1);
      if (same !== true) return same;
    }
    return true;
  }
  return objectsEqual(a as MutableJsonObject, b as MutableJsonObject, maxDepth);
}

function objectsEqual(a: MutableJsonObject, b: MutableJsonObject, maxDepth: number): boolean | undefined {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(b, name)) return false;
    const same = jsonEqual(a[name], b[name], maxDepth - 1);
    if (same !== true) return same;
  }
  return true;
}

/** Thrown inside a walk that met its depth or size limit. */
export class LimitReached extends Error {}

/** Bounds on a copy. */
export interface CopyLimits {
  readonly maxDepth: number;
  readonly maxBytes: number;
}

/** A copy, and the bytes that it would take as JSON, roughly: names and values without escapes. */
export interface Counted {
  readonly copy: unknown;
  readonly bytes: number;
}

/** A deep copy. Throws `LimitReached` past its limits. */
export function cloneCounted(value: unknown, { maxDepth, maxBytes }: CopyLimits): Counted {
  let bytes = 0;
  const count = (size: number): void => {
    bytes += size;
    if (bytes > maxBytes) throw new LimitReached('size');
  };
  const clone = (at: unknown, depth: number): unknown => {
    if (typeof at === 'string') count(at.length + 3);
    else count(4);
    if (typeof at !== 'object' || at === null || isExactNumber(at)) return at;
    if (depth <= 0) throw new LimitReached('depth');
    if (Array.isArray(at)) return at.map((item) => clone(item, depth - 1));
    const copy: MutableJsonObject = {};
    for (const [name, field] of Object.entries(at)) {
      count(name.length + 3);
      setField(copy, name, clone(field, depth - 1));
    }
    return copy;
  };
  return { copy: clone(value, maxDepth), bytes };
}

/** True when the value nests deeper than `maxDepth` containers. Takes no more of the stack than that, however deep the value is. */
export function deeperThan(value: unknown, maxDepth: number): boolean {
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return false;
  if (maxDepth <= 0) return true;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const part of parts) {
    // Most parts are scalars.
    if (typeof part === 'object' && deeperThan(part, maxDepth - 1)) return true;
  }
  return false;
}
