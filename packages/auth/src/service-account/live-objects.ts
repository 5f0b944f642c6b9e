import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApiObject } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery';
import type { ObjectFeed } from '../object-feed.ts';
import type { AccountClaims, ObjectIdentity } from './account-claims.ts';

/** What a bound token needs counts for a while longer when it is being deleted: what runs in a pod has to come to an end. */
const GRACE_MS = 60_000;

/** What an object must be for a token to be good. */
interface Expected {
  /** As people call it. */
  readonly what: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** Its identity; absent where another object of the name does too. */
  readonly uid?: string;
  /** The token must stand in it. */
  readonly holdsToken?: true;
  /** How long it counts from the time on at which it was to be gone. */
  readonly graceMs: number;
}

/** The objects that a token needs to exist. */
export function neededObjects(claims: AccountClaims): readonly Expected[] {
  const { namespace } = claims.account;
  const graceMs = claims.kind === 'legacy' ? 0 : GRACE_MS;
  const of = (what: string, resource: string, object: ObjectIdentity | undefined): readonly Expected[] =>
    object === undefined
      ? []
      : [{ what, resource, namespace: resource === 'nodes' ? '' : namespace, ...identity(object), graceMs }];
  const account = of('service account', 'serviceaccounts', claims.account);
  if (claims.kind === 'legacy') {
    const { secretName: name } = claims;
    return [...account, { what: 'secret', resource: 'secrets', namespace, name, holdsToken: true, graceMs }];
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
 * The objects of one token as they were found good. They are looked at anew when the feed has another state of one, or
 * when the time of one that is being deleted has come.
 */
export class LiveObjects {
  readonly #needed: readonly Expected[];
  readonly #tokenDigest: Buffer;
  readonly #seen: (ApiObject | undefined)[];
  #goodUntil = Number.POSITIVE_INFINITY;

  /** `tokenDigest` is SHA-256 over the token. */
  constructor(claims: AccountClaims, tokenDigest: Buffer) {
    this.#needed = neededObjects(claims);
    this.#tokenDigest = tokenDigest;
    this.#seen = this.#needed.map(() => undefined);
  }

  /** Why the token is void; undefined when it is not. `now` is in epoch milliseconds. */
  problem(feed: Pick<ObjectFeed, 'get'>, now: number): string | undefined {
    for (let index = 0; index < this.#needed.length; index++) {
      const expected = this.#needed[index] as Expected;
      const object = feed.get(expected.resource, expected.namespace, expected.name);
      if (object !== undefined && object === this.#seen[index] && now < this.#goodUntil) continue;
      const problem = this.#judge(expected, object, now);
      if (problem !== undefined) return `${expected.what} ${problem}`;
      this.#seen[index] = object;
      const end = object === undefined ? undefined : endOf(object, expected);
      if (end !== undefined) this.#goodUntil = Math.min(this.#goodUntil, end);
    }
    return undefined;
  }

  #judge(expected: Expected, object: ApiObject | undefined, now: number): string | undefined {
    if (object === undefined) return 'does not exist';
    if (expected.uid !== undefined && object.metadata.uid !== expected.uid) return 'is another one by now';
    const end = endOf(object, expected);
    if (end !== undefined && now >= end) return 'is being deleted';
    if (expected.holdsToken === true && !holds(object, this.#tokenDigest))
      return 'does not hold this token any more';
    return undefined;
  }
}

/** When an object that is being deleted counts for nothing any more. */
function endOf({ metadata: { deletionTimestamp } }: ApiObject, { graceMs }: Expected): number | undefined {
  if (typeof deletionTimestamp !== 'string' || deletionTimestamp === '') return undefined;
  // A time with grace lies in the future by as much as the pod was given to end.
  const time = Date.parse(deletionTimestamp);
  return Number.isNaN(time) || graceMs === 0 ? 0 : time + graceMs;
}

function holds(secret: ApiObject, tokenDigest: Buffer): boolean {
  const data = isJsonObject(secret['data']) ? secret['data']['token'] : undefined;
  if (typeof data !== 'string' || data === '') return false;
  const digest = createHash('sha256').update(Buffer.from(data, 'base64')).digest();
  return timingSafeEqual(digest, tokenDigest);
}
