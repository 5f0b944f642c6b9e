export type { OidcConfig, OidcContext, RefreshedTokens } from './config.ts';
export { oidcCredentials } from './oidc-credentials.ts';
