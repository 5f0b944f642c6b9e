import type { ApiObject, Names, OwnerReference } from '@orch/machinery';
import type { Asker } from '../answer/asker.ts';
import type { Cause, ObjectPlace } from '../answer/cause.ts';
import type { StoredKind, StoredObjects } from '../answer/stored-objects.ts';

/** Maximum number of dependents in an explanation. */
const MAX_DEPENDENTS = 20;

interface Subject {
  readonly object: ApiObject;
  readonly place: ObjectPlace;
}

/**
 * The owners of an object: it is deleted when the last of them is. The references are part of the object; whether an owner
 * exists is reported only to users who may read it.
 */
export function ownerCauses(
  asker: Asker,
  objects: StoredObjects,
  { object, place }: Subject,
): Promise<readonly Cause[]> {
  const references = object.metadata.ownerReferences ?? [];
  return Promise.all(references.map((reference) => ownerCause(asker, objects, { reference, place })));
}

async function ownerCause(
  asker: Asker,
  objects: StoredObjects,
  { reference, place }: { readonly reference: OwnerReference; readonly place: ObjectPlace },
): Promise<Cause> {
  const { apiVersion, kind: kindName, name, uid } = reference;
  const title = `${kindName} ${JSON.stringify(name)}`;
  const kind = objects.ofKind(apiVersion, kindName);
  if (kind === undefined)
    return { type: 'Owner', message: `it is owned by ${title}, whose kind this server does not store` };
  const where = placeIn(kind, kind.namespaced ? place.namespace : '', name);
  if (!(await asker.may({ ...where, verb: 'get' })))
    return { type: 'Owner', message: `it is owned by ${title}, which you may not read`, where };
  const owner = await objects.readOutline(kind, where, asker.signal);
  if (owner?.metadata.uid !== uid)
    return {
      type: 'AbsentOwner',
      message: `it is owned by ${title}, which does not exist: the garbage collector deletes it, unless it has another owner`,
      where,
    };
  const resolvedBy = await asker.resolution('deleting the owner', { ...where, verb: 'delete' });
  return {
    type: 'Owner',
    message: `it is owned by ${title}: it is deleted with the last of its owners`,
    where,
    resolvedBy,
  };
}

/** The dependents for which a deletion in the foreground waits, as far as the user may list them. */
export async function dependentCauses(
  asker: Asker,
  objects: StoredObjects,
  { object, place, names }: Subject & { readonly names: Names },
): Promise<readonly Cause[]> {
  const { finalizers = [], uid = '' } = object.metadata;
  if (!finalizers.includes(names.finalizers.foregroundDeletion) || uid === '') return [];
  const found: Cause[] = [];
  let isComplete = true;
  for (const kind of objects.kinds()) {
    if (place.namespace !== '' && !kind.namespaced) continue;
    const operation = { ...placeIn(kind, kind.namespaced ? place.namespace : '', ''), verb: 'list' };
    if (!(await asker.may(operation))) isComplete = false;
    else found.push(...blocking(objects, kind, { place, uid }));
  }
  const causes = found.slice(0, MAX_DEPENDENTS);
  if (found.length > causes.length)
    causes.push({
      type: 'Dependent',
      message: `${found.length - causes.length} more dependents block the deletion`,
    });
  if (!isComplete)
    causes.push({
      type: 'Dependent',
      message: 'objects that you may not read may block the deletion as well',
    });
  return causes;
}

function blocking(
  objects: StoredObjects,
  kind: StoredKind,
  { place, uid }: { readonly place: ObjectPlace; readonly uid: string },
): readonly Cause[] {
  return objects
    .containing(kind, kind.namespaced ? place.namespace : '', uid)
    .filter(({ metadata: { ownerReferences = [] } }) =>
      ownerReferences.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true),
    )
    .map(({ metadata: { namespace = '', name = '' } }) => ({
      type: 'Dependent',
      message: `the dependent ${kind.kind} ${JSON.stringify(name)} blocks the deletion`,
      where: placeIn(kind, namespace, name),
    }));
}

const placeIn = ({ group, resource }: StoredKind, namespace: string, name: string): ObjectPlace => ({
  ...{ group, resource, namespace, name },
});
