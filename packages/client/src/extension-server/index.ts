export { bearerToken, DelegatedAuthenticator } from './delegated-authenticator.ts';
export { DelegatedAuthorizer, type ResourceAccess } from './delegated-authorizer.ts';
export type { Column, ExtensionApi, ExtensionCall, ExtensionResource } from './extension-api.ts';
export { ExtensionServer, type ExtensionServerOptions } from './extension-server.ts';
export { proxiedUser, type VerifiedConnection } from './proxied-user.ts';
export {
  type FollowedTrust,
  type FollowOptions,
  followProxyTrust,
  type ProxyTrust,
  proxyTrust,
} from './proxy-trust.ts';
export type { RequestUser } from './request-user.ts';
export { type RunExtensionServerOptions, runExtensionServer } from './run-extension-server.ts';
