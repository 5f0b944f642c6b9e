import { ApiError, type ObjectMeta } from '@orch/machinery';

/**
 * The result of `work`; undefined when the server refused it with one of these reasons, such as `NotFound` for an object
 * that was deleted after it was read.
 */
export async function ignoreReasons<T>(
  reasons: readonly string[],
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && reasons.includes(error.status.reason ?? '')) return undefined;
    throw error;
  }
}

/** Runs `work`, and ignores its failure when objects cannot be created because the namespace is being deleted. */
export async function ignoreTerminatingNamespace<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isTerminatingNamespace(error)) throw error;
    return undefined;
  }
}

/** Reports whether a creation was refused because the namespace is being deleted. */
export const isTerminatingNamespace = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;

/** Preconditions under which a deletion applies to this version of the object only. */
export const preconditionsOf = ({
  uid = '',
  resourceVersion = '',
}: ObjectMeta): { readonly uid: string; readonly resourceVersion: string } => ({ uid, resourceVersion });
