import type { CachedObject, FrameEncoder } from '@orch/cache';
import { isJsonObject, type Names, parseJson, type Status } from '@orch/machinery';
import { messageField, type ProtobufCodec } from '@orch/schema';
import type { Representation } from '../negotiation/index.ts';
import type { ChunksReply } from '../pipeline/types.ts';
import { metadataSpan } from './json-slices.ts';
import { type ListMetadata, listMetadataJson } from './list-metadata.ts';
import { writeProtobuf } from './protobuf-kind.ts';
import { eventFrame, ProtobufObjects } from './protobuf-objects.ts';

/** The kinds that every resource needs in Protobuf beside its own. */
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
  /** Name of the schema: versions that share it share what is cached. */
  readonly schemaName: string;
}

type Partials = Readonly<Record<Representation['metaVersion'], ProtobufObjects>>;

/** The Protobuf forms of one resource in one version. Stored bytes are JSON; what is made of them is cached. */
export class ProtobufEncodings {
  readonly #options: ProtobufEncodingsOptions;
  readonly #plain: ProtobufObjects;
  readonly #partials: Partials;

  constructor(options: ProtobufEncodingsOptions) {
    const { kind, apiVersion, codec, schemaName, names, partial } = options;
    this.#options = options;
    this.#plain = new ProtobufObjects({
      kind,
      apiVersion,
      renditionId: schemaName,
      fieldOf: (json) => messageField(codec, jsonObject(json)),
    });
    const partialOf = (metaVersion: Representation['metaVersion']): ProtobufObjects =>
      new ProtobufObjects({
        kind: 'PartialObjectMetadata',
        apiVersion: names.apiVersion('meta', metaVersion),
        renditionId: 'metadata',
        fieldOf(json) {
          const { start, end } = metadataSpan(json);
          return messageField(partial, { metadata: parseJson(json.subarray(start, end)) });
        },
      });
    this.#partials = { v1: partialOf('v1'), v1beta1: partialOf('v1beta1') };
  }

  /** One object, given as JSON. */
  object(json: Buffer, form: Representation): Buffer {
    return this.#objects(form).one(json);
  }

  cached(object: CachedObject, form: Representation): Buffer {
    return this.#objects(form).cached(object);
  }

  list(
    objects: readonly CachedObject[],
    metadata: ListMetadata,
    form: Representation,
  ): Pick<ChunksReply, 'chunks' | 'length'> {
    const list = { metadata: JSON.parse(listMetadataJson(metadata)) };
    return this.#objects(form).list(objects, this.#options.partialList.encode(list));
  }

  /** Encodes the events of a watch. */
  encoder(form: Representation): FrameEncoder {
    const { apiVersion } = this.#options;
    const objects = this.#objects(form);
    return {
      id: `protobuf ${apiVersion} ${form.as} ${form.metaVersion}`,
      encode: (type, object) => objects.event(type, object),
    };
  }

  /** A bookmark around an object, given as JSON, that holds metadata only. */
  bookmark(json: Buffer, form: Representation): Buffer {
    return this.#objects(form).bookmark(json);
  }

  error(status: Status): Buffer {
    return eventFrame('ERROR', writeProtobuf({ ...status }, this.#options.status));
  }

  #objects({ as, metaVersion }: Representation): ProtobufObjects {
    return as === 'partial' ? this.#partials[metaVersion] : this.#plain;
  }
}

function jsonObject(json: Buffer): Record<string, unknown> {
  const value = parseJson(json);
  if (!isJsonObject(value)) throw new TypeError('an object that is no JSON object');
  return value;
}
