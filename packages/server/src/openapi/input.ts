import { atLeast, findKind, ListMeta, type Release, type Subresource } from '@orch/apis';
import type { Names } from '@orch/machinery';
import type { CodecOptions, OpenApiInput, OpenApiResource, OpenApiSubresource } from '@orch/schema';
import type { ServedResource } from '../registry/served-resource.ts';

const FIELD_VALIDATION_SINCE: Release = '1.25';

const forms: Readonly<Record<Subresource['behaviour'], OpenApiSubresource['form']>> = {
  status: 'object',
  scale: 'object',
  finalize: 'object',
  binding: 'object',
  eviction: 'object',
  token: 'object',
  ephemeralcontainers: 'object',
  approval: 'object',
  log: 'text',
  stream: 'stream',
  proxy: 'proxy',
};

/** What the published schemas are made from: everything that is served. */
export function openApiInput(options: {
  readonly names: Names;
  readonly release: Release;
  readonly resources: readonly ServedResource[];
  readonly includes: CodecOptions['includes'];
}): OpenApiInput {
  const { names, release, resources, includes } = options;
  const meta = (kind: string) => schemaOf('meta', 'v1', kind);
  return {
    names,
    title: names.title,
    version: `v${release}.0`,
    resources: resources.map((resource) => documented(resource, names)),
    meta: {
      listMeta: ListMeta,
      deleteOptions: meta('DeleteOptions'),
      status: meta('Status'),
      watchEvent: meta('WatchEvent'),
    },
    objectMediaTypes: ['application/json', 'application/yaml', names.mediaTypes.protobuf],
    streamMediaTypes: ['application/json;stream=watch', `${names.mediaTypes.protobuf};stream=watch`],
    patchMediaTypes: ['application/json-patch+json', 'application/merge-patch+json'],
    fieldValidation: atLeast(release, FIELD_VALIDATION_SINCE),
    ...(includes === undefined ? {} : { includes }),
  };
}

function schemaOf(group: string, version: string, kind: string) {
  const found = findKind(group, version, kind);
  if (found === undefined) throw new TypeError(`there is no kind ${group}/${version} ${kind}`);
  return found.schema;
}

function documented({ type, group, version }: ServedResource, names: Names): OpenApiResource {
  const served = type.versions.find((candidate) => candidate.version === version);
  if (served === undefined) throw new TypeError(`${type.resource} has no version ${version}`);
  return {
    group,
    version,
    kind: type.kind,
    resource: type.resource,
    namespaced: type.namespaced,
    verbs: type.verbs,
    schema: served.schema,
    deleteReturnsObject: type.strategy.deleteReturns === 'object',
    subresources: type.subresources
      .filter(({ behaviour }) => behaviour !== 'token')
      .map(({ name, kind, verbs, behaviour }) => ({
        name,
        kind: { group: names.group(kind.group), version: kind.version, kind: kind.kind },
        verbs,
        form: forms[behaviour],
        schema: schemaOf(kind.group, kind.version, kind.kind),
      })),
  };
}
