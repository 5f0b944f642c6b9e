import { abortable, withDeadline } from '@orch/machinery';
import { CredentialError } from '../credential-error.ts';
import { bearer } from '../fixed.ts';
import { type Found, RenewedCredentials } from '../renewed.ts';
import type { Credentials } from '../types.ts';
import type { OidcConfig, OidcContext, RefreshedTokens } from './config.ts';
import { idTokenExpiry } from './id-token.ts';
import { providerError, refreshTokens } from './refresh-tokens.ts';

const defaultTimeoutMs = 30_000;
/** A token that ends in so short a while may have ended when the server looks at it. */
const marginMs = 10_000;
/** A server that rejects a fresh token has other reasons than its age; the provider is not asked at every request. */
const minAgeMs = 10_000;

/**
 * An id token (access control, 5.6), refreshed at its provider shortly before it expires and when the server has
 * rejected it. One refresh at a time serves all who wait. The tokens that came last are kept in memory.
 */
export function oidcCredentials(config: OidcConfig, context: OidcContext): Credentials {
  const { clock } = context.env;
  const { refreshToken, idToken } = config;
  if (refreshToken === undefined) return unrefreshed(config, context);
  const tokens = new Tokens(config, context, refreshToken);
  const initial = idToken === undefined ? undefined : foundIn(idToken, marginMs);
  return new RenewedCredentials({
    clock,
    minAgeMs,
    search: () => tokens.refresh(),
    ...(initial !== undefined && { initial }),
  });
}

/** The id token until its end, whatever the server says of it. */
function unrefreshed({ idpIssuerUrl, idToken }: OidcConfig, { env }: OidcContext): Credentials {
  const initial = idToken === undefined ? undefined : foundIn(idToken, 0);
  const state =
    idToken === undefined
      ? 'there is no id token'
      : initial === undefined
        ? 'the id token cannot be read'
        : 'the id token has expired';
  const renewed = new RenewedCredentials({
    clock: env.clock,
    search: async () => {
      throw providerError(idpIssuerUrl, `${state}, and there is no refresh token`);
    },
    ...(initial !== undefined && { initial }),
  });
  return {
    current: (signal) => renewed.current(signal),
    rejected: () => false,
    onTlsChange: () => () => undefined,
  };
}

/** Undefined when it is no id token. */
function foundIn(idToken: string, earlierMs: number): Found | undefined {
  const expiry = idTokenExpiry(idToken);
  return expiry === undefined ? undefined : { identity: bearer(idToken), expiresAt: expiry - earlierMs };
}

class Tokens {
  readonly #config: OidcConfig;
  readonly #context: OidcContext;
  #refreshToken: string;

  constructor(config: OidcConfig, context: OidcContext, refreshToken: string) {
    this.#config = config;
    this.#context = context;
    this.#refreshToken = refreshToken;
  }

  async refresh(): Promise<Found> {
    const { env, timeoutMs = defaultTimeoutMs } = this.#context;
    using deadline = withDeadline(new AbortController().signal, env.clock, timeoutMs);
    const { idToken, refreshToken } = await this.#ask(deadline.signal);
    // The one before counts no more, whatever comes of the id token.
    this.#refreshToken = refreshToken ?? this.#refreshToken;
    const { idpIssuerUrl } = this.#config;
    if (idToken === undefined)
      throw providerError(
        idpIssuerUrl,
        'it answers refreshes without an id token: give the token itself instead',
      );
    const found = foundIn(idToken, marginMs);
    if (found === undefined)
      throw providerError(idpIssuerUrl, 'its answer holds an id token that cannot be read');
    await this.#persist({ idToken, refreshToken: this.#refreshToken }, deadline.signal);
    // A clock that goes wrong is likelier than a provider that hands out what has expired.
    return { ...found, expiresAt: Math.max(found.expiresAt ?? 0, env.clock.now() + minAgeMs) };
  }

  async #ask(signal: AbortSignal): ReturnType<typeof refreshTokens> {
    try {
      return await refreshTokens(this.#config, this.#refreshToken, signal);
    } catch (cause) {
      if (cause instanceof CredentialError) throw cause;
      const reason: unknown = signal.aborted ? signal.reason : cause;
      const problem = reason instanceof Error ? reason.message : String(reason);
      throw providerError(this.#config.idpIssuerUrl, `no new id token: ${problem}`);
    }
  }

  /** Waited for, so that a program that ends with its request has kept what the next start needs. */
  async #persist(tokens: RefreshedTokens, signal: AbortSignal): Promise<void> {
    try {
      await abortable(Promise.resolve(this.#context.persist?.(tokens)), signal);
    } catch {
      // The token is good all the same; whoever keeps tokens knows best what to say of not having kept them.
    }
  }
}
