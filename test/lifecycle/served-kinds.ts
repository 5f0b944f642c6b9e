import assert from 'node:assert/strict';
import type { Release } from '@orch/apis';

/** A subresource in discovery. */
export interface ServedSubresource {
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** A resource in one version, in discovery. */
export interface ServedKind {
  readonly release: Release;
  /** As in paths. */
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  /** The same for all versions of one kind of stored objects; absent where nothing is stored. */
  readonly storageVersionHash: string | undefined;
  readonly subresources: readonly ServedSubresource[];
}

interface ListedResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly group?: string;
  readonly version?: string;
  readonly storageVersionHash?: string;
}

interface GroupList {
  readonly groups: readonly {
    readonly name: string;
    readonly versions: readonly { readonly groupVersion: string; readonly version: string }[];
  }[];
}

/** A server in this process, or a client of another one. */
interface DiscoveredServer {
  get(path: string): Promise<{ readonly json: unknown }>;
}

/** Everything that a server serves, read as a client reads it. */
export async function servedKinds(api: DiscoveredServer, release: Release): Promise<readonly ServedKind[]> {
  const { groups } = (await api.get('/apis')).json as GroupList;
  const { versions: core } = (await api.get('/api')).json as { readonly versions: readonly string[] };
  const versions = [
    ...core.map((version) => ({ group: '', version, apiVersion: version, path: `/api/${version}` })),
    ...groups.flatMap(({ name, versions: all }) =>
      all.map(({ groupVersion, version }) => ({
        group: name,
        version,
        apiVersion: groupVersion,
        path: `/apis/${groupVersion}`,
      })),
    ),
  ];
  const found: ServedKind[] = [];
  for (const { path, ...about } of versions) {
    const { resources: listed } = (await api.get(path)).json as {
      readonly resources: readonly ListedResource[];
    };
    const subresources = listed.filter(({ name }) => name.includes('/'));
    for (const resource of listed.filter(({ name }) => !name.includes('/'))) {
      found.push({
        ...about,
        release,
        resource: resource.name,
        kind: resource.kind,
        namespaced: resource.namespaced,
        verbs: resource.verbs,
        shortNames: resource.shortNames ?? [],
        storageVersionHash: resource.storageVersionHash,
        subresources: subresources
          .filter(({ name }) => name.startsWith(`${resource.name}/`))
          .map((one) => subresourceOf(one, about.apiVersion)),
      });
    }
  }
  return found;
}

function subresourceOf(listed: ListedResource, apiVersion: string): ServedSubresource {
  const { name, kind, verbs, group, version } = listed;
  const own = version === undefined ? apiVersion : group === undefined ? version : `${group}/${version}`;
  return { name: name.slice(name.indexOf('/') + 1), apiVersion: own, kind, verbs };
}

export const NAMESPACE = 'default';

/** Path of all objects of a resource, in the one namespace where it has namespaces. */
export const collectionOf = (served: ServedKind, namespace = NAMESPACE): string => {
  const root = served.group === '' ? `/api/${served.version}` : `/apis/${served.apiVersion}`;
  return served.namespaced
    ? `${root}/namespaces/${namespace}/${served.resource}`
    : `${root}/${served.resource}`;
};

/** Other versions that serve the objects of a resource. */
export const siblingsOf = (served: ServedKind, all: readonly ServedKind[]): readonly ServedKind[] =>
  all.filter(
    (one) =>
      one !== served &&
      served.storageVersionHash !== undefined &&
      one.storageVersionHash === served.storageVersionHash &&
      one.verbs.includes('get'),
  );

/** The resource that holds objects of a kind; the test fails when none is served. */
export function servedKind(all: readonly ServedKind[], apiVersion: string, kind: string): ServedKind {
  return (
    all.find((one) => one.apiVersion === apiVersion && one.kind === kind) ??
    assert.fail(`${apiVersion} ${kind} is not served`)
  );
}
