import type { ServedType } from '@orch/apis';
import type { ApiObject } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import {
  encodeJson,
  encodeJsonInPieces,
  isJsonObject,
  type JsonObject,
  parseJson,
} from '@orch/machinery/json';
import {
  type Codec,
  type CodecCompiler,
  isEnvelope,
  type ProtobufCompiler,
  type ResourceVersionSplice,
  resourceVersionSplice,
} from '@orch/schema';
import { encryptionPrefixOf } from '@orch/storage';
import { StoredMessages } from './stored-protobuf.ts';
import { type StoredVersion, StoredVersions, startsWith } from './stored-versions.ts';
import { hubOf, type VersionConverterOptions, withApiVersion } from './version-converter.ts';

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
  /** Where the resourceVersion is inserted into `hub`; undefined where it must be parsed. */
  readonly splice: ResourceVersionSplice | undefined;
}

export interface StorageCodecOptions extends VersionConverterOptions {
  /** Messages with all fields. */
  readonly messages: ProtobufCompiler;
  /** How objects are encoded, unless the kind is stored as JSON only; JSON when absent. */
  readonly encoding?: StoredEncoding;
}

/**
 * Encodes the objects of a kind for the store in one encoding and version, and decodes those of every declared version,
 * served or not. No other module depends on the format of stored bytes.
 */
export class StorageCodec {
  readonly #type: ServedType;
  readonly #codecs: CodecCompiler;
  readonly #versions: StoredVersions;
  readonly #protobuf: StoredMessages<StoredVersion>;
  /** Objects are written as Protobuf. */
  readonly #asProtobuf: boolean;
  /** The prefix of encrypted values. */
  readonly #encrypted: string;
  /** Objects were stored when the schema may have been another one. */
  readonly #decodesOnRead: boolean;

