import type { EndpointSlice } from '@orch/kinds/discovery';
import type { HubObject } from '@orch/kinds/hub-object';
import { errors } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import type { CoreObjects, CoreResource, ServerContext } from '@orch/registry';

/** Cached objects of the core group, for parts of the server that work with internal resources. */
export function coreObjects({ objects, names }: Pick<ServerContext, 'objects' | 'names'>): CoreObjects {
  const find = <R extends CoreResource>(resource: R, namespace: string, name: string) => {
    if (name.includes('/')) return undefined;
    return objects.resource('', resource)?.cached({ namespace, name }) as HubObject<R> | undefined;
  };
  return {
    async fresh(signal) {
      await objects.resource('', 'pods')?.cache.waitFresh({ kind: 'mostRecent' }, signal);
    },
    find,
    slices(namespace, value) {
      const label = names.labels.serviceName;
      const found = objects
        .resource('discovery', 'endpointslices')
        ?.cachedLabelled({ namespace, label, value });
      return (found ?? []).map((slice) => parseJson(slice.json()) as EndpointSlice);
    },
    get<R extends CoreResource>(resource: R, namespace: string, name: string) {
      const found = find(resource, namespace, name);
      if (found === undefined) throw errors.notFound({ group: '', kind: resource, name });
      return found;
    },
  };
}
