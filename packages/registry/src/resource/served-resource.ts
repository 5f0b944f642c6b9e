import {
  type KindVersion,
  type Release,
  type ServedType,
  type Subresource,
  typeIn,
  type Verb,
} from '@orch/apis';
import type { KindVersions, Shapes } from '@orch/apply';
import type { ResourceCache } from '@orch/cache';
import { type Clock, errors, type Names, type Subject } from '@orch/machinery';
import type { Turns } from '@orch/machinery/concurrency';
import {
  jsonObjectShapes,
  objectShapes,
  type ProtobufKind,
  type ResourceRequest,
  type ResourceShapes,
} from '@orch/request';
import type { Codec, CodecCompiler, ProtobufCompiler, StructSchema } from '@orch/schema';
import type { KindCodecs } from '../convert/decoding.ts';
import { FieldOwnership, kindVersions, type OwnershipOptions } from '../convert/ownership.ts';
import { StorageCodec, type StoredEncoding } from '../convert/storage-codec.ts';
import {
  apiVersionOf,
  hubOf,
  type VersionConverter,
  versionConverter,
} from '../convert/version-converter.ts';
import { ResourceEncodings } from '../encode/encodings.ts';
import type { SharedProtobuf } from '../encode/protobuf-encodings.ts';
import { commonFields } from './cached-resource.ts';
import { keyPrefixOf, objectKey } from './store-keys.ts';
import type { WriteHooks } from './write-hooks.ts';

/** A resource in one served version. All versions of one share its cache and its place in the store. */
export interface ServedResource {
  /** The resource definition as this version serves it. */
  readonly type: ServedType;
  /** The declaration of this version: its lifecycle and its replacement. */
  readonly declared: KindVersion;
  readonly version: string;
  /** Name in paths: `''`, `coordination.…`. */
  readonly group: string;
  /** Key of the group in the names table. */
  readonly groupKey: string;
  readonly apiVersion: string;
  readonly verbs: ReadonlySet<Verb>;
  readonly subresources: ReadonlyMap<string, Subresource>;
  readonly schema: StructSchema;
  /** The codec of the fields that the release serves. */
  readonly codec: Codec;
  readonly codecs: KindCodecs;
  /** The codec of all fields of the hub version. */
  readonly hubCodec: () => Codec;
  readonly protobuf: ProtobufKind;
  /** The formats of replies. */
  readonly shapes: ResourceShapes;
  /** Converts between this version and the hub. */
  readonly converter: VersionConverter;
  readonly storageCodec: StorageCodec;
  /** Field ownership of its objects. */
  readonly ownership: FieldOwnership;
  readonly encodings: ResourceEncodings;
  /** The prefix of its store keys. */
  readonly keyPrefix: string;
  /** Selectable fields: names in this version to names in the cache, in the order of the cache. */
  readonly selectableFields: ReadonlyMap<string, string>;
}

/** A resource whose objects are in the store. */
export interface StoredResource extends ServedResource {
  readonly cache: ResourceCache;
  /** Side effects of the kind around each write. */
  readonly hooks?: WriteHooks;
}

export interface ServedResourceOptions {
  readonly names: Names;
  readonly clock: Clock;
  readonly turns: Turns;
  readonly codecsOf: (schema: StructSchema) => KindCodecs;
  /** Codecs with all fields. */
  readonly wholeCodecs: CodecCompiler;
  readonly protobufCodecs: ProtobufCompiler;
  readonly sharedProtobuf: SharedProtobuf;
  readonly release: Release;
  /** Shapes with the fields that the release serves. */
  readonly shapes: Shapes;
  readonly storePrefix: string;
  readonly storedAs: StoredEncoding;
  readonly conversionFailed: (apiVersion: string, error: unknown) => void;
}

/** A resource in all served versions. */
export function servedResources(
  definition: ServedType,
  options: ServedResourceOptions,
): readonly ServedResource[] {
  const codec = new StorageCodec(definition, {
    names: options.names,
    codecs: options.wholeCodecs,
    messages: options.protobufCodecs,
    encoding: options.storedAs,
  });
  const ownership: OwnershipOptions = { ...options, codecs: options.wholeCodecs };
  const shared: SharedConversions = {
    storageCodec: codec,
    ownership,
    versions: kindVersions(definition, ownership),
    hubCodec: () => options.wholeCodecs.compile(hubOf(definition).schema),
  };
  return definition.served.map((version) => servedResource(definition, version, shared, options));
}

