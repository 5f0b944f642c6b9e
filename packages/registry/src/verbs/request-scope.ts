import { errors } from '@orch/machinery';
import type { ResourceRequest } from '@orch/request';
import type { ServedResource } from '../resource/served-resource.ts';

/**
 * Checks that a path has the scope of its resource, before anything is served: 404 for a cluster-scoped resource below a
 * namespace and for an object of a namespaced resource without one. The collection of a namespaced resource over all
 * namespaces can only be read (405 for a write); a resource that cannot be listed has none (404).
 *
 * Authorizers trust the namespace of a path. Serving a cluster-scoped object below a namespace would expose it to every user
 * with a role in any namespace.
 */
export function checkScope({ type, verbs }: ServedResource, info: ResourceRequest, method: string): void {
  if (!type.namespaced) {
    if (info.isInNamespace) throw errors.resourceNotFound();
    return;
  }
  if (info.namespace !== '') return;
  if (info.name !== '' || !verbs.has('list')) throw errors.resourceNotFound();
  if (info.verb !== 'list' && info.verb !== 'watch') throw errors.methodNotAllowed(method);
}