  constructor(type: ServedType, options: StorageCodecOptions) {
    const { codecs, messages, encoding, names } = options;
    this.#type = type;
    this.#codecs = codecs;
    this.#encrypted = names.storedPrefixes.encrypted;
    const versions = new StoredVersions(type, options);
    this.#versions = versions;
    this.#protobuf = new StoredMessages<StoredVersion>({
      codecs,
      messages,
      versionOf: (kind, apiVersion) => versions.named(kind, apiVersion),
    });
    this.#asProtobuf = encoding === 'protobuf' && type.jsonOnly !== true;
    this.#decodesOnRead = hubOf(type).decodedOnRead === true;
  }

  /** The version that objects are stored in. */
  get apiVersion(): string {
    return this.#versions.written.apiVersion;
  }

  /**
   * Stored bytes as JSON in the hub version: the same bytes for objects that were stored as that. Throws for bytes that
   * contain no object of the kind, and for encrypted ones.
   */
  read(stored: Buffer): ReadStored {
    refuseEncrypted(stored, this.#encrypted);
    if (this.#type.jsonOnly === true || !isEnvelope(stored)) return this.#readJson(stored);
    const { object, version } = this.#protobuf.read(stored);
    return inHubVersion(object, version);
  }

  /** As `read`, but an object that a webhook must convert remains in the version in which it is stored. */
  readAsStored(stored: Buffer): ReadStored {
    if (this.#type.objectConverter === undefined) return this.read(stored);
    refuseEncrypted(stored, this.#encrypted);
    const object = parseJson(stored) as ApiObject;
    return this.#decode(object, stored, this.#versions.ofObject(object));
  }

  /** Encodes an object of the hub version, which is consumed. */
  encode(object: ApiObject): Encoded {
    const { written } = this.#versions;
    const { converter } = written;
    if (this.#asProtobuf) {
      const inStoredVersion = converter.differs ? converter.fromHub(object) : object;
      return this.#readBack(this.#protobuf.write(inStoredVersion, written));
    }
    if (converter.differs) return this.#readBack(encodeJson(converter.fromHub(object)));
    object.apiVersion = written.apiVersion;
    return this.#asRead(encodeJson(object), object);
  }

  /** Like `encode`, in pieces where objects are stored as JSON of the hub version. */
  *encodeInPieces(object: ApiObject): Work<Encoded> {
    const { written } = this.#versions;
    if (this.#asProtobuf || written.converter.differs) return this.encode(object);
    object.apiVersion = written.apiVersion;
    return this.#asRead(yield* encodeJsonInPieces(object), object);
  }

  /** The encoding of an object that was written as JSON. */
  #asRead(value: Buffer, object: ApiObject): Encoded {
    const { hub, written } = this.#versions;
    const inHub = written === hub ? value : withApiVersion(value, hub.apiVersion);
    return this.#encoded(value, { json: inHub, object });
  }

  /** A placeholder for an unreadable object, in the hub version: only the name and namespace of its key. */
  placeholder(key: string): Buffer {
    const { kind, apiVersion } = this.#versions.hub;
    const slash = key.indexOf('/');
    const name = key.slice(slash + 1);
    const metadata = slash < 0 ? { name } : { name, namespace: key.slice(0, slash) };
    return encodeJson({ kind, apiVersion, metadata });
  }

  /** The bytes are in the encoding and the version in which objects are written now. */
  isCurrent(stored: Buffer): boolean {
    const { written } = this.#versions;
    return startsWith(stored, this.#asProtobuf ? this.#protobuf.head(written) : written.head);
  }

  #readJson(bytes: Buffer): ReadStored {
    const { hub } = this.#versions;
    if (this.#decodesOnRead) return this.#readUnchecked(bytes);
    const found = startsWith(bytes, hub.head) ? hub : this.#versions.ofCanonical(bytes);
    if (found !== undefined && !found.converter.differs) {
      const checked = this.#codecs.compile(found.schema).check(bytes);
      return { json: found === hub ? checked : withApiVersion(checked, hub.apiVersion) };
    }
    const object = parseJson(bytes);
    const version = found ?? this.#versions.ofObject(object);
    const checked = this.#codecs.compile(version.schema).check(bytes);
    return inHubVersion((checked === bytes ? object : parseJson(checked)) as ApiObject, version);
  }

  /** Reads an object whose schema may have changed after it was stored. */
  #readUnchecked(bytes: Buffer): ReadStored {
    const object = parseJson(bytes) as ApiObject;
    const { hub } = this.#versions;
    const { converter } = this.#versions.ofObject(object);
    if (this.#type.objectConverter !== undefined) return this.#decode(converter.toHub(object), bytes, hub);
    // Fields are the same in all versions: the schema of the hub version reads them, also those that clients may not send.
    object.apiVersion = hub.apiVersion;
    return this.#decode(object, bytes, hub);
  }

  /** Pruned and defaulted; the given bytes where that changes nothing. */
  #decode(object: ApiObject, bytes: Buffer, { schema }: StoredVersion): ReadStored {
    const value = decodeLeniently(this.#codecs.compile(schema), object);
    const json = encodeJson(value);
    return { json: json.equals(bytes) ? bytes : json, object: value };
  }

  // Written bytes must be readable: an object that cannot be read back is refused, not stored.
  #readBack(value: Buffer): Encoded {
    const { json, object = parseJson(json) as ApiObject } = this.read(value);
    return this.#encoded(value, { json, object });
  }

  #encoded(value: Buffer, { json: hub, object }: Required<ReadStored>): Encoded {
    return { value, hub, object, readAs: this.#type.readAs, splice: resourceVersionSplice(hub) };
  }
}

function inHubVersion(object: ApiObject, { converter }: StoredVersion): ReadStored {
  const inHub = converter.toHub(object);
  return { json: encodeJson(inHub), object: inHub };
}

const isMistyped = (codec: Codec, object: JsonObject): boolean =>
  codec.decode(object).problems.some(({ kind }) => kind === 'type');

/** The fields of metadata, each of which is decoded separately. */
function readableMetadata(codec: Codec, { metadata, ...rest }: JsonObject): JsonObject {
  if (!isJsonObject(metadata)) return rest;
  const fields = Object.entries(metadata).filter(
    ([name, value]) => !isMistyped(codec, { metadata: { [name]: value } }),
  );
  return { ...rest, metadata: Object.fromEntries(fields) };
}

/**
 * Reads a stored object, with defaults. Fields of its metadata that have a wrong type are left out: another server, or a
 * definition without types, may have stored them, and neither lists nor deletions may fail because of them.
 */
function decodeLeniently(codec: Codec, object: ApiObject): ApiObject {
  const { problems, value } = codec.decode(object, { defaults: true });
  if (!problems.some(({ field, kind }) => kind === 'type' && field.startsWith('metadata'))) return value;
  return codec.decode(readableMetadata(codec, { ...object }), { defaults: true }).value;
}

/** Throws for encrypted bytes, which only a server with an encryption configuration reads. */
function refuseEncrypted(stored: Buffer, marker: string): void {
  const prefix = encryptionPrefixOf(stored, marker);
  if (prefix === undefined) return;
  throw new TypeError(
    `the value is encrypted with the prefix ${JSON.stringify(prefix)}, and no provider is configured for its resource`,
  );
}