/** The state that all versions of a resource share. */
interface SharedConversions {
  readonly storageCodec: StorageCodec;
  readonly ownership: OwnershipOptions;
  readonly versions: KindVersions;
  readonly hubCodec: () => Codec;
}

function servedResource(
  definition: ServedType,
  version: KindVersion,
  shared: SharedConversions,
  options: ServedResourceOptions,
): ServedResource {
  const { names, clock, turns, codecsOf, wholeCodecs, protobufCodecs, sharedProtobuf, storePrefix } = options;
  const { schema, group: groupKey = definition.group } = version;
  const type = typeIn(definition, version);
  const codecs = codecsOf(schema);
  const protobuf: ProtobufKind = {
    mediaType: names.mediaTypes.protobuf,
    kind: type.kind,
    schemaName: schema.name,
    codec: protobufCodecs.compile(schema),
  };
  const converter = versionConverter(definition, version, {
    names,
    codecs: wholeCodecs,
    failed: options.conversionFailed,
  });
  return {
    type,
    declared: version,
    version: version.version,
    group: names.group(groupKey),
    groupKey,
    apiVersion: apiVersionOf(definition, version, names),
    verbs: new Set(type.verbs),
    subresources: new Map(type.subresources.map((subresource) => [subresource.name, subresource])),
    schema,
    codec: codecs.codec,
    codecs,
    hubCodec: shared.hubCodec,
    protobuf,
    shapes: type.jsonOnly === true ? jsonObjectShapes : objectShapes,
    converter,
    storageCodec: shared.storageCodec,
    ownership: new FieldOwnership({ type, schema, converter }, shared.versions, shared.ownership),
    encodings: new ResourceEncodings({
      type,
      converter,
      names,
      clock,
      turns,
      protobuf,
      sharedProtobuf,
      hasOwnTable: version.differs?.table !== undefined,
    }),
    keyPrefix: keyPrefixOf(definition, storePrefix),
    selectableFields: selectableFields(definition, version),
  };
}

function selectableFields(definition: ServedType, version: KindVersion): ReadonlyMap<string, string> {
  const own =
    version.differs?.fields ??
    Object.fromEntries(Object.keys(definition.fields).map((field) => [field, field]));
  return new Map([...commonFields.map((field) => [field, field] as const), ...Object.entries(own)]);
}

/** The details of a Status about an object of the resource. */
export const subjectOf = (resource: ServedResource, name = ''): Subject => ({
  group: resource.group,
  kind: resource.type.resource,
  name,
});

/** As `subjectOf`, for validation failures, which name the kind. */
export const kindSubjectOf = (resource: ServedResource, name = ''): Subject => ({
  group: resource.group,
  kind: resource.type.kind,
  name,
});

/** Key of the object that a request names. */
export const keyOf = ({ type }: ServedResource, { namespace, name }: ResourceRequest): string =>
  objectKey(type.namespaced, namespace, name);

/**
 * Checks that a path has the scope of its resource, before anything is served: 404 for a cluster-scoped resource below a
 * namespace and for an object of a namespaced resource without one. The collection of a namespaced resource over all
 * namespaces can only be read (405 for a write); a resource that cannot be listed has none (404).
 *
 * Authorizers trust the namespace of a path. Serving a cluster-scoped object below a namespace would expose it to every user
 * with a role in any namespace.
 */
export function checkScope({ type, verbs }: ServedResource, info: ResourceRequest, method: string): void {
  if (!type.namespaced) {
    if (info.isInNamespace) throw errors.resourceNotFound();
    return;
  }
  if (info.namespace !== '') return;
  if (info.name !== '' || !verbs.has('list')) throw errors.resourceNotFound();
  if (info.verb !== 'list' && info.verb !== 'watch') throw errors.methodNotAllowed(method);
}
