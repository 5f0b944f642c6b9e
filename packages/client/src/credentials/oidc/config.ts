import type { Env } from '@orch/machinery';

/** `user.auth-provider.config` of a provider named `oidc`, decoded. */
export interface OidcConfig {
  readonly idpIssuerUrl: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly idToken?: string;
  readonly refreshToken?: string;
  /** PEM. The authorities of the system when absent. */
  readonly ca?: string;
}

/** The tokens of a refresh, to be stored for the next start. */
export interface RefreshedTokens {
  readonly idToken: string;
  /** The valid refresh token: the new one when the provider has replaced it. */
  readonly refreshToken: string;
}

export interface OidcContext {
  readonly env: Pick<Env, 'clock'>;
  /** Called after every refresh. Its errors do not prevent the use of the token. */
  readonly persist?: (tokens: RefreshedTokens) => void | Promise<void>;
  /** Timeout of a refresh; the entry point has a default. */
  readonly timeoutMs?: number;
}
