import { ApiError } from '@orch/machinery';

/** The word that the server refused a request with; undefined for failures of other kinds. */
export const reasonOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.status.reason : undefined;

/** Whether a namespace that is on its way out is why something could not be made. */
export const isEndingNamespace = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;

/**
 * What the work answers; undefined when the server refused it with one of these reasons, which say that the world is
 * another than the one that the work was for.
 */
export async function unless<T>(reasons: readonly string[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (reasons.includes(reasonOf(error) ?? '')) return undefined;
    throw error;
  }
}
