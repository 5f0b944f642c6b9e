export type { OidcClient } from '../config.ts';
export { idTokenExpiry } from '../id-token.ts';
export { discoverProvider, type OidcProvider } from '../provider.ts';
export { refreshTokens } from '../refresh-tokens.ts';
export {
  type AuthorizationRequest,
  authorizationRequest,
  exchangeCode,
  type RedirectResult,
  redirectResult,
} from './authorization-code.ts';
export { type DeviceLogin, startDeviceLogin, waitForDevice } from './device-code.ts';
export type { LoginContext, LoginTokens } from './login-tokens.ts';
export { revokeToken } from './revoke-token.ts';
