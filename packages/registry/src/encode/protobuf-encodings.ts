import type { CachedObject, EventEncoder, ObjectEncoder } from '@orch/cache';
import type { Names, Status } from '@orch/machinery';
import type { Turns, Work } from '@orch/machinery/concurrency';
import { type ChunksReply, type Representation, writeProtobuf } from '@orch/request';
import { messageField, messageFieldInPieces, type ProtobufCodec } from '@orch/schema';
import {
  withOpaqueManagedFields,
  withOpaqueManagedFieldsInPieces,
} from '../convert/opaque-managed-fields.ts';
import { eventFrame, ProtobufObjects } from '../convert/protobuf-objects.ts';
import { metadataSpan } from '../json/json-slices.ts';
import { type ListMetadata, listMetadataJson } from './list-metadata.ts';

/** The kinds that every resource encodes in Protobuf besides its own. */
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
  /** Encodes the JSON from which messages are made; undefined when that is the JSON of the hub. */
  readonly encoder: ObjectEncoder | undefined;
}

const METADATA = Buffer.from('{"metadata":');
const END = Buffer.from('}');

type Form = 'plain' | Representation['metaVersion'];

/**
 * Encodes one resource in one version in Protobuf. Cached objects are JSON; their Protobuf encodings are cached too. Nothing
 * is prepared before the first use: most resources are never requested in Protobuf.
 */
export class ProtobufEncodings {
  readonly #options: ProtobufEncodingsOptions;
  #prepared: Partial<Record<Form, ProtobufObjects>> | undefined;

  constructor(options: ProtobufEncodingsOptions) {
    this.#options = options;
  }

  /** One object, given as JSON. */
  object(json: Buffer, format: Representation): Buffer {
    return this.#objects(format).one(json);
  }

  /** Like `object`, in pieces. */
  objectInPieces(json: Buffer, format: Representation): Work<Buffer> {
    return this.#objects(format).oneInPieces(json);
  }

  cached(object: CachedObject, format: Representation): Buffer {
    return this.#objects(format).cached(object);
  }

  /** Like `cached`, in pieces. */
  cachedInPieces(object: CachedObject, format: Representation): Work<Buffer> {
    return this.#objects(format).cachedInPieces(object);
  }

  list(
    objects: readonly CachedObject[],
    metadata: ListMetadata,
    { representation, turns }: { readonly representation: Representation; readonly turns: Turns },
  ): Pick<ChunksReply, 'chunks' | 'length'> {
    const list = { metadata: JSON.parse(listMetadataJson(metadata)) };
    return this.#objects(representation).list(objects, this.#options.partialList.encode(list), turns);
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

  /** The whole objects, or their metadata in one version of the kind that holds it. */
  #objects({ as, metaVersion }: Representation): ProtobufObjects {
    const form = as === 'partial' ? metaVersion : 'plain';
    this.#prepared ??= {};
    this.#prepared[form] ??=
      form === 'plain' ? wholeObjects(this.#options) : metadataOnly(this.#options, form);
    return this.#prepared[form];
  }
}

const jsonReader =
  ({ encoder }: ProtobufEncodingsOptions) =>
  (object: CachedObject): Buffer =>
    encoder === undefined ? object.json() : object.encoded(encoder);

function wholeObjects(options: ProtobufEncodingsOptions): ProtobufObjects {
  const { apiVersion, cachedAs, codec, kind } = options;
  return new ProtobufObjects({
    kind,
    apiVersion,
    encodingId: cachedAs,
    jsonOf: jsonReader(options),
    fieldOf: (json) => messageField(codec, withOpaqueManagedFields(json)),
    *fieldInPieces(json) {
      return yield* messageFieldInPieces(codec, yield* withOpaqueManagedFieldsInPieces(json));
    },
  });
}

function metadataOnly(
  options: ProtobufEncodingsOptions,
  metaVersion: Representation['metaVersion'],
): ProtobufObjects {
  const { cachedAs, encoder, names, partial } = options;
  return new ProtobufObjects({
    kind: 'PartialObjectMetadata',
    apiVersion: names.apiVersion('meta', metaVersion),
    encodingId: encoder === undefined ? 'metadata' : `metadata ${cachedAs}`,
    jsonOf: jsonReader(options),
    fieldOf: (json) => messageField(partial, withOpaqueManagedFields(metadataAlone(json))),
    *fieldInPieces(json) {
      const alone = metadataAlone(json);
      yield;
      return yield* messageFieldInPieces(partial, yield* withOpaqueManagedFieldsInPieces(alone));
    },
  });
}

/** The metadata of an object as the only field of another one. */
function metadataAlone(json: Buffer): Buffer {
  const { start, end } = metadataSpan(json);
  return Buffer.concat([METADATA, json.subarray(start, end), END]);
}
