import { createHash } from 'node:crypto';
import type { Clock, Metrics } from '@orch/machinery';
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { bearerToken } from '../bearer.ts';
import { BoundedCache } from '../jwt/bounded-cache.ts';
import { TokenCacheMetrics } from '../token-cache-metrics.ts';
import type { Authentication, Authenticator } from '../types.ts';
import { type ClaimOptions, userOfClaims } from './claims.ts';
import type { Provider } from './provider.ts';

/** Options of `oidcAuthenticator`. */
export interface OidcOptions extends ClaimOptions {
  readonly provider: Provider;
  readonly clientId: string;
  readonly algorithms: readonly string[];
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
 * Takes ID tokens of one identity provider (access-control document, 5.6): signed with one of the algorithms, issued by
 * it for the client, valid now, with the required claims. Tokens of other issuers are for others. A verified token is
 * believed for ten seconds, by its digest, and never longer than it lasts.
 */
export function oidcAuthenticator(options: OidcOptions): Authenticator {
  const { issuer, clock } = options;
  const cache = new TokenCacheMetrics(options.metrics, clock);
  const cached = new BoundedCache<Verified>({ maxEntries: MAX_CACHED, ttlMs: CACHED_MS, clock });

  async function verified(token: string, key: string, signal: AbortSignal): Promise<Authentication> {
    const result = await verify(token, options, signal);
    signal.throwIfAborted();
    if ('kind' in result) return result;
    cached.set(key, result);
    return result.answer;
  }

  return {
    authenticate({ headers, signal }) {
      const token = bearerToken(headers.authorization);
      if (token === undefined || token.length > MAX_TOKEN_CHARACTERS || issuerOf(token) !== issuer)
        return none;
      const began = cache.begin();
      const key = createHash('sha256').update(token).digest('base64');
      const found = cached.get(key);
      if (found === undefined) return cache.during(key, began, verified(token, key, signal));
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

async function verify(
  token: string,
  options: OidcOptions,
  signal: AbortSignal,
): Promise<Authentication | Verified> {
  let claims: JWTPayload;
  try {
    const { payload } = await jwtVerify(token, options.provider.keyOf(signal), {
      issuer: options.issuer,
      audience: options.clientId,
      algorithms: [...options.algorithms],
      requiredClaims: ['exp'],
      currentDate: new Date(options.clock.now()),
    });
    claims = payload;
  } catch (error) {
    return {
      kind: 'rejected',
      reason: `the ID token: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  const user = userOfClaims(claims, options);
  if (typeof user === 'string') return { kind: 'rejected', reason: `the ID token: ${user}` };
  return { answer: { kind: 'user', user }, expires: (claims.exp ?? 0) * 1000 };
}
