import type { Clock, Metrics, Names } from '@orch/machinery';
import { whenFulfilled } from '@orch/machinery/concurrency';
import { sharedAudiences } from '../audiences.ts';
import { bearerToken } from '../bearer.ts';
import { looksSigned } from '../jwt/compact-token.ts';
import type { TokenKeys } from '../jwt/signature.ts';
import type { ObjectSource } from '../object-source.ts';
import type { Authentication, Authenticator, Credentials } from '../types.ts';
import type { AccountClaims } from './account-claims.ts';
import type { TokenFeatures } from './token-features.ts';
import { type TokenUse, tokenUse } from './token-use.ts';
import { TokenVerifier, type VerificationResult, type VerifiedToken } from './token-verifier.ts';

export interface ServiceAccountOptions {
  readonly names: Names;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly source: ObjectSource;
  readonly keys: TokenKeys;
  /** Issuers of accepted tokens, besides that of tokens in secrets; the first one issues new tokens. */
  readonly issuers: readonly string[];
  /** Audiences that identify this server in tokens. */
  readonly audiences: readonly string[];
  /** Whether tokens in secrets require that the secret and the account exist (`--service-account-lookup`). */
  readonly lookup: boolean;
  /** Those of releases before 1.29 by default. */
  readonly features?: TokenFeatures;
}

/** Tolerated difference between the clocks of servers: a token is valid here as soon as another server has issued it. */
const SKEW_SECONDS = 60;

const none: Authentication = { kind: 'none' };
const rejected = (reason: string): Authentication => ({ kind: 'rejected', reason });

/**
 * Tokens of service accounts (access-control document, 5.5): from token requests and from secrets. The signature of a
 * token is verified at most once in ten seconds; its times, its audience and the objects that it is bound to are checked
 * for every request, so that it is revoked with them. The source is synchronized before an object counts as absent.
 */
export function serviceAccountAuthenticator(options: ServiceAccountOptions): Authenticator {
  const verifier = new TokenVerifier(options);
  const evaluator = new TokenEvaluator(options);
  const lastOf = new WeakMap<object, { readonly header: string; readonly verified: VerifiedToken }>();
  const evaluate = (
    result: VerificationResult,
    header: string,
    credentials: Credentials,
  ): Authentication | Promise<Authentication> => {
    if (result.kind !== 'verified') return result;
    lastOf.set(credentials.connection, { header, verified: result });
    return evaluator.evaluate(result, credentials);
  };
  return {
    authenticate(credentials) {
      const header = credentials.headers.authorization;
      if (header === undefined) return none;
      const last = lastOf.get(credentials.connection);
      if (last !== undefined && last.header === header && verifier.isCached(last.verified))
        return evaluator.evaluate(last.verified, credentials);
      const token = bearerToken(header);
      if (token === undefined || !looksSigned(token)) return none;
      return whenFulfilled(verifier.verify(token, credentials.signal), evaluate, header, credentials);
    },
  };
}

/** Checks what may change between two requests with the same verified token. */
class TokenEvaluator {
  readonly #options: ServiceAccountOptions;
  readonly #use: TokenUse;

  constructor(options: ServiceAccountOptions) {
    this.#options = options;
    this.#use = tokenUse(options.metrics, options.names);
  }

  evaluate(verified: VerifiedToken, credentials: Credentials): Authentication | Promise<Authentication> {
    const { clock, source, lookup } = this.#options;
    const { claims, objects } = verified;
    if (verified.refused !== undefined) return verified.refused;
    const seconds = clock.now() / 1000;
    if (claims.expiresAt !== undefined && seconds >= claims.expiresAt)
      return rejected('the token has expired');
    if (claims.notBefore !== undefined && seconds + SKEW_SECONDS < claims.notBefore)
      return rejected('the token is not valid yet');
    const audiences = this.#audiencesOf(claims, credentials.audiences);
    if (audiences.length === 0) return rejected('the token is not meant for this audience');
    if (claims.kind === 'legacy' && !lookup) return this.#accept(verified, audiences, credentials);
    const loading = source.loaded(credentials.signal);
    if (loading !== undefined) return loading.then(() => this.evaluate(verified, credentials));
    if (objects.problem(source, clock.now()) === undefined)
      return this.#accept(verified, audiences, credentials);
    return this.#afterSync(verified, audiences, credentials);
  }

  /** An object was absent or in another state than the token requires: checks again with all writes so far. */
  async #afterSync(
    verified: VerifiedToken,
    audiences: readonly string[],
    credentials: Credentials,
  ): Promise<Authentication> {
    const { clock, source } = this.#options;
    await source.fresh(credentials.signal);
    const problem = verified.objects.problem(source, clock.now());
    if (problem === undefined) return this.#accept(verified, audiences, credentials);
    const refused = rejected(problem);
    // A deleted object never returns with the same UID; a secret may still receive the token that it lacks.
    if (verified.claims.kind === 'bound') verified.refused = refused;
    return refused;
  }

  /** Tokens in secrets have no audience: they are valid for this server. */
  #audiencesOf(claims: AccountClaims, requested: readonly string[] | undefined): readonly string[] {
    const { audiences } = this.#options;
    return sharedAudiences(requested, claims.kind === 'legacy' ? audiences : claims.audiences, audiences);
  }

  #accept(
    { claims, user, answer }: VerifiedToken,
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
