import type { List, ResourceClient } from '@orch/client';
import { ApiError } from '@orch/machinery';

/** Objects between two updates of the status. */
const PAGE_ITEMS = 250;

/**
 * The page at a continue token, or the first one. With an expired token the list continues at the same position in the
 * current state: objects that were written meanwhile are in the storage version. With an invalid token it starts again.
 */
export async function pageAt(
  objects: ResourceClient,
  token: string | undefined,
  signal: AbortSignal,
): Promise<List> {
  const first = { limit: PAGE_ITEMS } as const;
  if (token === undefined) return await objects.list(first, signal);
  try {
    return await objects.list({ ...first, continue: token }, signal);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, metadata } = error.status;
    if (code === 410) return await pageAfterExpiry(objects, metadata?.continue, signal);
    if (code === 400) return await objects.list(first, signal);
    throw error;
  }
}

const pageAfterExpiry = (
  objects: ResourceClient,
  token: string | undefined,
  signal: AbortSignal,
): Promise<List> =>
  objects.list({ limit: PAGE_ITEMS, ...(token === undefined ? {} : { continue: token }) }, signal);

/** The resourceVersion of the current state. */
export async function currentVersion(objects: ResourceClient, signal: AbortSignal): Promise<string> {
  return (await objects.list({ limit: 1 }, signal)).metadata.resourceVersion;
}

const isNumber = (version: string): boolean => /^\d{1,20}$/.test(version);

/** Reports whether a resourceVersion is later than another one; false for versions that cannot be compared. */
export const isLater = (version: string, other: string): boolean =>
  isNumber(version) && isNumber(other) && BigInt(version) > BigInt(other);
