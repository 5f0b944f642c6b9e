import { hash } from 'node:crypto';
import { type Clock, type Metrics, type Names, whenFulfilled } from '@orch/machinery';
import { sharedAudiences } from '../audiences.ts';
import { bearerToken } from '../bearer.ts';
import { BoundedMemory } from '../jwt/bounded-memory.ts';
import { looksSigned, readCompactToken } from '../jwt/compact-token.ts';
import { checkSignature, type TokenKeys } from '../jwt/signature.ts';
import type { ObjectFeed } from '../object-feed.ts';
import { TokenCacheMetrics } from '../token-cache-metrics.ts';
import type { Authentication, Authenticator, Credentials, UserInfo } from '../types.ts';
import { type AccountClaims, readAccountClaims } from './account-claims.ts';
import { accountUser } from './account-user.ts';
import { LiveObjects } from './live-objects.ts';
import { type TokenUse, tokenUse } from './token-use.ts';

export interface ServiceAccountOptions {
  readonly names: Names;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly feed: ObjectFeed;
  readonly keys: TokenKeys;
  /** Whose tokens are ours, beside those of secrets; the first signs. */
  readonly issuers: readonly string[];
  /** Names that this server goes under in tokens. */
  readonly audiences: readonly string[];
  /** Whether tokens of secrets end with their secret and their account (`--service-account-lookup`). */
  readonly lookup: boolean;
}

/** A signature is believed for this long before it is checked again, so that a key can be withdrawn. */
const REMEMBERED_MS = 10_000;
const MOST_GOOD = 8192;
const MOST_BAD = 4096;
/** Clocks of servers may differ by as much: a token is good here as soon as another one has made it. */
const SKEW_SECONDS = 60;

const none: Authentication = { kind: 'none' };
const rejected = (reason: string): Authentication => ({ kind: 'rejected', reason });

/** A token whose signature is good and whose claims are those of a service account's token. */
interface Verified {
  readonly claims: AccountClaims;
  readonly user: UserInfo;
  readonly objects: LiveObjects;
  /** What is answered as long as there is nothing more to say than who it is. */
  readonly answer: Authentication;
  /** Monotonic milliseconds: when the signature is to be checked again. */
  readonly until: number;
  /** What the token is bound to is gone for good: nobody has to look again. */
  refused: Authentication | undefined;
}

/**
 * Tokens of service accounts (access-control document, 5.5): those that were asked for and those that secrets hold. The
 * signature of a token is checked once in ten seconds; its times, its audience and the objects that it needs on every
 * request, so that it ends with them at once. Before an object is missed, the feed is brought up to date.
 */
export function serviceAccountAuthenticator(options: ServiceAccountOptions): Authenticator {
  const verifier = new TokenVerifier(options);
  const lastOf = new WeakMap<object, { readonly header: string; readonly verified: Verified }>();
  return {
    authenticate(credentials) {
      const header = credentials.headers.authorization;
      if (header === undefined) return none;
      const last = lastOf.get(credentials.connection);
      if (last !== undefined && last.header === header && verifier.isRemembered(last.verified))
        return verifier.judge(last.verified, credentials);
      const token = bearerToken(header);
      if (token === undefined || !looksSigned(token)) return none;
      const found = verifier.verified(token, credentials.signal);
      const proceed = (outcome: Verified | Authentication): Authentication | Promise<Authentication> => {
        if (!('claims' in outcome)) return outcome;
        lastOf.set(credentials.connection, { header, verified: outcome });
        return verifier.judge(outcome, credentials);
      };
      return whenFulfilled(found, proceed);
    },
  };
}

const answerOf = (outcome: Verified | Authentication): Authentication =>
  'claims' in outcome ? outcome.answer : outcome;

class TokenVerifier {
  readonly #options: ServiceAccountOptions;
  readonly #issuers: ReadonlySet<unknown>;
  readonly #good: BoundedMemory<Verified>;
  readonly #bad: BoundedMemory<Authentication>;
  readonly #use: TokenUse;
  readonly #cache: TokenCacheMetrics;

  constructor(options: ServiceAccountOptions) {
    const { clock, metrics, names, issuers } = options;
    this.#options = options;
    this.#issuers = new Set([...issuers, names.tokenClaims.legacyIssuer]);
    this.#good = new BoundedMemory({ most: MOST_GOOD, ttlMs: REMEMBERED_MS, clock });
    this.#bad = new BoundedMemory({ most: MOST_BAD, ttlMs: REMEMBERED_MS, clock });
    this.#use = tokenUse(metrics, names);
    this.#cache = new TokenCacheMetrics(metrics, clock);
  }

  /** Whether the signature of a token need not be checked now. */
  isRemembered({ until }: Verified): boolean {
    const now = this.#cache.begin();
    if (now >= until) return false;
    this.#cache.hit(now);
    return true;
  }

