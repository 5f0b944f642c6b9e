import type { ResourceType } from '@orch/apis';
import { errors } from '@orch/machinery';
import type { WritePath } from '../resource/paths.ts';
import { type ServedResource, subjectOf } from '../resource/served-resource.ts';

const PHASE_FIELD = 'status.phase';

/**
 * Refuses to create an object in a namespace that does not exist (404) or is being deleted (403). Synchronous when the
 * namespace is cached; otherwise the cache is refreshed before the namespace is reported as missing.
 */
export function requireNamespace(
  path: WritePath,
  resource: ServedResource,
  place: { readonly namespace: string; readonly name: string; readonly signal: AbortSignal },
): void | Promise<void> {
  const namespaces = namespacesOf(path);
  const { cache } = namespaces;
  const found = cache.get(place.namespace);
  const check = (): void => checkPhase(namespaces.phaseAt, cache.get(place.namespace), resource, place);
  if (found !== undefined) return check();
  return cache.waitFresh({ kind: 'mostRecent' }, place.signal).then(check);
}

interface CachedNamespace {
  readonly fields: readonly string[];
}

function checkPhase(
  phaseAt: number,
  namespace: CachedNamespace | undefined,
  resource: ServedResource,
  place: { readonly namespace: string; readonly name: string },
): void {
  if (namespace === undefined) {
    throw errors.notFound({ group: '', kind: 'namespaces', name: place.namespace });
  }
  if (namespace.fields[phaseAt] !== 'Terminating') return;
  throw errors.forbidden(
    subjectOf(resource, place.name),
    `unable to create new content in namespace ${place.namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${place.namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}

function namespacesOf(path: WritePath) {
  const resource = path.table.find('', 'v1', 'namespaces');
  if (resource === undefined) throw new TypeError('the API has no namespaces');
  const { cache } = path.stored(resource);
  return { cache, phaseAt: cache.resource.selectableFields.indexOf(PHASE_FIELD) };
}

export const isNamespaceType = (type: ResourceType): boolean =>
  type.group === '' && type.resource === 'namespaces';

/** Refuses to delete the namespaces that the control plane itself needs (403; facts: validation, Namespace). */
export function refuseProtected(path: WritePath, resource: ServedResource, name: string): void {
  const { namespaces } = path.names;
  const protectedNames: readonly string[] = [namespaces.default, namespaces.system, namespaces.public];
  if (isNamespaceType(resource.type) && protectedNames.includes(name)) {
    throw errors.forbidden(subjectOf(resource, name), 'this namespace may not be deleted');
  }
}
