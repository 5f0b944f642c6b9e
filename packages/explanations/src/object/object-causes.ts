import { type ApiObject, hasDeletionTimestamp, type Names } from '@orch/machinery';
import type { Asker } from '../answer/asker.ts';
import type { Cause, ObjectPlace } from '../answer/cause.ts';
import type { StoredObjects } from '../answer/stored-objects.ts';
import type { RecentRequests } from '../requests/recent-requests.ts';
import { finalizerCauses } from './finalizer-causes.ts';
import { namespaceCauses } from './namespace-causes.ts';
import { dependentCauses, ownerCauses } from './owner-causes.ts';
import { webhookCauses } from './webhook-causes.ts';

export interface ObjectParts {
  readonly objects: StoredObjects;
  readonly requests: RecentRequests;
  readonly names: Names;
}

/** The causes why an object still exists: the conditions of its deletion, or the steps that would lead to it. */
export async function objectCauses(
  asker: Asker,
  { objects, requests, names }: ObjectParts,
  subject: { readonly object: ApiObject; readonly place: ObjectPlace },
): Promise<readonly Cause[]> {
  const { object, place } = subject;
  const isDeleting = hasDeletionTimestamp(object.metadata);
  const isNamespace = place.group === '' && place.resource === 'namespaces';
  const hasFinalizers = (object.metadata.finalizers ?? []).length > 0;
  const refused = await requests.refusedDeletions(asker, place);
  const operation = isDeleting ? 'UPDATE' : 'DELETE';
  return [
    ...(isDeleting ? [] : [notDeleted]),
    ...refused,
    ...(isDeleting ? graceCauses(object) : []),
    ...(await finalizerCauses(asker, names, subject)),
    ...(await dependentCauses(asker, objects, { ...subject, names })),
    ...(isNamespace && isDeleting ? await namespaceCauses(asker, objects, subject) : []),
    ...(await ownerCauses(asker, objects, subject)),
    ...(!isDeleting || hasFinalizers ? await webhookCauses(asker, objects, { place, operation, names }) : []),
  ];
}

const notDeleted: Cause = { type: 'NotDeleted', message: 'its deletion has not been requested' };

/** A graceful deletion waits for the node that runs a pod. */
function graceCauses({ metadata }: ApiObject): readonly Cause[] {
  const { deletionGracePeriodSeconds: seconds = 0, deletionTimestamp } = metadata;
  if (seconds === 0) return [];
  const message = `it is shut down gracefully, for ${seconds} seconds until ${deletionTimestamp ?? ''}: the agent of its node removes it then`;
  return [{ type: 'GracePeriod', message }];
}
