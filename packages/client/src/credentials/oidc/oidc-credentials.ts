import { abortable, withDeadline } from '@orch/machinery/concurrency';
import { CredentialError } from '../credential-error.ts';
import { bearer } from '../fixed.ts';
import { type Found, RenewedCredentials } from '../renewed.ts';
import type { Credentials } from '../types.ts';
import type { OidcConfig, OidcContext, RefreshedTokens, StoredTokens } from './config.ts';
import { idTokenExpiry } from './id-token.ts';
import { providerError } from './provider-error.ts';
import { refreshTokens } from './refresh-tokens.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
/** A token that expires this soon may have expired when the server verifies it. */
const MARGIN_MS = 10_000;
/** A rejected token that is younger than this is not refreshed again, because it was not rejected for its age. */
const MIN_AGE_MS = 10_000;

/**
 * An id token (access control, 5.6), refreshed shortly before its expiration and after a rejection by the server.
 * Concurrent callers share one refresh. The latest tokens are kept in memory.
 */
export function oidcCredentials(config: OidcConfig, context: OidcContext): Credentials {
  const { clock } = context.env;
  const { refreshToken, idToken } = config;
  if (refreshToken === undefined) return unrefreshed(config, context);
  const tokens = new Tokens(config, context, { idToken, refreshToken });
  const initial = idToken === undefined ? undefined : foundIn(idToken, MARGIN_MS);
  return new RenewedCredentials({
    clock,
    minAgeMs: MIN_AGE_MS,
    search: () => tokens.refresh(),
    ...(initial !== undefined && { initial }),
  });
}

/** The id token until its expiration, independent of rejections. */
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
      throw providerError(idpIssuerUrl, `${state}, and there is no refresh token`, 'loginNeeded');
    },
    ...(initial !== undefined && { initial }),
  });
  return {
    current: (signal) => renewed.current(signal),
    rejected: () => false,
    onTlsChange: () => () => undefined,
  };
}

/** Undefined when it is not an id token. */
function foundIn(idToken: string, earlierMs: number): Found | undefined {
  const expiry = idTokenExpiry(idToken);
  return expiry === undefined ? undefined : { identity: bearer(idToken), expiresAt: expiry - earlierMs };
}

class Tokens {
  readonly #config: OidcConfig;
  readonly #context: OidcContext;
  #idToken: string | undefined;
  #refreshToken: string;

  constructor(
    config: OidcConfig,
    context: OidcContext,
    { idToken, refreshToken }: { readonly idToken: string | undefined; readonly refreshToken: string },
  ) {
    this.#config = config;
    this.#context = context;
    this.#idToken = idToken;
    this.#refreshToken = refreshToken;
  }

  async refresh(): Promise<Found> {
    const { shared } = this.#context;
    if (shared === undefined) return (await this.#renewed()).found;
    let found: Found | undefined;
    await shared.update(async (stored) => {
      found = this.#ofOther(stored);
      if (found !== undefined) return undefined;
      this.#refreshToken = stored.refreshToken ?? this.#refreshToken;
      const renewed = await this.#renewed();
      found = renewed.found;
      return renewed.tokens;
    });
    // If the store has not called the function, this process has tokens of its own.
    return found ?? (await this.#renewed()).found;
  }

  /** The id token of another process: a newer one than that which this process has used, and still valid. */
  #ofOther({ idToken, refreshToken }: StoredTokens): Found | undefined {
    if (idToken === undefined || idToken === this.#idToken) return undefined;
    const found = foundIn(idToken, MARGIN_MS);
    if (found === undefined || (found.expiresAt ?? 0) <= this.#context.env.clock.now()) return undefined;
    this.#idToken = idToken;
    this.#refreshToken = refreshToken ?? this.#refreshToken;
    return found;
  }

  async #renewed(): Promise<{ readonly found: Found; readonly tokens: RefreshedTokens }> {
    const { env, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#context;
    using deadline = withDeadline(new AbortController().signal, env.clock, timeoutMs);
    const { idToken, refreshToken } = await this.#requestTokens(deadline.signal);
    // The previous refresh token is invalid now, whether or not the id token is usable.
    this.#refreshToken = refreshToken ?? this.#refreshToken;
    const { idpIssuerUrl } = this.#config;
    if (idToken === undefined)
      throw providerError(
        idpIssuerUrl,
        'it responds to refreshes without an id token: configure the token itself instead',
      );
    const found = foundIn(idToken, MARGIN_MS);
    if (found === undefined)
      throw providerError(idpIssuerUrl, 'its response has an id token that cannot be parsed');
    this.#idToken = idToken;
    const tokens = { idToken, refreshToken: this.#refreshToken };
    await this.#persist(tokens, deadline.signal);
    // A wrong clock is more likely than a provider that issues expired tokens.
    const expiresAt = Math.max(found.expiresAt ?? 0, env.clock.now() + MIN_AGE_MS);
    return { found: { ...found, expiresAt }, tokens };
  }

  async #requestTokens(signal: AbortSignal): ReturnType<typeof refreshTokens> {
    try {
      return await refreshTokens(this.#config, this.#refreshToken, signal);
    } catch (cause) {
      if (cause instanceof CredentialError) throw cause;
      const reason: unknown = signal.aborted ? signal.reason : cause;
      const problem = reason instanceof Error ? reason.message : String(reason);
      throw providerError(this.#config.idpIssuerUrl, `no new id token: ${problem}`);
    }
  }

  /** Awaited, so that a program that exits after its request has stored the tokens. */
  async #persist(tokens: RefreshedTokens, signal: AbortSignal): Promise<void> {
    try {
      await abortable(Promise.resolve(this.#context.persist?.(tokens)), signal);
    } catch {
      // The token is valid, and the caller of `onRefresh` handles its own failures.
    }
  }
}
