import type { ServedType } from '@orch/apis';
import { type ApiObject, encodeJson, isJsonObject, parseJson } from '@orch/machinery';
import { isEnvelope, type ProtobufCompiler } from '@orch/schema';
import { decodeLeniently } from './lenient-decode.ts';
import { type MessageVersion, StoredMessages } from './stored-protobuf.ts';
import {
  apiVersionOf,
  hubOf,
  type VersionConverter,
  type VersionConverterOptions,
  versionConverter,
  withApiVersion,
} from './version-converter.ts';

/** The encodings of stored objects. */
export type StoredEncoding = 'json' | 'protobuf';

/** A stored object in the hub version, without resourceVersion. */
export interface ReadStored {
  readonly json: Buffer;
  /** The object behind `json` where it had to be parsed. */
  readonly object?: ApiObject;
}

/** An object as it is stored, and as the cache will have it. Both without resourceVersion. */
export interface Encoded {
  readonly value: Buffer;
  readonly hub: Buffer;
  /** The object behind `hub`, read only. */
  readonly object: ApiObject;
  /** `ServedType.readAs` of the kind that encoded it. */
  readonly readAs: string | undefined;
}

/**
 * Encodes the objects of a kind for the store in one encoding and version, and decodes those of every declared version,
 * served or not. No other module depends on the format of stored bytes.
 */
export interface StorageCodec {
  /** The version that objects are stored in. */
  readonly apiVersion: string;
  /**
   * Stored bytes as JSON in the hub version: the same bytes for objects that were stored as that. Throws for bytes that
   * contain no object of the kind.
   */
  read(stored: Buffer): ReadStored;
  /** As `read`, but an object that a webhook must convert remains in the version in which it is stored. */
  readAsStored(stored: Buffer): ReadStored;
  /** Encodes an object of the hub version, which is consumed. */
  encode(hub: ApiObject): Encoded;
  /** A placeholder for an unreadable object, in the hub version: only the name and namespace of its key. */
  placeholder(key: string): Buffer;
  /** The bytes are in the encoding and the version in which objects are written now. */
  isCurrent(stored: Buffer): boolean;
}

export interface StorageCodecOptions extends VersionConverterOptions {
  /** Of all fields. */
  readonly messages: ProtobufCompiler;
  /** How objects are encoded, unless the kind is stored as JSON only; JSON when absent. */
  readonly encoding?: StoredEncoding;
}

/** One version that may be found in the store. */
interface KnownVersion extends MessageVersion {
  readonly converter: VersionConverter;
  /** The first bytes of its objects in canonical JSON. */
  readonly head: Buffer;
}

export function storageCodec(type: ServedType, options: StorageCodecOptions): StorageCodec {
  const { names, codecs, messages } = options;
  const { kind, jsonOnly = false, readAs } = type;
  const asProtobuf = options.encoding === 'protobuf' && !jsonOnly;
  const known = type.versions.map((version): KnownVersion => {
    const converter = versionConverter(type, version, options);
    const { apiVersion } = converter;
    return { kind, apiVersion, schema: version.schema, converter, head: headOf(kind, apiVersion) };
  });
  const hubApiVersion = apiVersionOf(type, hubOf(type), names);
  const storedApiVersion = apiVersionOf(type, type.stored, names);
  const [hub] = known;
  const stored = known.find(({ apiVersion }) => apiVersion === storedApiVersion);
  if (hub === undefined || stored === undefined)
    throw new TypeError(`${type.resource} has no stored version`);
  const protobuf = new StoredMessages<KnownVersion>({
    codecs,
    messages,
    versionOf: (ofKind, apiVersion) => versionNamed(known, ofKind, apiVersion),
  });

  const inHubVersion = (object: ApiObject, { converter }: KnownVersion): ReadStored => {
    const inHub = converter.toHub(object);
    return { json: encodeJson(inHub), object: inHub };
  };
  const decodesOnRead = hubOf(type).decodedOnRead === true;
  /** Pruned and defaulted; the given bytes where that changes nothing. */
  const decoded = (object: ApiObject, bytes: Buffer, { schema }: KnownVersion = hub): ReadStored => {
    const value = decodeLeniently(codecs.compile(schema), object);
    const json = encodeJson(value);
    return { json: json.equals(bytes) ? bytes : json, object: value };
  };
  const readJson = (bytes: Buffer): ReadStored => {
    if (decodesOnRead) {
      const object = parseJson(bytes) as ApiObject;
      const { converter } = versionOf(object, known);
      if (type.objectConverter !== undefined) return decoded(converter.toHub(object), bytes);
      // Fields are the same in all versions: the schema of the hub version reads them, also those that clients may not send.
      object.apiVersion = hubApiVersion;
      return decoded(object, bytes);
    }
    if (startsWith(bytes, hub.head)) return { json: bytes };
    const found = known.find(({ head }) => startsWith(bytes, head));
    if (found !== undefined && !found.converter.differs)
      return { json: withApiVersion(bytes, hubApiVersion) };
    const object = parseJson(bytes);
    return inHubVersion(object as ApiObject, found ?? versionOf(object, known));
  };
  const read = (bytes: Buffer): ReadStored => {
    if (jsonOnly || !isEnvelope(bytes)) return readJson(bytes);
    const { object, version } = protobuf.read(bytes);
    return inHubVersion(object, version);
  };
  const readAsStored = (bytes: Buffer): ReadStored => {
    if (type.objectConverter === undefined) return read(bytes);
    const object = parseJson(bytes) as ApiObject;
    return decoded(object, bytes, versionOf(object, known));
  };
  // What is written must be what is read: an object that cannot be read back is refused, not stored.
  const readBack = (value: Buffer): Encoded => {
    const { json, object = parseJson(json) as ApiObject } = read(value);
    return { value, hub: json, object, readAs };
  };
  return {
    apiVersion: storedApiVersion,
    read,
    readAsStored,
    encode(object) {
      const inStoredVersion = stored.converter.differs ? stored.converter.fromHub(object) : object;
      if (asProtobuf) return readBack(protobuf.write(inStoredVersion, stored));
      if (stored.converter.differs) return readBack(encodeJson(inStoredVersion));
      object.apiVersion = storedApiVersion;
      const value = encodeJson(object);
      return { value, hub: stored === hub ? value : withApiVersion(value, hubApiVersion), object, readAs };
    },
    placeholder(key) {
      const slash = key.indexOf('/');
      const name = key.slice(slash + 1);
      const metadata = slash < 0 ? { name } : { name, namespace: key.slice(0, slash) };
      return encodeJson({ kind, apiVersion: hubApiVersion, metadata });
    },
    isCurrent: (bytes) => startsWith(bytes, asProtobuf ? protobuf.head(stored) : stored.head),
  };
}

const headOf = (kind: string, apiVersion: string): Buffer =>
  Buffer.from(`{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`);

const startsWith = (bytes: Buffer, head: Buffer): boolean =>
  bytes.length >= head.length && bytes.compare(head, 0, head.length, 0, head.length) === 0;

/** The version of an object whose bytes are not in canonical form. */
function versionOf(object: unknown, known: readonly KnownVersion[]): KnownVersion {
  if (!isJsonObject(object)) throw new TypeError('the stored value is not a JSON object');
  return versionNamed(known, object['kind'], object['apiVersion']);
}

function versionNamed(known: readonly KnownVersion[], kind: unknown, apiVersion: unknown): KnownVersion {
  const found = known.find((version) => version.apiVersion === apiVersion && version.kind === kind);
  if (found !== undefined) return found;
  throw new TypeError(`${String(apiVersion)} ${String(kind)} is no version of ${known[0]?.kind}`);
}
