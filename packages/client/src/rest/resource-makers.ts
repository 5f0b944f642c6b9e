import type { ApiObject, Names } from '@orch/machinery';
import type { TypedResource } from './types.ts';

type Maker = <T extends ApiObject>(groupVersion: string, resource: string, kind: string) => TypedResource<T>;

/** Makers of resource definitions; `groupVersion` is a group key of the names table and a version, `apps/v1`. */
export function resourceMakers(names: Names): { readonly namespaced: Maker; readonly cluster: Maker } {
  const maker =
    (namespaced: boolean): Maker =>
    (groupVersion, resource, kind) => {
      const [key = '', version = ''] = groupVersion.split('/');
      return { group: names.group(key), version, resource, kind, namespaced };
    };
  return { namespaced: maker(true), cluster: maker(false) };
}
