import {
  atLeast,
  documentedKinds,
  fieldDeclaredIn,
  findKind,
  type Release,
  type Subresource,
} from '@orch/apis';
import type { Names } from '@orch/machinery';
import type { Turns } from '@orch/machinery/concurrency';
import { type ServedResource, trackingIn } from '@orch/registry';
import { applyCborMediaType, applyMediaType, CBOR, CBOR_SEQUENCE } from '@orch/request';
import type {
  CodecOptions,
  DefinitionHome,
  OpenApiInput,
  OpenApiResource,
  OpenApiSubresource,
  StructSchema,
} from '@orch/schema';
import { servedSubresources } from '../groups/index.ts';

/** Releases from which writes document the parameter, and patches document create. */
const FIELD_VALIDATION_SINCE: Release = '1.25';
const PATCH_CREATES_SINCE: Release = '1.22';

const FORMATS: Readonly<Record<Subresource['behaviour'], OpenApiSubresource['type']>> = {
  status: 'object',
  scale: 'object',
  finalize: 'object',
  binding: 'object',
  eviction: 'object',
  token: 'object',
  ephemeralcontainers: 'object',
  resize: 'object',
  rollback: 'object',
  approval: 'object',
  log: 'text',
  stream: 'stream',
  proxy: 'proxy',
};

/** The properties of a served resource that the documents need. */
export type DocumentedResource = Pick<ServedResource, 'type' | 'group' | 'groupKey' | 'version' | 'schema'>;

export interface OpenApiSource {
  readonly names: Names;
  readonly release: Release;
  readonly resources: readonly OpenApiResource[];
  readonly includes: CodecOptions['includes'];
  /** Whether requests and replies can be in CBOR; false when absent. */
  readonly cbor?: boolean;
  /** Whether documents list the values of fields; true when absent. */
  readonly listedValues?: boolean;
  readonly turns?: Turns;
}

/** The input of the OpenAPI documents: everything that is served. */
export function openApiInput({
  names,
  release,
  resources,
  includes,
  cbor = false,
  listedValues = true,
  turns,
}: OpenApiSource): OpenApiInput {
  const { protobuf } = names.mediaTypes;
  return {
    names,
    title: names.title,
    version: `v${release}.0`,
    resources,
    meta: documentedKinds,
    objectMediaTypes: ['application/json', 'application/yaml', protobuf, ...(cbor ? [CBOR] : [])],
    streamMediaTypes: [
      'application/json;stream=watch',
      `${protobuf};stream=watch`,
      ...(cbor ? [CBOR_SEQUENCE] : []),
    ],
    patchMediaTypes: [
      'application/json-patch+json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
      ...(trackingIn(release) === 'never' ? [] : [applyMediaType]),
      ...(cbor ? [applyCborMediaType] : []),
    ],
    fieldValidation: atLeast(release, FIELD_VALIDATION_SINCE),
    patchCreates: atLeast(release, PATCH_CREATES_SINCE),
    listedValues,
    ...(turns === undefined ? {} : { turns }),
    ...(includes === undefined ? {} : publishedFields(includes, release, names)),
  };
}

/**
 * Fields behind a disabled feature gate are published too: clients that validate before sending accept them, and the
 * server drops them.
 */
function publishedFields(
  includes: NonNullable<CodecOptions['includes']>,
  release: Release,
  names: Names,
): Pick<OpenApiInput, 'includes' | 'noteOn'> {
  const declares = fieldDeclaredIn(release, includes);
  return {
    includes: declares,
    noteOn(field) {
      const { gate } = field;
      if (gate === undefined || includes(field) || !declares(field)) return undefined;
      return `Ignored unless the feature gate ${names.featureGate(gate)} is open.`;
    },
  };
}

function schemaOf(group: string, version: string, kind: string): StructSchema {
  const found = findKind(group, version, kind);
  if (found === undefined) throw new TypeError(`there is no kind ${group}/${version} ${kind}`);
  return found.schema;
}

/**
 * A version publishes all structs of its groups under its own names. Core kinds are used by other groups and have the
 * same name everywhere.
 */
function homeOf(groupKey: string, version: string, groups: readonly string[]): DefinitionHome {
  const own = packageOf(groupKey);
  const others = groups.map(packageOf).filter((one) => one !== 'core');
  return { package: own, version, of: [...new Set([own, ...others])] };
}

const packageOf = (groupKey: string): string => (groupKey === '' ? 'core' : groupKey);

/** A served resource as the documents describe it. */
export function documentedResource(resource: DocumentedResource, names: Names): OpenApiResource {
  const { type, group, groupKey, version, schema } = resource;
  const groups = [type.group, ...type.versions.flatMap((one) => one.group ?? [])];
  const home = homeOf(groupKey, version, groups);
  const isOwn = (kind: Subresource['kind']): boolean =>
    kind.group === groupKey && kind.version === version && kind.kind === type.kind;
  return {
    group,
    version,
    kind: type.kind,
    resource: type.resource,
    namespaced: type.namespaced,
    verbs: type.verbs,
    schema,
    home,
    deleteReturnsObject: type.strategy.deleteReturns === 'object',
    subresources: servedSubresources(resource).map(({ name, kind, verbs, behaviour }) => ({
      name,
      kind: { group: names.group(kind.group), version: kind.version, kind: kind.kind },
      verbs,
      type: FORMATS[behaviour],
      ...(isOwn(kind)
        ? { schema, home }
        : {
            schema: schemaOf(kind.group, kind.version, kind.kind),
            home: homeOf(kind.group, kind.version, []),
          }),
    })),
  };
}
