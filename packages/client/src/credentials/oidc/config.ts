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

/** What a refresh has brought, to be kept for the next start. */
export interface RefreshedTokens {
  readonly idToken: string;
  /** The one that counts from now on: the new one when the provider has replaced it. */
  readonly refreshToken: string;
}

export interface OidcContext {
  readonly env: Pick<Env, 'clock'>;
  /** Called after every refresh. What it throws does not keep the token from being used. */
  readonly persist?: (tokens: RefreshedTokens) => void | Promise<void>;
  /** Longest time that a refresh takes; the entry point has a default. */
  readonly timeoutMs?: number;
}
