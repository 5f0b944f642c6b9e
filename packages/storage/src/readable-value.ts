import { type KeyValue, type ReadableKeyValue, StoreError } from './store.ts';

/** A key with its value. Throws a StoreError when the value cannot be read. */
export function readable(kv: KeyValue): ReadableKeyValue;
export function readable(kv: KeyValue | undefined): ReadableKeyValue | undefined;
export function readable(kv: KeyValue | undefined): ReadableKeyValue | undefined {
  if (kv?.unreadable === undefined) return kv;
  throw new StoreError(kv.isTemporary ? 'unavailable' : 'corrupt', kv.unreadable);
}
