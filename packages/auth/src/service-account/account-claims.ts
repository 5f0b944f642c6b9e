import type { Names } from '@orch/machinery';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';

/** An object by name and identity. */
export interface ObjectIdentity {
  readonly name: string;
  readonly uid: string;
}

export interface AccountIdentity extends ObjectIdentity {
  readonly namespace: string;
}

/** The node of a pod, as it was when the token was issued. It has no UID when the node did not exist. */
export interface PodNode {
  readonly name: string;
  readonly uid: string | undefined;
}

interface Common {
  readonly account: AccountIdentity;
  /** Seconds since the epoch; tokens of secrets may have none. */
  readonly expiresAt: number | undefined;
  readonly notBefore: number | undefined;
}

/** A token of a token request, valid at most as long as the object that it is bound to. */
export interface BoundClaims extends Common {
  readonly kind: 'bound';
  readonly audiences: readonly string[];
  readonly expiresAt: number;
  readonly pod: ObjectIdentity | undefined;
  readonly secret: ObjectIdentity | undefined;
  /** The node that the token is bound to. */
  readonly node: ObjectIdentity | undefined;
  /** The node of the pod that the token is bound to; the token does not depend on it. */
  readonly podNode: PodNode | undefined;
  /** The claim `jti`. */
  readonly id: string | undefined;
  /** From then on (seconds) the token should have been replaced. */
  readonly warnAfter: number | undefined;
}

/** A token in a secret, valid as long as the secret exists. */
export interface LegacyClaims extends Common {
  readonly kind: 'legacy';
  readonly secretName: string;
}

export type AccountClaims = BoundClaims | LegacyClaims;

/** Names of users of service accounts (access-control document, 5.5). */
export const accountUserName = ({ namespace, name }: AccountIdentity, { users }: Names): string =>
  `${users.serviceAccountPrefix}${namespace}:${name}`;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const timeOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** A time claim that is present and invalid makes the token invalid. */
const isTimeOrAbsent = (value: unknown): boolean => value === undefined || timeOf(value) !== undefined;

function identityOf(value: unknown): ObjectIdentity | undefined {
  if (!isJsonObject(value)) return undefined;
  const name = textOf(value['name']);
  const uid = textOf(value['uid']);
  return name === undefined || uid === undefined ? undefined : { name, uid };
}

function podNodeOf(value: unknown): PodNode | undefined {
  if (!isJsonObject(value)) return undefined;
  const name = textOf(value['name']);
  return name === undefined ? undefined : { name, uid: textOf(value['uid']) };
}

/** Claims of a token whose signature is good; undefined when they are not those of a service account's token. */
export function readAccountClaims(claims: JsonObject, names: Names): AccountClaims | undefined {
  if (![claims['exp'], claims['nbf'], claims['iat']].every(isTimeOrAbsent)) return undefined;
  const read =
    claims['iss'] === names.tokenClaims.legacyIssuer ? readLegacy(claims, names) : readBound(claims, names);
  return read !== undefined && claims['sub'] === accountUserName(read.account, names) ? read : undefined;
}

function readLegacy(claims: JsonObject, { tokenClaims }: Names): LegacyClaims | undefined {
  const namespace = textOf(claims[tokenClaims.legacyNamespace]);
  const secretName = textOf(claims[tokenClaims.legacySecretName]);
  const name = textOf(claims[tokenClaims.legacyAccountName]);
  const uid = textOf(claims[tokenClaims.legacyAccountUid]);
  if (namespace === undefined || secretName === undefined || name === undefined || uid === undefined)
    return undefined;
  return {
    kind: 'legacy',
    account: { namespace, name, uid },
    secretName,
    expiresAt: timeOf(claims['exp']),
    notBefore: timeOf(claims['nbf']),
  };
}

function readBound(claims: JsonObject, { tokenClaims }: Names): BoundClaims | undefined {
  const own = claims[tokenClaims.private];
  if (!isJsonObject(own)) return undefined;
  const namespace = textOf(own['namespace']);
  const account = identityOf(own['serviceaccount']);
  const expiresAt = timeOf(claims['exp']);
  const audiences = audiencesOf(claims['aud']);
  if (namespace === undefined || account === undefined || expiresAt === undefined || audiences === undefined)
    return undefined;
  const podNode = own['pod'] === undefined ? undefined : podNodeOf(own['node']);
  const bounds = {
    pod: own['pod'],
    secret: own['secret'],
    node: own['pod'] === undefined ? own['node'] : undefined,
  };
  const [pod, secret, node] = Object.values(bounds).map(identityOf);
  // A binding that cannot be read would never be checked.
  if ((pod === undefined) !== (bounds.pod === undefined)) return undefined;
  if ((secret === undefined) !== (bounds.secret === undefined)) return undefined;
  if ((node === undefined) !== (bounds.node === undefined)) return undefined;
  if (!isTimeOrAbsent(own['warnafter'])) return undefined;
  return {
    kind: 'bound',
    account: { namespace, ...account },
    audiences,
    expiresAt,
    notBefore: timeOf(claims['nbf']),
    pod,
    secret,
    node,
    podNode,
    id: textOf(claims['jti']),
    warnAfter: timeOf(own['warnafter']),
  };
}

function audiencesOf(value: unknown): readonly string[] | undefined {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.length > 0 && all.every((one) => typeof one === 'string' && one !== '')
    ? (all as readonly string[])
    : undefined;
}
