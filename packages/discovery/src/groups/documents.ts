import { createHash } from 'node:crypto';
import { atLeast, ObjectMeta, omittedWhereEmpty, type Release, type Subresource } from '@orch/apis';
import type { Names } from '@orch/machinery';
import { encodeJson } from '@orch/machinery/json';
import type { ServedResource } from '@orch/registry';
import { compileCodec } from '@orch/schema';
import { isExtension, type ListedGroup, type ListedVersion } from './listed-groups.ts';
import { isCustomGroup, type ServedVersion, servedSubresources } from './served-groups.ts';

/** From this release on discovery contains the singular names of built-in resources. */
const SINGULAR_SINCE: Release = '1.27';

/** Addresses at which clients reach the server, regardless of their network. */
export type ServerAddress = readonly { readonly clientCIDR: string; readonly serverAddress: string }[];

/** `/api` */
export const apiVersionsDocument = (core: ListedGroup | undefined, addresses: ServerAddress): Buffer =>
  encodeJson({
    kind: 'APIVersions',
    versions: core?.versions.map(({ version }) => version) ?? [],
    serverAddressByClientCIDRs: addresses,
  });

/** `/apis` */
export const groupListDocument = (groups: readonly ListedGroup[]): Buffer =>
  encodeJson({ kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupBody) });

/** `/apis/<group>` */
export const groupDocument = (group: ListedGroup): Buffer =>
  encodeJson({ kind: 'APIGroup', apiVersion: 'v1', ...groupBody(group) });

function groupBody({ name, versions }: ListedGroup): object {
  const all = versions.map(({ version, apiVersion }) => ({ groupVersion: apiVersion, version }));
  return { name, versions: all, preferredVersion: all[0] };
}

/** `/api/v1`, `/apis/<group>/<version>` */
export const resourceListDocument = (
  { apiVersion, resources }: ServedVersion,
  names: Names,
  release: Release,
): Buffer =>
  encodeJson({
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersion,
    resources: resources.flatMap((resource) => [
      resourceBody(resource, release),
      ...servedSubresources(resource).map((subresource) => subresourceBody(resource, subresource, names)),
    ]),
  });

function resourceBody({ type, storageCodec, groupKey }: ServedResource, release: Release): object {
  const namesSingular = isCustomGroup(groupKey) || atLeast(release, SINGULAR_SINCE);
  return {
    name: type.resource,
    singularName: namesSingular ? type.singular : '',
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: type.verbs,
    ...(type.shortNames.length > 0 ? { shortNames: type.shortNames } : {}),
    ...(type.categories.length > 0 ? { categories: type.categories } : {}),
    ...(type.virtual === true
      ? {}
      : { storageVersionHash: storageVersionHash(storageCodec.apiVersion, type.kind) }),
  };
}

/** Changes when the kind is stored in another version: clients that migrate objects watch for it. */
const storageVersionHash = (storedApiVersion: string, kind: string): string =>
  createHash('sha256')
    .update(`${storedApiVersion.includes('/') ? '' : '/'}${storedApiVersion}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');

function subresourceBody(resource: ServedResource, subresource: Subresource, names: Names): object {
  return {
    name: `${resource.type.resource}/${subresource.name}`,
    singularName: '',
    namespaced: resource.type.namespaced,
    ...namedVersion(resource, subresource, names),
    kind: subresource.kind.kind,
    verbs: subresource.verbs,
  };
}

/** Group and version of the kind of a subresource, where they are not those of the path. */
function namedVersion(
  { group, version }: ServedResource,
  { behaviour, kind }: Subresource,
  names: Names,
): { readonly group?: string; readonly version?: string } {
  const named = { group: names.group(kind.group), version: kind.version };
  // Scale subresources always name their version; others only when it differs from that of the path.
  if (behaviour !== 'scale' && named.group === group && named.version === version) return {};
  return named.group === '' ? { version: named.version } : named;
}

interface AggregatedOptions {
  readonly names: Names;
  readonly release: Release;
}

/** The aggregated form of `/api` or `/apis`: all groups with all their resources in one document. */
export function aggregatedDocument(
  groups: readonly ListedGroup[],
  aggregatedIn: string,
  { names, release }: AggregatedOptions,
): Buffer {
  const metadata = compileCodec(ObjectMeta, names, { quiet: omittedWhereEmpty(release) });
  return encodeJson({
    kind: 'APIGroupDiscoveryList',
    apiVersion: names.apiVersion('apidiscovery', aggregatedIn),
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: metadata.decode({ name }).value,
      versions: versions.map((version) => aggregatedVersion(version, names)),
    })),
  });
}

function aggregatedVersion(listed: ListedVersion, names: Names): object {
  const { version } = listed;
  if (!isExtension(listed)) {
    const resources = listed.resources.map((resource) => aggregatedResource(resource, names));
    return { version, resources, freshness: 'Current' };
  }
  const { discovered, freshness } = listed;
  return { version, ...(discovered.length === 0 ? {} : { resources: discovered }), freshness };
}

function aggregatedResource(resource: ServedResource, names: Names): object {
  const { type, group, version, groupKey } = resource;
  // Built-in kinds have empty names where clients take those of the path, custom kinds have full ones.
  const path = isCustomGroup(groupKey) ? { group, version } : { group: '', version: '' };
  const subresources = servedSubresources(resource).map((subresource) => ({
    subresource: subresource.name,
    responseKind: {
      ...path,
      ...namedVersion(resource, subresource, names),
      kind: subresource.kind.kind,
    },
    verbs: subresource.verbs,
  }));
  return {
    resource: type.resource,
    responseKind: { ...path, kind: type.kind },
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length > 0 ? { shortNames: type.shortNames } : {}),
    ...(type.categories.length > 0 ? { categories: type.categories } : {}),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}
