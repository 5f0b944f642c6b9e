import type { Authorizer, ResourceAttributes } from '@orch/auth';
import type { Names, OwnerReference } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { AdmissionAttributes, AdmissionPlugin, Refusal } from '../types.ts';

/** A resource whose objects have a kind. */
export interface OwnerResource {
  /** Group in paths: `''`, `apps`. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

export interface OwnerReferencesParts {
  readonly authorizer: Authorizer;
  readonly names: Names;
  /** The resources whose objects have a kind, in the version that is named; empty for a kind that is not served. */
  readonly resourcesOf: (apiVersion: string, kind: string) => readonly OwnerResource[];
}

/**
 * `OwnerReferencesPermissionEnforcement`: an object is deleted with its owners, so setting them requires
 * permission to delete it; and objects with `blockOwnerDeletion` delay the deletion of their owner, so setting that field
 * requires permission to update the finalizers of the owner.
 */
export function ownerReferencesPermission(parts: OwnerReferencesParts): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    // The status of pods is written by nodes, which are subject to `NodeRestriction`.
    handles: ({ operation, group, resource, subresource, requested }) =>
      operation !== 'DELETE' &&
      requested.hasMetadata &&
      !(group === '' && resource === 'pods' && subresource === 'status'),
    validate(write) {
      const next = ownersOf(write.object);
      const old = ownersOf(write.oldObject);
      return jsonEquals(next, old) ? undefined : refusedOwners(parts, write, newlyBlocking(next, old));
    },
  };
}

const ownersOf = (object: AdmissionAttributes['object']): readonly OwnerReference[] =>
  object?.metadata.ownerReferences ?? [];

function newlyBlocking(
  next: readonly OwnerReference[],
  old: readonly OwnerReference[],
): readonly OwnerReference[] {
  const blocks = ({ blockOwnerDeletion }: OwnerReference): boolean => blockOwnerDeletion === true;
  const before = new Set(old.filter(blocks).map(({ uid }) => uid));
  return next.filter((owner) => blocks(owner) && !before.has(owner.uid));
}

async function refusedOwners(
  parts: OwnerReferencesParts,
  write: AdmissionAttributes,
  blocking: readonly OwnerReference[],
): Promise<Refusal | undefined> {
  const { user, namespace, name, group, resource } = write;
  const common = { user, isResource: true, version: '*' } as const;
  const own = { group: parts.names.group(group), resource, subresource: '', namespace, name };
  if (!(await isAllowed(parts, write, { ...common, ...own, verb: 'delete' })))
    return 'cannot set owner references on an object that you may not delete';
  for (const owner of blocking) {
    const { apiVersion, kind } = owner;
    const resources = parts.resourcesOf(apiVersion, kind);
    if (resources.length === 0)
      return `blockOwnerDeletion cannot be set: there is no kind ${kind} in ${apiVersion}`;
    for (const of of resources) {
      const finalizers = {
        ...common,
        group: of.group,
        version: of.version,
        resource: of.resource,
        subresource: 'finalizers',
        namespace: of.namespaced ? namespace : '',
        name: owner.name,
        verb: 'update',
      };
      if (!(await isAllowed(parts, write, finalizers)))
        return `cannot set blockOwnerDeletion: you may not update the finalizers of ${of.resource} ${JSON.stringify(owner.name)}`;
    }
  }
  return undefined;
}

async function isAllowed(
  { authorizer }: OwnerReferencesParts,
  { signal }: AdmissionAttributes,
  attributes: ResourceAttributes,
): Promise<boolean> {
  const { verdict } = await authorizer.authorize(attributes, { signal });
  return verdict === 'allow';
}
