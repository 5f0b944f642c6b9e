import type { ApiObject, Names } from '@orch/machinery';
import type { Asker } from '../answer/asker.ts';
import type { Cause, ObjectPlace } from '../answer/cause.ts';

/** The finalizers that keep an object, with the subjects that may remove them. */
export async function finalizerCauses(
  asker: Asker,
  names: Names,
  { object, place }: { readonly object: ApiObject; readonly place: ObjectPlace },
): Promise<readonly Cause[]> {
  const { finalizers = [] } = object.metadata;
  if (finalizers.length === 0) return [];
  const resolvedBy = await asker.resolution('removing the finalizer', { ...place, verb: 'update' });
  return finalizers.map((finalizer) => ({
    type: 'Finalizer',
    message: `the finalizer ${JSON.stringify(finalizer)} is present: ${waitsFor(finalizer, names)}`,
    where: place,
    resolvedBy,
  }));
}

/** The controller or step that removes a finalizer of the system. */
function waitsFor(finalizer: string, { finalizers }: Names): string {
  switch (finalizer) {
    case finalizers.foregroundDeletion:
      return 'the garbage collector removes it when the dependents that block the deletion are gone';
    case finalizers.orphan:
      return 'the garbage collector removes it when the dependents have lost their references to this owner';
    case finalizers.pvcProtection:
      return 'a controller removes it when no pod uses the claim';
    case finalizers.pvProtection:
      return 'a controller removes it when no claim is bound to the volume';
    case finalizers.podGroupProtection:
      return 'a controller removes it when no active pod names the group';
    case finalizers.crdCleanup:
      return 'the server removes it when the objects of the definition are deleted';
    default:
      return 'the controller that added it removes it when its work is done';
  }
}
