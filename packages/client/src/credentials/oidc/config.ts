import type { Env } from '@orch/machinery';

/** A client of a provider, with the data for requests to it. */
export interface OidcClient {
  readonly idpIssuerUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** PEM. The authorities of the system when absent. */
  readonly ca?: string;
}

/** `user.auth-provider.config` of a provider named `oidc`, decoded. */
export interface OidcConfig extends OidcClient {
  readonly idToken?: string;
  readonly refreshToken?: string;
}

/** The tokens of a refresh, to be stored for the next start. */
export interface RefreshedTokens {
  readonly idToken: string;
  /** The valid refresh token: the new one when the provider has replaced it. */
  readonly refreshToken: string;
}

/** Tokens as stored now. */
export interface StoredTokens {
  readonly idToken?: string | undefined;
  readonly refreshToken?: string | undefined;
}

/** Tokens that several processes share, such as in a file. */
export interface SharedTokens {
  /**
   * Runs `renew` with the stored tokens while no other process does so, and stores its result. Without a result nothing is
   * stored. Rejects as `renew` does. When the tokens cannot be locked or stored, it decides itself whether to reject.
   */
  update(renew: (stored: StoredTokens) => Promise<RefreshedTokens | undefined>): Promise<void>;
}

/** The clock of a process, and where it keeps its tokens. */
export interface OidcContext {
  readonly env: Pick<Env, 'clock'>;
  /** Called after every refresh. Its errors do not prevent the use of the token. */
  readonly persist?: (tokens: RefreshedTokens) => void | Promise<void>;
  /** The storage of the tokens: tokens that another process has refreshed are used, and refreshes take turns. */
  readonly shared?: SharedTokens;
  /** Timeout of a refresh; the entry point has a default. */
  readonly timeoutMs?: number;
}
