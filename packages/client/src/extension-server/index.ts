export { DelegatedAuthorizer, type ResourceAccess } from './delegated-authorizer.ts';
export type { ExtensionApi, ExtensionCall, ExtensionResource } from './extension-api.ts';
export { ExtensionServer, type ExtensionServerOptions } from './extension-server.ts';
export { type ProxiedUser, type ProxyTrust, proxiedUser, proxyTrust } from './proxied-user.ts';
