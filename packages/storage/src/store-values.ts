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

/** The part of an event that names the key and the revision. */
export type ChangedKey =
  | { readonly type: 'put'; readonly kv: Pick<KeyValue, 'key' | 'modRevision'> }
  | Pick<Extract<KvEvent, { type: 'delete' }>, 'type' | 'key' | 'modRevision'>;

/** The revision of the commit that an event reports. */
export const eventRevision = (event: ChangedKey): Revision =>
  event.type === 'put' ? event.kv.modRevision : event.modRevision;

/** The key that an event is about. */
export const eventKey = (event: ChangedKey): string => (event.type === 'put' ? event.kv.key : event.key);

/** Throws a RangeError for a write with too many guards. */
export function checkGuards({ guards }: Write): void {
  if (guards !== undefined && guards.length > MAX_GUARDS)
    throw new RangeError(`a write has at most ${MAX_GUARDS} guards`);
}
