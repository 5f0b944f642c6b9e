export type {
  OidcClient,
  OidcConfig,
  OidcContext,
  RefreshedTokens,
  SharedTokens,
  StoredTokens,
} from './config.ts';
export { oidcCredentials } from './oidc-credentials.ts';
