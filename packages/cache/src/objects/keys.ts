import { type KeyRange, keyAfter, prefixRange } from '@orch/storage';
import type { Scope } from '../types.ts';

/** The smallest key greater than every key that begins with `prefix`; undefined for the empty prefix. */
export function prefixEnd(prefix: string): string | undefined {
  if (prefix === '') return undefined;
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
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

/** Reports whether a scope contains the object with a key. */
export const isInScope = ({ exact, prefix }: Scope, key: string): boolean =>
  exact === undefined ? prefix === '' || key.startsWith(prefix) : key === exact;
