import { createHmac, timingSafeEqual } from 'node:crypto';
import { errors } from '@orch/machinery';
import type { Revision } from '@orch/storage';

/** Lifetime of a token (spec 8). */
const TOKEN_LIFETIME_MS = 5 * 60_000;

const VERSION = 1;
const MAC_BYTES = 16;

/** The position at which a list continues. */
export interface Continuation {
  /** The state of all pages; undefined for the state at the time of the request (an inconsistent continuation). */
  readonly rev: Revision | undefined;
  /** Key of the last object of the previous page. */
  readonly after: string;
}

/** The list that a token belongs to: a token is invalid for any other list. */
export interface ListIdentity {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

/**
 * Makes and reads continue tokens (spec 4.6): opaque to clients, authenticated with a key that all replicas share, and
 * bound to resource, scope and selectors.
 */
export class ContinueTokens {
  readonly #key: Buffer;

  /** `key` must be secret and at least 32 random bytes. */
  constructor(key: Buffer) {
    this.#key = key;
  }

  issue(continuation: Continuation, list: ListIdentity, nowMs: number): string {
    const payload = Buffer.from(
      JSON.stringify([VERSION, continuation.rev ?? 0, Math.floor(nowMs / 1000), continuation.after]),
    );
    return Buffer.concat([this.#mac(payload, list), payload]).toString('base64url');
  }

  /**
   * Throws a 400 `ApiError` for a token of another list or a malformed one, and a 410 with a token for an inconsistent
   * continuation when it has expired.
   */
  read(token: string, list: ListIdentity, nowMs: number): Continuation {
    const bytes = Buffer.from(token, 'base64url');
    const payload = bytes.subarray(MAC_BYTES);
    // The text is compared too: several base64 texts decode to the same bytes.
    const genuine =
      payload.length > 0 &&
      bytes.toString('base64url') === token &&
      timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.#mac(payload, list));
    if (!genuine) {
      throw errors.badRequest(
        'continue is not valid: it is not a token of this list, or its selectors have changed',
      );
    }
    const [, rev, issued, after] = JSON.parse(payload.toString()) as [number, number, number, string];
    if (nowMs - issued * 1000 > TOKEN_LIFETIME_MS) throw this.expired(after, list, nowMs);
    return { rev: rev === 0 ? undefined : rev, after };
  }

  /** The failure of a continuation whose state is no longer available, with a token that continues in the current state. */
  expired(after: string, list: ListIdentity, nowMs: number): Error {
    return errors.expired(
      'The continue token is too old: the state of its list is no longer available. List again without ' +
        'it, or use the token of this answer for the remainder in its current state; objects changed since the first ' +
        'page may then be missing or appear twice.',
      this.issue({ rev: undefined, after }, list, nowMs),
    );
  }

  #mac(payload: Buffer, list: ListIdentity): Buffer {
    const identity = JSON.stringify([
      list.group,
      list.resource,
      list.namespace,
      list.labelSelector,
      list.fieldSelector,
    ]);
    const mac = createHmac('sha256', this.#key);
    mac.update(`${Buffer.byteLength(identity)}:${identity}`);
    return mac.update(payload).digest().subarray(0, MAC_BYTES);
  }
}
