import { compareKeys, type KeyRange, keyAfter, prefixRange } from '@orch/storage';
import type { Scope } from '../types.ts';

/** Objects of an index: those with a value whose keys begin with a prefix and are after a key. */
export interface ValueRange {
  readonly value: string;
  readonly prefix: string;
  readonly after: string | undefined;
}

/** Something with a key, which need not be a string in memory: `key` may have to be made. */
export interface Keyed {
  readonly key: string;
  hasKey(key: string): boolean;
  /** The order of its key and another one, as `compareKeys` returns it. */
  compareKey(key: string): number;
}

/** Index of the first of ordered items whose key is not less than `key`. */
export function itemIndex<T extends Keyed>(items: readonly T[], key: string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((items[middle]?.compareKey(key) ?? 0) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The smallest key greater than every key that begins with `prefix`; undefined for the empty prefix. */
export function prefixEnd(prefix: string): string | undefined {
  if (prefix === '') return undefined;
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

/** The least key that an object of a range may have. */
export function firstKey({ prefix, after }: Omit<ValueRange, 'value'>): string {
  if (after === undefined) return prefix;
  const next = keyAfter(after);
  return compareKeys(next, prefix) > 0 ? next : prefix;
}

/** The range of the keys below `prefix` that are greater than `after`; all of them when it is absent. */
export function rangeAfter(prefix: string, after: string | undefined): KeyRange {
  const range = prefixRange(prefix);
  return after === undefined ? range : { start: keyAfter(after), end: range.end };
}

/** The range that contains exactly one key. */
export function rangeOf(key: string): KeyRange {
  return { start: key, end: keyAfter(key) };
}

/** The part of a key after the namespace. */
export const nameOf = (key: string): string => key.slice(key.indexOf('/') + 1);

/** The namespace in a key; empty when it has none. */
export const namespaceOf = (key: string): string => key.slice(0, Math.max(0, key.indexOf('/')));

/** Reports whether a scope contains the object with a key. */
export const isInScope = ({ exact, prefix }: Scope, key: string): boolean =>
  exact === undefined ? prefix === '' || key.startsWith(prefix) : key === exact;
