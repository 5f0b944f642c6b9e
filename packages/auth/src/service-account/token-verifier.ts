import { hash } from 'node:crypto';
import type { Clock, Metrics, Names } from '@orch/machinery';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import { type CompactToken, readCompactToken } from '../jwt/compact-token.ts';
import { checkSignature, type TokenKeys } from '../jwt/signature.ts';
import { TokenCacheMetrics } from '../token-cache-metrics.ts';
import type { Authentication, UserInfo } from '../types.ts';
import { type AccountClaims, readAccountClaims } from './account-claims.ts';
import { accountUser } from './account-user.ts';
import { LiveObjects } from './live-objects.ts';
import { basicTokenFeatures, type TokenFeatures } from './token-features.ts';

/** A verified signature is cached for this long, so that a key can be withdrawn. */
const CACHED_MS = 10_000;
const MAX_VERIFIED = 8192;
const MAX_REJECTED = 4096;

const none: Authentication = { kind: 'none' };
const rejected = (reason: string): Authentication => ({ kind: 'rejected', reason });
const unknownKey = rejected('signed with an unknown key');

/** A token with a valid signature and the claims of a service account token. */
export interface VerifiedToken {
  readonly kind: 'verified';
  readonly claims: AccountClaims;
  readonly user: UserInfo;
  readonly objects: LiveObjects;
  /** The answer for requests that need neither audiences nor annotations. */
  readonly answer: Authentication;
  /** Monotonic milliseconds: the time at which the signature must be verified again. */
  readonly expires: number;
  /** Set when an object that the token is bound to is permanently gone. */
  refused: Authentication | undefined;
}

export type VerificationResult = VerifiedToken | Authentication;

export interface TokenVerifierOptions {
  readonly names: Names;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly keys: TokenKeys;
  /** Issuers of accepted tokens, besides that of tokens in secrets. */
  readonly issuers: readonly string[];
  /** `basicTokenFeatures` by default. */
  readonly features?: TokenFeatures;
}

/** A token that is not in the cache, with the key that it is cached under. */
interface UncachedToken {
  readonly token: CompactToken;
  readonly digest: Buffer;
  readonly key: string;
}

/** Verifies signatures of service account tokens and caches the results by SHA-256 of the token. */
export class TokenVerifier {
  readonly #options: TokenVerifierOptions;
  readonly #issuers: ReadonlySet<unknown>;
  readonly #verified: BoundedCache<string, VerifiedToken>;
  readonly #rejected: BoundedCache<string, Authentication>;
  /** Verifications in progress: concurrent requests with one token share one. */
  readonly #pending = new Map<string, Promise<VerificationResult | 'unknownKey'>>();
  readonly #cache: TokenCacheMetrics;

  constructor(options: TokenVerifierOptions) {
    const { clock, metrics, names, issuers } = options;
    this.#options = options;
    this.#issuers = new Set([...issuers, names.tokenClaims.legacyIssuer]);
    const expiry = { ttlMs: CACHED_MS, clock };
    this.#verified = new BoundedCache({ maxEntries: MAX_VERIFIED, expiry });
    this.#rejected = new BoundedCache({ maxEntries: MAX_REJECTED, expiry });
    this.#cache = new TokenCacheMetrics(metrics, clock);
  }

  /** Reports whether a result is still cached; counts the use. */
  isCached({ expires }: VerifiedToken): boolean {
    const now = this.#cache.begin();
    if (now >= expires) return false;
    this.#cache.hit(now);
    return true;
  }

  /** The result for a token; synchronous when it is cached. Tokens of other issuers are `none`. */
  verify(token: string, signal: AbortSignal): VerificationResult | Promise<VerificationResult> {
    const began = this.#cache.begin();
    const digest = hash('sha256', token, 'buffer');
    const key = digest.toString('latin1');
    const cached = this.#verified.get(key) ?? this.#rejected.get(key);
    if (cached !== undefined) {
      this.#cache.hit(began);
      return cached;
    }
    const parsed = readCompactToken(token);
    if (parsed === undefined) {
      const malformed = rejected('malformed token');
      this.#cache.fetched(began, malformed);
      return this.#store(key, malformed);
    }
    if (!this.#issuers.has(parsed.claims['iss'])) return none;
    return this.#cache.during(key, began, this.#fetch({ token: parsed, digest, key }, signal));
  }

  /** Verifies a token and loads the keys of other servers when its key is unknown. */
  async #fetch(uncached: UncachedToken, signal: AbortSignal): Promise<VerificationResult> {
    const { keys } = this.#options;
    let result = await this.#shared(uncached);
    if (result === 'unknownKey' && keys.refresh !== undefined) {
      await keys.refresh(signal);
      result = await this.#shared(uncached);
    }
    return this.#store(uncached.key, result === 'unknownKey' ? unknownKey : result);
  }

  #shared(uncached: UncachedToken): Promise<VerificationResult | 'unknownKey'> {
    const { key } = uncached;
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending;
    const work = this.#check(uncached).finally(() => this.#pending.delete(key));
    this.#pending.set(key, work);
    return work;
  }

  #store(key: string, result: VerificationResult): VerificationResult {
    if (result.kind === 'verified') this.#verified.set(key, result);
    else if (result.kind === 'rejected') this.#rejected.set(key, result);
    return result;
  }

  async #check({ token, digest }: UncachedToken): Promise<VerificationResult | 'unknownKey'> {
    const { names, keys, clock, features = basicTokenFeatures } = this.#options;
    const check = await checkSignature(token, keys);
    if (check === 'unknownKey') return check;
    if (check === 'invalid') return rejected('the signature of the token is not valid');
    const claims = readAccountClaims(token.claims, names);
    if (claims === undefined) return rejected('the claims are not those of a service account');
    if (claims.kind === 'bound' && claims.node !== undefined && !features.nodeTokens)
      return rejected('tokens that are bound to nodes are disabled by a feature gate');
    const user = accountUser(claims, names, features);
    return {
      kind: 'verified',
      claims,
      user,
      objects: new LiveObjects(claims, digest),
      answer: { kind: 'user', user },
      expires: clock.monotonic() + CACHED_MS,
      refused: undefined,
    };
  }
}
