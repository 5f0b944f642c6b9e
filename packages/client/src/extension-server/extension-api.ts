import type { ApiObject } from '@orch/machinery';

/** A request that a handler serves. */
export interface ExtensionCall {
  /** `''` for all namespaces, and for resources without. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly description?: string;
  /** Columns above 0 are shown with `-o wide`. */
  readonly priority?: number;
  readonly value: (object: ApiObject) => string | number | boolean | null;
}

/** A resource of an extension API server, with what serves its verbs. */
export interface ExtensionResource {
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  /** The columns after the name; the time of creation when absent. */
  readonly columns?: readonly Column[];
  /** Undefined for an object that does not exist. */
  readonly get?: (name: string, call: ExtensionCall) => Promise<ApiObject | undefined>;
  /** All objects of the namespace: the server applies the selectors of the request. */
  readonly list?: (call: ExtensionCall) => Promise<readonly ApiObject[]>;
}

/** A group version, as its API service names it. */
export interface ExtensionApi {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ExtensionResource[];
}

/** The object or list of a resource. */
export interface ResourcePath {
  readonly resource: ExtensionResource;
  readonly namespace: string;
  /** `''` for a list. */
  readonly name: string;
}

/** The meaning of a path. */
export type ExtensionPath =
  | { readonly kind: 'document'; readonly body: object }
  | ({ readonly kind: 'resource' } & ResourcePath);

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
  return resourcePath(api, rest);
}

function resourcePath(api: ExtensionApi, parts: readonly string[]): ExtensionPath | undefined {
  const isNamespaced = parts[0] === 'namespaces' && parts.length > 2;
  const [resourceName, name = '', ...more] = isNamespaced ? parts.slice(2) : parts;
  const resource = api.resources.find((one) => one.resource === resourceName);
  if (resource === undefined || more.length > 0 || (isNamespaced && !resource.namespaced)) return undefined;
  const namespace = isNamespaced ? (parts[1] ?? '') : '';
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