  /** The token, when it is one of ours and signed by us; otherwise what is to be answered. */
  verified(
    token: string,
    signal: AbortSignal,
  ): Verified | Authentication | Promise<Verified | Authentication> {
    const began = this.#cache.begin();
    const digest = hash('sha256', token, 'buffer');
    const key = digest.toString('latin1');
    const known = this.#good.get(key) ?? this.#bad.get(key);
    if (known !== undefined) {
      this.#cache.hit(began);
      return known;
    }
    const outcome = this.#verify(token, digest);
    if (outcome === 'unknownKey') return this.#refreshed({ token, digest, key, began }, signal);
    // Tokens of other issuers are none that are remembered here.
    if (!('kind' in outcome) || outcome.kind !== 'none') this.#cache.fetched(began, answerOf(outcome));
    return this.#remembered(key, outcome);
  }

  #refreshed(
    { token, digest, key, began }: { token: string; digest: Buffer; key: string; began: number },
    signal: AbortSignal,
  ): Verified | Authentication | Promise<Verified | Authentication> {
    const { keys } = this.#options;
    const unknown = rejected('signed with an unknown key');
    if (keys.refresh === undefined) {
      this.#cache.fetched(began, unknown);
      return this.#remembered(key, unknown);
    }
    let found: Verified | Authentication = unknown;
    const work = keys.refresh(signal).then(() => {
      const again = this.#verify(token, digest);
      found = this.#remembered(key, again === 'unknownKey' ? unknown : again);
      return answerOf(found);
    });
    return this.#cache.during(key, began, work).then(() => found);
  }

  #remembered(key: string, outcome: Verified | Authentication): Verified | Authentication {
    if ('claims' in outcome) this.#good.set(key, outcome);
    else if (outcome.kind === 'rejected') this.#bad.set(key, outcome);
    return outcome;
  }

  #verify(token: string, digest: Buffer): Verified | Authentication | 'unknownKey' {
    const { names, keys, clock } = this.#options;
    const read = readCompactToken(token);
    if (read === undefined) return rejected('malformed token');
    // Tokens of other issuers are for other authenticators.
    if (!this.#issuers.has(read.claims['iss'])) return none;
    const check = checkSignature(read, keys);
    if (check === 'unknownKey') return check;
    if (check === 'bad') return rejected('the signature of the token is not good');
    const claims = readAccountClaims(read.claims, names);
    if (claims === undefined) return rejected('the claims are not those of a service account');
    const user = accountUser(claims, names);
    return {
      claims,
      user,
      objects: new LiveObjects(claims, digest),
      answer: { kind: 'user', user },
      until: clock.monotonic() + REMEMBERED_MS,
      refused: undefined,
    };
  }

  /** What a good token is worth now. */
  judge(verified: Verified, credentials: Credentials): Authentication | Promise<Authentication> {
    const { clock, feed, lookup } = this.#options;
    const { claims, objects } = verified;
    if (verified.refused !== undefined) return verified.refused;
    const seconds = clock.now() / 1000;
    if (claims.expiresAt !== undefined && seconds >= claims.expiresAt)
      return rejected('the token has expired');
    if (claims.notBefore !== undefined && seconds + SKEW_SECONDS < claims.notBefore)
      return rejected('the token is not valid yet');
    const audiences = this.#audiencesOf(claims, credentials.audiences);
    if (audiences.length === 0) return rejected('the token is not meant for this audience');
    if (claims.kind === 'legacy' && !lookup) return this.#accepted(verified, audiences, credentials);
    const loading = feed.loaded(credentials.signal);
    if (loading !== undefined) return loading.then(() => this.judge(verified, credentials));
    if (objects.problem(feed, clock.now()) === undefined)
      return this.#accepted(verified, audiences, credentials);
    return feed.fresh(credentials.signal).then(() => {
      const problem = objects.problem(feed, clock.now());
      if (problem === undefined) return this.#accepted(verified, audiences, credentials);
      const refused = rejected(problem);
      // No object comes back under the identity that it had; a secret may be given the token that it lacks.
      if (claims.kind === 'bound') verified.refused = refused;
      return refused;
    });
  }

  /** Tokens of secrets say nothing of audiences: they are meant for this server. */
  #audiencesOf(claims: AccountClaims, wanted: readonly string[] | undefined): readonly string[] {
    const { audiences } = this.#options;
    return sharedAudiences(wanted, claims.kind === 'legacy' ? audiences : claims.audiences, audiences);
  }

  #accepted(
    { claims, user, answer }: Verified,
    audiences: readonly string[],
    credentials: Credentials,
  ): Authentication {
    const annotations = this.#use.record(claims, this.#options.clock.now());
    if (annotations === undefined && credentials.audiences === undefined) return answer;
    return {
      kind: 'user',
      user,
      ...(credentials.audiences === undefined ? {} : { audiences }),
      ...(annotations === undefined ? {} : { annotations }),
    };
  }
}
