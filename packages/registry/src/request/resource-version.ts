import type { Freshness } from '@orch/cache';
import { errors } from '@orch/machinery';
import { type Revision, StoreError } from '@orch/storage';

/** Revisions are 64 bits wide on the wire. */
const LARGEST = 2n ** 64n - 1n;

/**
 * Reads a resourceVersion that a client sent. Opaque to clients, a revision to the server. What lies beyond every
 * revision that can exist is read as the largest. Throws 400 for text that no server gave to any client.
 */
export function parseResourceVersion(text: string): Revision {
  if (!/^[0-9]{1,20}$/.test(text) || (text.length === 20 && BigInt(text) > LARGEST)) {
    throw errors.badRequest(
      `resourceVersion: Invalid value: ${JSON.stringify(text.slice(0, 64))}: it is none that this server gave`,
    );
  }
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

export const anyAge: Freshness = Object.freeze({ kind: 'any' });
export const mostRecent: Freshness = Object.freeze({ kind: 'mostRecent' });

/** What a resourceVersion asks of the age of the answer: unset, `0`, or a lower bound (spec 4.4). */
export function freshnessOf(resourceVersion: string | undefined): Freshness {
  if (resourceVersion === undefined || resourceVersion === '') return mostRecent;
  const rev = parseResourceVersion(resourceVersion);
  return rev === 0 ? anyAge : { kind: 'notOlderThan', rev };
}

/** A read ahead of everything the server has becomes its own kind of 504; other failures pass. */
export function explainFuture(cause: unknown, requested: string, current: Revision): unknown {
  return cause instanceof StoreError && cause.code === 'futureRevision'
    ? errors.tooLargeResourceVersion(requested, String(current))
    : cause;
}
