import { type ApiObject, errors } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import type { CoreObjects, CoreResource, ServerContext } from '@orch/registry';

/** Cached objects of the core group, for parts of the server that work with internal resources. */
export function coreObjects({ objects, names }: Pick<ServerContext, 'objects' | 'names'>): CoreObjects {
  const find: CoreObjects['find'] = (resource, namespace, name) =>
    name.includes('/') ? undefined : objects.resource('', resource)?.cached({ namespace, name });
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
      return (found ?? []).map((slice) => parseJson(slice.json()) as ApiObject);
    },
    get(resource: CoreResource, namespace, name) {
      const found = find(resource, namespace, name);
      if (found === undefined) throw errors.notFound({ group: '', kind: resource, name });
      return found;
    },
  };
}
