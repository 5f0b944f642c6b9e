import { type KeyValue, type ReadableKeyValue, type Revision, StoreError } from '../store.ts';
import { readable } from '../store-values.ts';

/** The revisions of a key in the store that it was copied from. */
export interface CarriedRevisions {
  readonly createRevision: Revision;
  readonly modRevision: Revision;
}

const MARKER = Buffer.from('orch\0rev');
const HEAD_BYTES = MARKER.length + 8 + 8;

/** A value preceded by the revisions of its key: a store assigns revisions itself, so they cannot be copied. */
export function carriedValue(value: Buffer, { createRevision, modRevision }: CarriedRevisions): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + value.length);
  MARKER.copy(bytes);
  bytes.writeBigUInt64LE(BigInt(createRevision), MARKER.length);
  bytes.writeBigUInt64LE(BigInt(modRevision), MARKER.length + 8);
  value.copy(bytes, HEAD_BYTES);
  return bytes;
}

/** The key with the value and the revisions that it had before it was copied. Throws `corrupt` for any other value. */
export function withCarriedRevisions(kv: KeyValue): ReadableKeyValue {
  const { key, value } = readable(kv);
  if (value.length < HEAD_BYTES || !value.subarray(0, MARKER.length).equals(MARKER))
    throw new StoreError(
      'corrupt',
      `${key} has a value that neither a server nor a migration has written: another program changed the key or the record of the store. Write the key again, or restore a backup`,
    );
  return {
    key,
    value: value.subarray(HEAD_BYTES),
    createRevision: Number(value.readBigUInt64LE(MARKER.length)),
    modRevision: Number(value.readBigUInt64LE(MARKER.length + 8)),
  };
}
