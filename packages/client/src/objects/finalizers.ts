import { ApiError, type ApiObject, hasDeletionTimestamp } from '@orch/machinery';
import type { ResourceClient, Stored } from '../rest/types.ts';

/** Reports whether the deletion of an object was requested. */
export const isBeingDeleted = (object: ApiObject): boolean => hasDeletionTimestamp(object.metadata);

/** Reports whether an object has a finalizer. */
export const hasFinalizer = (object: ApiObject, finalizer: string): boolean =>
  object.metadata.finalizers?.includes(finalizer) === true;

/**
 * Adds a finalizer. Resolves with the current object; nothing is written when it has the finalizer. Rejects with a conflict
 * when the object was changed after it was read, and when it is being deleted, because the server adds no finalizers then.
 */
export async function addFinalizer<T extends ApiObject>(
  client: ResourceClient<T>,
  object: Stored<T>,
  finalizer: string,
  signal?: AbortSignal,
): Promise<Stored<T>> {
  if (hasFinalizer(object, finalizer)) return object;
  return await setFinalizers(client, object, [...(object.metadata.finalizers ?? []), finalizer], signal);
}

/**
 * Removes a finalizer. Resolves with the current object, and with undefined when it no longer exists: this was its
 * last finalizer, or it was removed concurrently. Rejects with a conflict when the object was changed after it was read.
 */
export async function removeFinalizer<T extends ApiObject>(
  client: ResourceClient<T>,
  object: Stored<T>,
  finalizer: string,
  signal?: AbortSignal,
): Promise<Stored<T> | undefined> {
  if (!hasFinalizer(object, finalizer)) return object;
  const rest = (object.metadata.finalizers ?? []).filter((each) => each !== finalizer);
  try {
    return await setFinalizers(client, object, rest, signal);
  } catch (error) {
    if (error instanceof ApiError && error.status.code === 404) return undefined;
    throw error;
  }
}

/** The patch has uid and resourceVersion: a list of finalizers is replaced as a whole, and must be based on the current one. */
async function setFinalizers<T extends ApiObject>(
  client: ResourceClient<T>,
  object: Stored<T>,
  finalizers: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Stored<T>> {
  const { namespace, name = '', uid, resourceVersion } = object.metadata;
  const own = namespace === undefined ? client : client.in(namespace);
  return await own.patch.merge(name, { metadata: { uid, resourceVersion, finalizers } }, {}, signal);
}
