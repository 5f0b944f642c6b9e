import { ApiError, type ApiObject, hasDeletionTimestamp } from '@orch/machinery';
import type { ResourceClient } from '../rest/types.ts';

/** Whether somebody has asked for the end of an object. */
export const isBeingDeleted = (object: ApiObject): boolean => hasDeletionTimestamp(object.metadata);

export const hasFinalizer = (object: ApiObject, finalizer: string): boolean =>
  object.metadata.finalizers?.includes(finalizer) === true;

/**
 * Adds a finalizer, so that the object stays until it is removed. Answers the object as it is then; nothing is written
 * when it is there already. Rejects with a conflict when the object is not as it was read, and when it is being deleted,
 * where the server takes no new ones.
 */
export async function addFinalizer<T extends ApiObject>(
  client: ResourceClient<T>,
  object: T,
  finalizer: string,
  signal?: AbortSignal,
): Promise<T> {
  if (hasFinalizer(object, finalizer)) return object;
  return await setFinalizers(client, object, [...(object.metadata.finalizers ?? []), finalizer], signal);
}

/**
 * Removes a finalizer. Answers the object as it is then, and undefined when it is gone: that was the last that held it,
 * or somebody was faster. Rejects with a conflict when the object is not as it was read.
 */
export async function removeFinalizer<T extends ApiObject>(
  client: ResourceClient<T>,
  object: T,
  finalizer: string,
  signal?: AbortSignal,
): Promise<T | undefined> {
  if (!hasFinalizer(object, finalizer)) return object;
  const rest = (object.metadata.finalizers ?? []).filter((each) => each !== finalizer);
  try {
    return await setFinalizers(client, object, rest, signal);
  } catch (error) {
    if (error instanceof ApiError && error.status.code === 404) return undefined;
    throw error;
  }
}

/** The patch carries uid and resourceVersion: a list of finalizers is replaced as a whole, so it must be the current one. */
async function setFinalizers<T extends ApiObject>(
  client: ResourceClient<T>,
  object: T,
  finalizers: readonly string[],
  signal: AbortSignal | undefined,
): Promise<T> {
  const { namespace, name = '', uid, resourceVersion } = object.metadata;
  const own = namespace === undefined ? client : client.in(namespace);
  return await own.patch.merge(name, { metadata: { uid, resourceVersion, finalizers } }, {}, signal);
}
