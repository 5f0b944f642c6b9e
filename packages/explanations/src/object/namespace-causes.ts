import type { Namespace } from '@orch/kinds/core';
import type { Asker } from '../answer/asker.ts';
import type { Cause, ObjectPlace } from '../answer/cause.ts';
import type { StoredObjects } from '../answer/stored-objects.ts';

/** The reasons why a namespace still exists although it is being deleted: its conditions, its content, and its finalizers. */
export async function namespaceCauses(
  asker: Asker,
  objects: StoredObjects,
  { object, place }: { readonly object: Namespace; readonly place: ObjectPlace },
): Promise<readonly Cause[]> {
  const conditions = (object.status?.conditions ?? [])
    .filter(({ status }) => status === 'True')
    .map(
      ({ type = '', reason = '', message = '' }): Cause => ({
        type: 'NamespaceCondition',
        message: `${type} (${reason}): ${message}`,
        where: place,
      }),
    );
  const resolvedBy = await asker.resolution('finalizing the namespace', {
    ...place,
    verb: 'update',
    subresource: 'finalize',
    namespace: place.name,
  });
  const finalizers = (object.spec?.finalizers ?? []).map(
    (finalizer): Cause => ({
      type: 'NamespaceFinalizer',
      message: `the finalizer ${JSON.stringify(finalizer)} of the namespace is present: a controller removes it when the namespace is empty`,
      where: place,
      resolvedBy,
    }),
  );
  return [...conditions, ...(await contentCauses(asker, objects, place.name)), ...finalizers];
}

/** The remaining objects by kind, as far as the user may list them. */
async function contentCauses(
  asker: Asker,
  objects: StoredObjects,
  namespace: string,
): Promise<readonly Cause[]> {
  const causes: Cause[] = [];
  let isComplete = true;
  for (const kind of objects.kinds().filter(({ namespaced }) => namespaced)) {
    const { group, resource } = kind;
    const place = { group, resource, namespace, name: '' };
    if (!(await asker.may({ ...place, verb: 'list' }))) {
      isComplete = false;
      continue;
    }
    const count = objects.count(kind, namespace);
    if (count === 0) continue;
    const resolvedBy = await asker.resolution('deleting the objects', { ...place, verb: 'delete' });
    const what = group === '' ? resource : `${resource}.${group}`;
    const message = `the namespace contains ${count} ${what}`;
    causes.push({ type: 'NamespaceContent', message, where: place, resolvedBy });
  }
  if (!isComplete)
    causes.push({
      type: 'NamespaceContent',
      message: 'the namespace may contain objects that you may not read',
    });
  return causes;
}
