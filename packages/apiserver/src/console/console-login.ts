import {
  authorizationRequest,
  discoverProvider,
  exchangeCode,
  idTokenExpiry,
  type LoginContext,
  type LoginTokens,
  type OidcClient,
  type OidcProvider,
  redirectResult,
  refreshTokens,
} from '@orch/client/login';
import { type Env, errors } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';

/** The secrets of a login that a page has begun. The page keeps them in memory, and sends them back with the redirection. */
export interface BegunLogin {
  /** Where the user logs in. */
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The redirection of a login. */
export interface Redirection extends Omit<BegunLogin, 'url'> {
  /** The query of the address that the provider has led to. */
  readonly query: string;
}

/** The tokens of a page. */
export interface PageTokens {
  readonly idToken: string;
  readonly refreshToken: string | undefined;
  /** End of the time of the ID token, in epoch milliseconds. */
  readonly expiresAt: number;
}

export interface ConsoleLoginOptions {
  readonly client: OidcClient;
  readonly scopes: readonly string[];
  readonly env: Pick<Env, 'clock' | 'random'>;
}

/** Requests to the provider at the same time: anybody can cause them. */
const MAX_AT_ONCE = 8;
const TIMEOUT_MS = 15_000;
/** Maximum age of the discovery document. */
const MAX_AGE_MS = 10 * 60_000;

/**
 * Logins of pages at an OpenID Connect provider, by an authorization code with PKCE. The server sends the requests to the provider, so
 * that the page connects to no other host; it keeps nothing of a login, so that each step may reach another replica. Methods reject
 * with a `CredentialError` for a refusal of the provider, and with a 429 while too many requests to it are in progress.
 */
export class ConsoleLogin {
  readonly #options: ConsoleLoginOptions;
  #found: { readonly provider: OidcProvider; readonly at: number } | undefined;
  #inProgress = 0;

  constructor(options: ConsoleLoginOptions) {
    this.#options = options;
  }

  /** The URL of the provider. */
  get issuer(): string {
    return this.#options.client.idpIssuerUrl;
  }

  /** Begins a login that leads back to `redirectUrl`. */
  begin(redirectUrl: string, stop: AbortSignal): Promise<BegunLogin> {
    return this.#limited(stop, async (signal) => {
      const { random } = this.#options.env;
      const context = await this.#context(signal);
      const { url, state, nonce, verifier } = authorizationRequest(context, { redirectUrl, random });
      return { url: url.href, state, nonce, verifier };
    });
  }

  /** Exchanges the code of a redirection for tokens. */
  finish(redirectUrl: string, { query, ...secrets }: Redirection, stop: AbortSignal): Promise<PageTokens> {
    return this.#limited(stop, async (signal) => {
      const context = await this.#context(signal);
      const request = { ...secrets, redirectUrl, url: new URL(redirectUrl) };
      const result = redirectResult(context, request, new URLSearchParams(query));
      if (result.kind === 'failed') throw result.error;
      if (result.kind === 'foreign') throw errors.badRequest('the redirection is that of another login');
      return withExpiry(await exchangeCode(context, { ...request, code: result.code }, signal));
    });
  }

  /** Exchanges a refresh token for new tokens. */
  renew(refreshToken: string, stop: AbortSignal): Promise<PageTokens> {
    return this.#limited(stop, async (signal) => {
      const renewed = await refreshTokens(this.#options.client, refreshToken, signal);
      const { idToken } = renewed;
      if (idToken === undefined) throw errors.badRequest('the provider answers without an ID token');
      return withExpiry({ idToken, refreshToken: renewed.refreshToken ?? refreshToken });
    });
  }

  async #context(signal: AbortSignal): Promise<LoginContext> {
    const { client, scopes, env } = this.#options;
    const now = env.clock.monotonic();
    if (this.#found === undefined || now - this.#found.at > MAX_AGE_MS)
      this.#found = { provider: await discoverProvider(client, signal), at: now };
    const scope = [...new Set(['openid', ...scopes])].join(' ');
    return { client, provider: this.#found.provider, scope };
  }

  async #limited<T>(stop: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#inProgress >= MAX_AT_ONCE)
      throw errors.tooManyRequests('too many logins are in progress: try again');
    this.#inProgress++;
    try {
      using deadline = withDeadline(stop, this.#options.env.clock, TIMEOUT_MS);
      return await work(deadline.signal);
    } finally {
      this.#inProgress--;
    }
  }
}

const withExpiry = ({ idToken, refreshToken }: LoginTokens): PageTokens => ({
  ...{ idToken, refreshToken },
  expiresAt: idTokenExpiry(idToken) ?? 0,
});
