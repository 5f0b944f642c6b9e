import type { ApiObject, Names } from '@orch/machinery';
import type { TypedResource } from './typed-resource.ts';

/** A resource whose objects are in namespaces, by the group key of the names table, version and plural: `apps/v1/deployments`. */
export function namespacedResource<T extends ApiObject>(
  names: Names,
  path: string,
  kind: string,
): TypedResource<T> {
  const [key = '', version = '', resource = ''] = path.split('/');
  return { group: names.group(key), version, resource, kind, namespaced: true };
}

/** A resource whose objects are in no namespace. */
export const clusterResource = <T extends ApiObject>(
  names: Names,
  path: string,
  kind: string,
): TypedResource<T> => ({ ...namespacedResource<T>(names, path, kind), namespaced: false });
