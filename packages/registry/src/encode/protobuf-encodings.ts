import type { CachedObject, EventEncoder, ObjectEncoder } from '@orch/cache';
import type { Names, Status } from '@orch/machinery';
import { type ChunksReply, type Representation, writeProtobuf } from '@orch/request';
import { messageField, type ProtobufCodec } from '@orch/schema';
import { withOpaqueManagedFields } from '../convert/opaque-managed-fields.ts';
import { eventFrame, ProtobufObjects } from '../convert/protobuf-objects.ts';
import { metadataSpan } from '../json/json-slices.ts';
import { type ListMetadata, listMetadataJson } from './list-metadata.ts';

/** The kinds that every resource encodes in Protobuf beside its own. */
export interface SharedProtobuf {
  readonly partial: ProtobufCodec;
  readonly partialList: ProtobufCodec;
  readonly status: ProtobufCodec;
}

export interface ProtobufEncodingsOptions extends SharedProtobuf {
  readonly names: Names;
  readonly kind: string;
  readonly apiVersion: string;
  readonly codec: ProtobufCodec;
  /** Identifies the cached encoding, which versions that differ only by name share. */
  readonly cachedAs: string;
  /** Encodes the JSON that messages are made from; undefined where that is the JSON of the hub. */
  readonly encoder: ObjectEncoder | undefined;
}

const METADATA = Buffer.from('{"metadata":');
const END = Buffer.from('}');

type Partials = Readonly<Record<Representation['metaVersion'], ProtobufObjects>>;

/** Encodes one resource in one version in Protobuf. Cached objects are JSON; their Protobuf encodings are cached too. */
export class ProtobufEncodings {
  readonly #options: ProtobufEncodingsOptions;
  readonly #plain: ProtobufObjects;
  readonly #partials: Partials;

  constructor(options: ProtobufEncodingsOptions) {
    const { kind, apiVersion, codec, cachedAs, names, partial, encoder } = options;
    const jsonOf = (object: CachedObject): Buffer =>
      encoder === undefined ? object.json() : object.encoded(encoder);
    this.#options = options;
    this.#plain = new ProtobufObjects({
      kind,
      apiVersion,
      encodingId: cachedAs,
      jsonOf,
      fieldOf: (json) => messageField(codec, withOpaqueManagedFields(json)),
    });
    const partialOf = (metaVersion: Representation['metaVersion']): ProtobufObjects =>
      new ProtobufObjects({
        kind: 'PartialObjectMetadata',
        apiVersion: names.apiVersion('meta', metaVersion),
        encodingId: encoder === undefined ? 'metadata' : `metadata ${cachedAs}`,
        jsonOf,
        fieldOf(json) {
          const { start, end } = metadataSpan(json);
          const alone = Buffer.concat([METADATA, json.subarray(start, end), END]);
          return messageField(partial, withOpaqueManagedFields(alone));
        },
      });
    this.#partials = { v1: partialOf('v1'), v1beta1: partialOf('v1beta1') };
  }

  /** One object, given as JSON. */
  object(json: Buffer, format: Representation): Buffer {
    return this.#objects(format).one(json);
  }

  cached(object: CachedObject, format: Representation): Buffer {
    return this.#objects(format).cached(object);
  }

  list(
    objects: readonly CachedObject[],
    metadata: ListMetadata,
    format: Representation,
  ): Pick<ChunksReply, 'chunks' | 'length'> {
    const list = { metadata: JSON.parse(listMetadataJson(metadata)) };
    return this.#objects(format).list(objects, this.#options.partialList.encode(list));
  }

  /** Encodes the events of a watch. */
  encoder(format: Representation): EventEncoder {
    const { apiVersion } = this.#options;
    const objects = this.#objects(format);
    return {
      id: `protobuf ${apiVersion} ${format.as} ${format.metaVersion}`,
      encode: (type, object) => objects.event(type, object),
    };
  }

  /** A bookmark around an object, given as JSON, that holds metadata only. */
  bookmark(json: Buffer, format: Representation): Buffer {
    return this.#objects(format).bookmark(json);
  }

  error(status: Status): Buffer {
    return eventFrame('ERROR', writeProtobuf({ ...status }, this.#options.status));
  }

  #objects({ as, metaVersion }: Representation): ProtobufObjects {
    return as === 'partial' ? this.#partials[metaVersion] : this.#plain;
  }
}
