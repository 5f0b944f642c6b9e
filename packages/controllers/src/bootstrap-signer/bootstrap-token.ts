import { isBeingDeleted } from '@orch/client';
import { type ApiObject, asObject, type Names, timeMs } from '@orch/machinery';
import { decoded } from '../api/base64.ts';

/** A bootstrap token (spec 2.4) as its secret says it. */
export interface BootstrapToken {
  readonly id: string;
  /** The whole token, `<id>.<secret>`. */
  readonly token: string;
  readonly isForSigning: boolean;
}

const idForm = /^[a-z0-9]{6}$/;

/**
 * The token in a secret; undefined when the secret has another type, name or id. Any token secret signs, as in other
 * servers of this API: only authentication requires its form (spec 5.4), which no other secret can match.
 */
export function readBootstrapToken(secret: ApiObject, names: Names): BootstrapToken | undefined {
  if (secret['type'] !== names.secretTypes.bootstrapToken) return undefined;
  if (isBeingDeleted(secret)) return undefined;
  const data = asObject(secret['data']);
  const id = decoded(data['token-id']);
  const tokenSecret = decoded(data['token-secret']);
  if (!idForm.test(id) || tokenSecret === '') return undefined;
  if (secret.metadata.name !== `${names.objects.bootstrapTokenPrefix}${id}`) return undefined;
  const isForSigning = decoded(data['usage-bootstrap-signing']) === 'true';
  return { id, token: `${id}.${tokenSecret}`, isForSigning };
}

/**
 * When the token of a secret ends, in epoch milliseconds: never, where nothing is said. A time that cannot be read is
 * over: nobody can have meant a token to live for ever by it.
 */
export function expirationOf(secret: ApiObject): number {
  const text = decoded(asObject(secret['data'])['expiration']);
  return text === '' ? Number.POSITIVE_INFINITY : (timeMs(text.trim()) ?? Number.NEGATIVE_INFINITY);
}
