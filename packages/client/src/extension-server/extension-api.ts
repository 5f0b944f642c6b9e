import type { ApiObject } from '@orch/machinery';

/** What a handler gets. */
export interface ExtensionCall {
  /** `''` for all namespaces, and for resources without. */
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly signal: AbortSignal;
}

/** A resource of an extension API server, with what serves its verbs. */
export interface ExtensionResource {
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  /** Undefined for an object that does not exist. */
  readonly get?: (name: string, call: ExtensionCall) => Promise<ApiObject | undefined>;
  readonly list?: (call: ExtensionCall) => Promise<readonly ApiObject[]>;
}

/** A group version, as its API service names it. */
export interface ExtensionApi {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ExtensionResource[];
}

/** What a path means. */
export type ExtensionPath =
  | { readonly kind: 'document'; readonly body: object }
  | {
      readonly kind: 'resource';
      readonly resource: ExtensionResource;
      readonly namespace: string;
      /** `''` for a list. */
      readonly name: string;
    };

/** The meaning of a path; undefined for one that is not served. */
export function extensionPath(api: ExtensionApi, path: string): ExtensionPath | undefined {
  const [first, root, group, version, ...rest] = partsOf(path);
  if (first !== '' || root !== 'apis') return undefined;
  if (group === undefined) return { kind: 'document', body: groupList(api) };
  if (group !== api.group) return undefined;
  if (version === undefined)
    return { kind: 'document', body: { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(api) } };
  if (version !== api.version) return undefined;
  if (rest.length === 0) return { kind: 'document', body: resourceList(api) };
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2;
  const [resourceName, name = '', ...more] = isNamespaced ? rest.slice(2) : rest;
  const resource = api.resources.find((one) => one.resource === resourceName);
  if (resource === undefined || more.length > 0 || (isNamespaced && !resource.namespaced)) return undefined;
  const namespace = isNamespaced ? (rest[1] ?? '') : '';
  if (name !== '' && resource.namespaced && namespace === '') return undefined;
  return { kind: 'resource', resource, namespace, name };
}

/** Empty for a path that is not encoded correctly. */
function partsOf(path: string): readonly string[] {
  try {
    return path.replace(/\/$/, '').split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}

function groupOf({ group, version }: ExtensionApi): object {
  const only = { groupVersion: `${group}/${version}`, version };
  return { name: group, versions: [only], preferredVersion: only };
}

const groupList = (api: ExtensionApi): object => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: [groupOf(api)],
});

const resourceList = ({ group, version, resources }: ExtensionApi): object => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${group}/${version}`,
  resources: resources.map(({ resource, singular, kind, namespaced, shortNames, get, list }) => ({
    name: resource,
    singularName: singular,
    namespaced,
    kind,
    verbs: [...(get === undefined ? [] : ['get']), ...(list === undefined ? [] : ['list'])],
    ...(shortNames === undefined ? {} : { shortNames }),
  })),
});
