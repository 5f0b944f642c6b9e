export type { ClusterAuthenticationInfo } from './access/authentication-data.ts';
export type { AuthenticationSource } from './access/extension-authentication-publisher.ts';
export type { SystemConfigMap } from './access/system-config-map.ts';
export { type Api, type ApiOptions, createApi } from './api.ts';
export { healthRoutes } from './health/routes.ts';
export { versionRoutes } from './info/version.ts';
export type { CallTracing } from './webhooks/webhook-opener.ts';
