import { createHash } from 'node:crypto';
import { atLeast, type Release, type Subresource } from '@orch/apis';
import type { Names } from '@orch/machinery';
import { encodeJson } from '@orch/machinery/json';
import type { ServedResource } from '@orch/registry';
import type { ListedGroup } from './listed-groups.ts';
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
export function namedVersion(
  { group, version }: ServedResource,
  { behaviour, kind }: Subresource,
  names: Names,
): { readonly group?: string; readonly version?: string } {
  const named = { group: names.group(kind.group), version: kind.version };
  // Scale subresources always name their version; others only when it differs from that of the path.
  if (behaviour !== 'scale' && named.group === group && named.version === version) return {};
  return named.group === '' ? { version: named.version } : named;
}
