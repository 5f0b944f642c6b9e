import type { Freshness } from '@orch/cache';
import { errors } from '@orch/machinery';
import { type Revision, StoreError } from '@orch/storage';

/** Revisions are 64 bits wide on the wire. */
const LARGEST = 2n ** 64n - 1n;

/**
 * Parses a resourceVersion from a client. Opaque to clients, a revision to the server. Values beyond the largest
 * revision are clamped to it. Throws 400 for other strings.
 */
export function parseResourceVersion(text: string): Revision {
  if (!/^[0-9]{1,20}$/.test(text) || (text.length === 20 && BigInt(text) > LARGEST)) {
    throw errors.badRequest(
      `resourceVersion: Invalid value: ${JSON.stringify(text.slice(0, 64))}: it is not a version of this server`,
    );
  }
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

export const anyAge: Freshness = Object.freeze({ kind: 'any' });
export const mostRecent: Freshness = Object.freeze({ kind: 'mostRecent' });

/** The freshness that a resourceVersion requires: most recent, any, or a lower bound (spec 4.4). */
export function freshnessOf(resourceVersion: string | undefined): Freshness {
  if (resourceVersion === undefined || resourceVersion === '') return mostRecent;
  const rev = parseResourceVersion(resourceVersion);
  return rev === 0 ? anyAge : { kind: 'notOlderThan', rev };
}

/** A 504 for a revision that the server has not reached; returns other failures unchanged. */
export function explainFuture(cause: unknown, requested: string, current: Revision): unknown {
  return cause instanceof StoreError && cause.code === 'futureRevision'
    ? errors.tooLargeResourceVersion(requested, String(current))
    : cause;
}
