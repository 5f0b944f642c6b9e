import type { ResourceType, Subresource, Verb } from '@orch/apis';
import type { ResourceCache } from '@orch/cache';
import { type Clock, errors, type Names, type Subject } from '@orch/machinery';
import type { Codec, CodecCompiler, ProtobufCompiler, StructSchema } from '@orch/schema';
import type { ResourceRequest } from '../pipeline/types.ts';
import { ResourceEncodings } from './encodings.ts';
import type { SharedProtobuf } from './protobuf-encodings.ts';
import type { ProtobufKind } from './protobuf-kind.ts';
import { keyPrefixOf, objectKey } from './store-keys.ts';

/** A resource in one served version. */
export interface ServedResource {
  readonly type: ResourceType;
  readonly version: string;
  /** As in paths: `''`, `coordination.…`. */
  readonly group: string;
  readonly apiVersion: string;
  readonly storedApiVersion: string;
  readonly verbs: ReadonlySet<Verb>;
  readonly subresources: ReadonlyMap<string, Subresource>;
  readonly schema: StructSchema;
  readonly codec: Codec;
  readonly protobuf: ProtobufKind;
  readonly encodings: ResourceEncodings;
  /** What store keys begin with. */
  readonly keyPrefix: string;
  /** Selectable fields in the order of the cache. */
  readonly selectableFields: readonly string[];
}

/** A resource that is kept in the store. */
export interface StoredResource extends ServedResource {
  readonly cache: ResourceCache;
}

export interface ServedResourceOptions {
  readonly names: Names;
  readonly clock: Clock;
  readonly codecs: CodecCompiler;
  readonly protobufCodecs: ProtobufCompiler;
  readonly sharedProtobuf: SharedProtobuf;
  readonly storePrefix: string;
}

/** A row of the API in one of its versions; throws `TypeError` for a version that it does not have. */
export function servedResource(
  type: ResourceType,
  version: string,
  options: ServedResourceOptions,
): ServedResource {
  const { names, clock, codecs, protobufCodecs, sharedProtobuf, storePrefix } = options;
  const served = type.versions.find((candidate) => candidate.version === version);
  if (served === undefined) throw new TypeError(`${type.resource} has no version ${version}`);
  const protobuf: ProtobufKind = {
    mediaType: names.mediaTypes.protobuf,
    kind: type.kind,
    schemaName: served.schema.name,
    codec: protobufCodecs.compile(served.schema),
  };
  return {
    type,
    version,
    group: names.group(type.group),
    apiVersion: names.apiVersion(type.group, version),
    storedApiVersion: names.apiVersion(type.group, type.storedVersion),
    verbs: new Set(type.verbs),
    subresources: new Map(type.subresources.map((subresource) => [subresource.name, subresource])),
    schema: served.schema,
    codec: codecs.compile(served.schema),
    protobuf,
    encodings: new ResourceEncodings({
      type,
      servedVersion: version,
      names,
      clock,
      protobuf,
      sharedProtobuf,
    }),
    keyPrefix: keyPrefixOf(type, storePrefix),
    selectableFields: ['metadata.name', 'metadata.namespace', ...Object.keys(type.fields)],
  };
}

/** What a Status speaks of when it speaks of an object of the resource. */
export const subjectOf = (resource: ServedResource, name = ''): Subject => ({
  group: resource.group,
  kind: resource.type.resource,
  name,
});

/** As `subjectOf`, for failures of validation, which name the Kind. */
export const kindSubjectOf = (resource: ServedResource, name = ''): Subject => ({
  group: resource.group,
  kind: resource.type.kind,
  name,
});

/** Key of the object that a request names; 404 where the path has no namespace and the resource needs one, or has one too many. */
export function keyOf(resource: ServedResource, info: ResourceRequest): string {
  checkScope(resource, info);
  if (resource.type.namespaced && info.namespace === '') throw errors.resourceNotFound();
  return objectKey(resource.type.namespaced, info.namespace, info.name);
}

/** Objects of a cluster-scoped resource are not to be found below a namespace. */
export function checkScope(resource: ServedResource, info: ResourceRequest): void {
  if (!resource.type.namespaced && info.namespace !== '' && resource.type.resource !== 'namespaces') {
    throw errors.resourceNotFound();
  }
}
