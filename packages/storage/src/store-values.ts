import {
  type KeyValue,
  type KvEvent,
  MAX_GUARDS,
  type ReadableKeyValue,
  type Revision,
  StoreError,
  type Write,
} from './store.ts';

/** A key with its value. Throws a StoreError when the value cannot be read. */
export function readable(kv: KeyValue): ReadableKeyValue;
export function readable(kv: KeyValue | undefined): ReadableKeyValue | undefined;
export function readable(kv: KeyValue | undefined): ReadableKeyValue | undefined {
  if (kv?.unreadable === undefined) return kv;
  throw new StoreError(kv.isTemporary ? 'unavailable' : 'corrupt', kv.unreadable);
}

/** The revision of the commit that an event reports. */
export const eventRevision = (event: KvEvent): Revision =>
  event.type === 'put' ? event.kv.modRevision : event.modRevision;

/** The key that an event is about. */
export const eventKey = (event: KvEvent): string => (event.type === 'put' ? event.kv.key : event.key);

/** Throws a RangeError for a write with too many guards. */
export function checkGuards({ guards }: Write): void {
  if (guards !== undefined && guards.length > MAX_GUARDS)
    throw new RangeError(`a write has at most ${MAX_GUARDS} guards`);
}
