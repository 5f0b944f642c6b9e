import type { KeyValue, ReadableKeyValue } from '../store.ts';

interface Outdated {
  readonly isOutdated?: true;
}

/** The value that a decorator has decoded from stored bytes that the next write of the key should replace, also when the value remains the same. */
export const outdated = (kv: ReadableKeyValue, value: Buffer): ReadableKeyValue & Outdated => ({
  ...kv,
  value,
  isOutdated: true,
});

/** Marks stored bytes that the next write of the key should replace: their encryption key is outdated, for example. */
export const isOutdated = (kv: KeyValue & Outdated): boolean => kv.isOutdated === true;
