import { createHash, timingSafeEqual } from 'node:crypto';
import type { Node, Pod, Secret, ServiceAccount } from '@orch/kinds/core';
import type { ObjectSource } from '../object-source.ts';
import type { AccountClaims, ObjectIdentity } from './account-claims.ts';

/** A terminating object keeps bound tokens valid for this long after its deletion time, so that a pod can shut down. */
const GRACE_MS = 60_000;

type LiveObject = ServiceAccount | Pod | Secret | Node;

/** An object that a token requires. */
interface RequiredObject {
  /** The kind of the object in messages. */
  readonly description: string;
  readonly resource: 'serviceaccounts' | 'pods' | 'secrets' | 'nodes';
  readonly namespace: string;
  readonly name: string;
  /** Absent where any object of the name is accepted. */
  readonly uid?: string;
  /** Set when the object must contain the token. */
  readonly containsToken?: true;
  /** Time for which the token stays valid after the deletion time of the object. */
  readonly graceMs: number;
}

/** The objects that must exist for a token to be valid. */
function requiredObjects(claims: AccountClaims): readonly RequiredObject[] {
  const { namespace } = claims.account;
  const graceMs = claims.kind === 'legacy' ? 0 : GRACE_MS;
  const of = (
    description: string,
    resource: RequiredObject['resource'],
    object: ObjectIdentity | undefined,
  ): readonly RequiredObject[] =>
    object === undefined
      ? []
      : [
          {
            description,
            resource,
            namespace: resource === 'nodes' ? '' : namespace,
            ...identity(object),
            graceMs,
          },
        ];
  const account = of('service account', 'serviceaccounts', claims.account);
  if (claims.kind === 'legacy') {
    const { secretName: name } = claims;
    return [
      ...account,
      { description: 'secret', resource: 'secrets', namespace, name, containsToken: true, graceMs },
    ];
  }
  return [
    ...account,
    ...of('pod', 'pods', claims.pod),
    ...of('secret', 'secrets', claims.secret),
    ...of('node', 'nodes', claims.node),
  ];
}

const identity = ({ name, uid }: ObjectIdentity): ObjectIdentity => ({ name, uid });

/**
 * The objects that one token requires, with the states that were already checked. An object is checked again when its state
 * changes or when the grace period of a terminating one passes.
 */
export class LiveObjects {
  readonly #required: readonly RequiredObject[];
  readonly #tokenDigest: Buffer;
  readonly #checked: (LiveObject | undefined)[];
  #validUntil = Number.POSITIVE_INFINITY;

  /** `tokenDigest` is SHA-256 over the token. */
  constructor(claims: AccountClaims, tokenDigest: Buffer) {
    this.#required = requiredObjects(claims);
    this.#tokenDigest = tokenDigest;
    this.#checked = this.#required.map(() => undefined);
  }

  /** The reason why the token is revoked; undefined when it is valid. `now` is in epoch milliseconds. */
  problem(source: Pick<ObjectSource, 'get'>, now: number): string | undefined {
    for (let index = 0; index < this.#required.length; index++) {
      const expected = this.#required[index] as RequiredObject;
      const object = source.get(expected.resource, expected.namespace, expected.name);
      if (object !== undefined && object === this.#checked[index] && now < this.#validUntil) continue;
      const problem = this.#problemOf(expected, object, now);
      if (problem !== undefined) return `${expected.description} ${problem}`;
      this.#checked[index] = object;
      const end = object === undefined ? undefined : endOf(object, expected);
      if (end !== undefined) this.#validUntil = Math.min(this.#validUntil, end);
    }
    return undefined;
  }

  #problemOf(expected: RequiredObject, object: LiveObject | undefined, now: number): string | undefined {
    if (object === undefined) return 'does not exist';
    if (expected.uid !== undefined && object.metadata.uid !== expected.uid) return 'has another UID';
    const end = endOf(object, expected);
    if (end !== undefined && now >= end) return 'is being deleted';
    if (expected.containsToken === true && !containsToken(object, this.#tokenDigest))
      return 'does not contain this token';
    return undefined;
  }
}

/**
 * The time from which a terminating object no longer keeps tokens valid, in epoch milliseconds; undefined when it is
 * not terminating.
 */
function endOf(
  { metadata: { deletionTimestamp } }: LiveObject,
  { graceMs }: RequiredObject,
): number | undefined {
  if (typeof deletionTimestamp !== 'string' || deletionTimestamp === '') return undefined;
  // The deletion timestamp of a pod already includes its termination grace period.
  const time = Date.parse(deletionTimestamp);
  return Number.isNaN(time) || graceMs === 0 ? 0 : time + graceMs;
}

function containsToken(secret: Secret, tokenDigest: Buffer): boolean {
  const data = secret.data?.['token'] ?? '';
  if (data === '') return false;
  const digest = createHash('sha256').update(Buffer.from(data, 'base64')).digest();
  return timingSafeEqual(digest, tokenDigest);
}
