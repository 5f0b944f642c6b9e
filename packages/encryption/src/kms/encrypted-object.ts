import { ProtoReader, type ProtoWriter } from '@orch/storage/grpc';
import { readAnnotation, writeAnnotations } from './protobuf-maps.ts';
import type { Wrapped } from './v2-messages.ts';

/** The use of the source: as the key of AES-GCM itself, or as the seed of a key for each value. */
export type SourceType = 'key' | 'seed';

/** A data key, or the seed of data keys, as the plugin has encrypted it. */
export interface WrappedSource extends Wrapped {
  readonly type: SourceType;
}

/** The stored form of a value. */
export interface EncryptedObject {
  readonly data: Buffer;
  readonly source: WrappedSource;
}

/** Limits of Kubernetes on the responses of a plugin. */
const MAX_KEY_ID_BYTES = 1024;
const MAX_SOURCE_BYTES = 1024;
const MAX_ANNOTATION_BYTES = 32 * 1024;

/** The reason why a source cannot be stored. */
export function problemOf({ ciphertext, keyId, annotations }: Wrapped): string | undefined {
  if (ciphertext.length === 0) return 'an empty encrypted key';
  if (ciphertext.length > MAX_SOURCE_BYTES) return `an encrypted key of more than ${MAX_SOURCE_BYTES} bytes`;
  const keyIdProblem = problemOfKeyId(keyId);
  if (keyIdProblem !== undefined) return keyIdProblem;
  let bytes = 0;
  for (const [name, value] of annotations) {
    bytes += Buffer.byteLength(name) + value.length;
    if (!isDomainName(name)) return 'an annotation whose name is not a fully qualified domain name';
  }
  return bytes > MAX_ANNOTATION_BYTES ? `annotations of more than ${MAX_ANNOTATION_BYTES} bytes` : undefined;
}

export function problemOfKeyId(keyId: string): string | undefined {
  if (keyId === '') return 'an empty key id';
  return Buffer.byteLength(keyId) > MAX_KEY_ID_BYTES
    ? `a key id of more than ${MAX_KEY_ID_BYTES} bytes`
    : undefined;
}

const isDomainName = (name: string): boolean =>
  name.length <= 253 &&
  /^(?:[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\.?$/.test(name);

/** Everything but the data, in the order of the fields. */
export function writeSource(
  writer: ProtoWriter,
  { type, ciphertext, keyId, annotations }: WrappedSource,
): void {
  if (type === 'seed') writer.uint(5, 1);
  writeAnnotations(writer, 4, annotations);
  writer.bytes(3, ciphertext);
  writer.string(2, keyId);
}

const sourceTypes: readonly SourceType[] = ['key', 'seed'];

/** Undefined for bytes that are not a valid object. Throws `ProtoError` for malformed ones. */
export function readEncryptedObject(bytes: Buffer): EncryptedObject | undefined {
  const reader = new ProtoReader(bytes);
  let [data, ciphertext]: [Buffer, Buffer] = [Buffer.alloc(0), Buffer.alloc(0)];
  let [keyId, sourceType] = ['', 0];
  const annotations = new Map<string, Buffer>();
  while (reader.more()) {
    const tag = reader.tag();
    if (tag === 0x0a) data = reader.bytes();
    else if (tag === 0x12) keyId = reader.string();
    else if (tag === 0x1a) ciphertext = reader.bytes();
    else if (tag === 0x22) annotations.set(...readAnnotation(reader.bytes()));
    else if (tag === 0x28) sourceType = reader.int();
    else reader.skip();
  }
  const type = sourceTypes[sourceType];
  const wrapped = { ciphertext, keyId, annotations };
  if (type === undefined || data.length === 0 || problemOf(wrapped) !== undefined) return undefined;
  return { data, source: { type, ...wrapped } };
}

/** Equal for equal sources. */
export const sourceId = ({ type, ciphertext, keyId, annotations }: WrappedSource): string =>
  JSON.stringify([
    type,
    ciphertext.toString('latin1'),
    keyId,
    ...[...annotations].map(([name, value]) => [name, value.toString('latin1')]).sort(),
  ]);
