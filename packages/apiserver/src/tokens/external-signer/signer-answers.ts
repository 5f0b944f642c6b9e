import { readCompactToken } from '@orch/auth';
import { namedTokenKey, type TokenKey, TokenKeyError } from '@orch/pki/jws';
import type { FetchedKeys, SignedClaims } from './signer-messages.ts';

/** An answer of the signer that cannot be used. */
export class SignerAnswerError extends Error {
  override readonly name = 'SignerAnswerError';
}

/** The keys of a signer. */
export interface SignerKeys {
  readonly byId: ReadonlyMap<string, TokenKey>;
  /** The keys that are not published: they verify tokens that were signed earlier. */
  readonly unpublished: ReadonlySet<string>;
  readonly refreshSeconds: number;
}

const MAX_ID = 1024;
/** The longest time between two fetches of keys, whatever the signer names. */
const MAX_REFRESH_SECONDS = 24 * 3600;
/** The shortest lifetime to which a signer may limit tokens: no shorter one can be requested. */
const LEAST_SECONDS = 600;

/** Checks fetched keys. Throws `SignerAnswerError`. */
export function signerKeys({ keys, refreshSeconds }: FetchedKeys): SignerKeys {
  if (refreshSeconds <= 0)
    throw new SignerAnswerError('the time after which keys are fetched again is not positive');
  if (keys.length === 0) throw new SignerAnswerError('there are no keys');
  const byId = new Map<string, TokenKey>();
  for (const { id, publicKey } of keys) {
    if (id === '' || id.length > MAX_ID)
      throw new SignerAnswerError(`the id of a key does not have 1 to ${MAX_ID} characters`);
    if (byId.has(id)) throw new SignerAnswerError(`two keys have the id ${JSON.stringify(id)}`);
    byId.set(id, keyOf(id, publicKey));
  }
  return {
    byId,
    unpublished: new Set(keys.filter(({ isUnpublished }) => isUnpublished).map(({ id }) => id)),
    refreshSeconds: Math.min(refreshSeconds, MAX_REFRESH_SECONDS),
  };
}

function keyOf(id: string, publicKey: Buffer): TokenKey {
  try {
    return namedTokenKey(publicKey, id);
  } catch (error) {
    if (!(error instanceof TokenKeyError)) throw error;
    throw new SignerAnswerError(`the key ${JSON.stringify(id)}: ${error.message}`, { cause: error });
  }
}

/** Checks the maximum lifetime of tokens in seconds. Throws `SignerAnswerError`. */
export function signerMaximum(seconds: number): number {
  if (seconds < LEAST_SECONDS)
    throw new SignerAnswerError(
      `the maximum lifetime of tokens is ${seconds} s, and must be at least ${LEAST_SECONDS} s`,
    );
  return seconds;
}

const algorithms: ReadonlySet<unknown> = new Set(['RS256', 'ES256', 'ES384', 'ES512']);
const headerFields: ReadonlySet<string> = new Set(['alg', 'kid', 'typ']);

/** The id of the key in the header, and the whole token. Throws `SignerAnswerError` for a token that clients cannot use. */
export function signedToken(
  claims: string,
  { header, signature }: SignedClaims,
): { readonly keyId: string; readonly token: string } {
  const token = `${header}.${claims}.${signature}`;
  const parsed = readCompactToken(token);
  if (parsed === undefined) throw new SignerAnswerError('the header or the signature is malformed');
  if (signature === '') throw new SignerAnswerError('the signature is empty');
  const { alg, kid, typ } = parsed.header;
  if (Object.keys(parsed.header).some((field) => !headerFields.has(field)))
    throw new SignerAnswerError('the header has other fields than alg, kid and typ');
  if (typ !== 'JWT') throw new SignerAnswerError('the header does not have the type JWT');
  if (!algorithms.has(alg)) throw new SignerAnswerError('the header has an algorithm that is not supported');
  if (typeof kid !== 'string' || kid === '' || kid.length > MAX_ID)
    throw new SignerAnswerError(`the key id in the header does not have 1 to ${MAX_ID} characters`);
  return { keyId: kid, token };
}
