import { createHash } from 'node:crypto';
import type { Clock, HistogramSeries, Metrics } from '@orch/machinery';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import type { JsonObject } from '@orch/machinery/json';
import { decodeJwt, type JWTPayload, type JWTVerifyOptions, errors as jose } from 'jose';
import type { ClaimRules } from '../authentication-config/configuration.ts';
import { userOfClaims } from '../authentication-config/user-of-claims.ts';
import { bearerToken } from '../bearer.ts';
import { TokenCacheMetrics } from '../token-cache-metrics.ts';
import type { Authentication, Authenticator } from '../types.ts';
import type { Provider } from './provider.ts';
import { verifiedClaims } from './verified-claims.ts';

/** An issuer whose tokens are accepted. */
export interface TokenIssuerSettings {
  readonly url: string;
  readonly provider: Provider;
  /** Tokens must be for one of them. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  readonly rules: ClaimRules;
}

/** Options of `tokenIssuersAuthenticator`. */
export interface TokenIssuersOptions {
  /** With different URLs. */
  readonly issuers: readonly TokenIssuerSettings[];
  readonly implicitGroup: string;
  /** Key of the extra value of users with the id of their token; undefined in releases without it. */
  readonly credentialIdKey?: string | undefined;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** A verified token with the end of its time, in epoch milliseconds. */
interface Verified {
  readonly answer: Authentication;
  readonly expires: number;
}

const none: Authentication = { kind: 'none' };
const expired: Authentication = { kind: 'rejected', reason: 'the ID token has expired' };
const MAX_TOKEN_CHARACTERS = 16_384;
const MAX_CACHED = 10_000;
const CACHED_MS = 10_000;

/**
 * Accepts ID tokens of some identity providers (access-control document, 5.6): signed with one of the algorithms, issued for an
 * accepted audience, valid now, with the required claims. Tokens of other issuers are left to other authenticators. A verified
 * token is cached for ten seconds, by its digest, and never longer than it is valid.
 */
export function tokenIssuersAuthenticator(options: TokenIssuersOptions): Authenticator {
  const { clock, metrics } = options;
  const cache = new TokenCacheMetrics(metrics, clock);
  const cached = new BoundedCache<string, Verified>({
    maxEntries: MAX_CACHED,
    expiry: { ttlMs: CACHED_MS, clock },
  });
  const issuers = new Map(options.issuers.map((issuer) => [issuer.url, new VerifiedIssuer(issuer, options)]));

  async function verified(
    issuer: VerifiedIssuer,
    { token, key, signal }: { readonly token: string; readonly key: string; readonly signal: AbortSignal },
  ): Promise<Authentication> {
    const result = await issuer.verify(token, signal);
    signal.throwIfAborted();
    if ('kind' in result) return result;
    cached.set(key, result);
    return result.answer;
  }

  return {
    authenticate({ headers, signal }) {
      const token = bearerToken(headers.authorization);
      if (token === undefined || token.length > MAX_TOKEN_CHARACTERS) return none;
      const issuer = issuers.get(issuerOf(token) ?? '');
      if (issuer === undefined) return none;
      const began = cache.begin();
      const key = createHash('sha256').update(token).digest('base64');
      const found = cached.get(key);
      if (found === undefined) return cache.during(key, began, verified(issuer, { token, key, signal }));
      cache.hit(began);
      return clock.now() < found.expires ? found.answer : expired;
    },
  };
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

const rejected = (reason: string): Authentication => ({
  kind: 'rejected',
  reason: `the ID token: ${reason}`,
});

/** Verifies tokens of one issuer. */
class VerifiedIssuer {
  readonly #settings: TokenIssuerSettings;
  readonly #options: TokenIssuersOptions;
  readonly #latency: (result: 'success' | 'failure') => HistogramSeries;

  constructor(settings: TokenIssuerSettings, options: TokenIssuersOptions) {
    this.#settings = settings;
    this.#options = options;
    this.#latency = latencyOf(settings.url, options.metrics);
  }

  async verify(token: string, signal: AbortSignal): Promise<Authentication | Verified> {
    const { clock } = this.#options;
    const began = clock.monotonic();
    const result = await this.#outcome(token, signal);
    this.#latency('kind' in result ? 'failure' : 'success').observe((clock.monotonic() - began) / 1000);
    return result;
  }

  async #outcome(token: string, signal: AbortSignal): Promise<Authentication | Verified> {
    const { implicitGroup, credentialIdKey } = this.#options;
    let claims: JWTPayload;
    try {
      claims = await this.#claims(token, signal);
    } catch (error) {
      return rejected(error instanceof Error ? error.message : String(error));
    }
    const user = userOfClaims(claims as JsonObject, this.#settings.rules, credentialIdKey);
    if (typeof user === 'string') return rejected(user);
    const groups = [...new Set([...user.groups, implicitGroup])];
    return { answer: { kind: 'user', user: { ...user, groups } }, expires: (claims.exp ?? 0) * 1000 };
  }

  async #claims(token: string, signal: AbortSignal): Promise<JWTPayload> {
    const { provider, url, audiences, algorithms } = this.#settings;
    const verification: JWTVerifyOptions = {
      issuer: url,
      audience: [...audiences],
      algorithms: [...algorithms],
      requiredClaims: ['exp'],
      currentDate: new Date(this.#options.clock.now()),
    };
    const keyOf = provider.keyOf(signal);
    try {
      return await verifiedClaims(token, keyOf, verification);
    } catch (error) {
      const isUnknownKey = error instanceof jose.JWSSignatureVerificationFailed;
      if (!isUnknownKey || !(await provider.renewed(signal))) throw error;
      return verifiedClaims(token, keyOf, verification);
    }
  }
}

function latencyOf(url: string, metrics: Metrics): (result: 'success' | 'failure') => HistogramSeries {
  const family = metrics.histogram({
    name: 'apiserver_authentication_jwt_authenticator_latency_seconds',
    help: 'Time that the verification of ID tokens took, by result and by the hash of the issuer.',
    labels: ['result', 'jwt_issuer_hash'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    stability: 'ALPHA',
  });
  const hash = `sha256:${createHash('sha256').update(url).digest('hex')}`;
  return (result) => family.series(result, hash);
}
