import {
  type ControllerContext,
  type Informer,
  isBeingDeleted,
  type kinds,
  type ResourceClient,
  typed,
} from '@orch/client';
import type { Names } from '@orch/machinery';
import { timeMs } from '@orch/machinery/time';
import { decoded } from '../api/base64.ts';

type Secret = kinds.core.Secret;

/** The secrets that hold bootstrap tokens: a client of their namespace, and an informer. */
export function bootstrapTokens({ client, informers }: ControllerContext): {
  readonly secrets: ResourceClient<Secret>;
  readonly informer: Informer<Secret>;
} {
  const { namespaces, secretTypes } = client.names;
  const secrets = typed(client, namespaces.system).core.v1.secrets;
  const fieldSelector = `type=${secretTypes.bootstrapToken}`;
  return {
    secrets,
    informer: informers.informer(secrets.resource, { namespace: namespaces.system, fieldSelector }),
  };
}

/** The content of a bootstrap token (spec 2.4). */
export interface BootstrapToken {
  readonly id: string;
  /** The whole token, `<id>.<secret>`. */
  readonly token: string;
  readonly isForSigning: boolean;
}

const idFormat = /^[a-z0-9]{6}$/;

/**
 * The token in a secret; undefined when the secret has another type, name or id. Signing accepts token secrets of any
 * format, as other servers of this API do: only authentication requires the format (spec 5.4).
 */
export function readBootstrapToken(secret: Secret, names: Names): BootstrapToken | undefined {
  if (secret.type !== names.secretTypes.bootstrapToken) return undefined;
  if (isBeingDeleted(secret)) return undefined;
  const data = secret.data ?? {};
  const id = decoded(data['token-id']);
  const tokenSecret = decoded(data['token-secret']);
  if (!idFormat.test(id) || tokenSecret === '') return undefined;
  if (secret.metadata.name !== `${names.objects.bootstrapTokenPrefix}${id}`) return undefined;
  const isForSigning = decoded(data['usage-bootstrap-signing']) === 'true';
  return { id, token: `${id}.${tokenSecret}`, isForSigning };
}

/**
 * Expiration of the token in a secret, in epoch milliseconds: `Infinity` without one. A time that cannot be parsed
 * counts as expired, so that an invalid value never makes a token valid without limit.
 */
export function expirationOf({ data }: Secret): number {
  const text = decoded(data?.['expiration']);
  return text === '' ? Number.POSITIVE_INFINITY : (timeMs(text.trim()) ?? Number.NEGATIVE_INFINITY);
}
