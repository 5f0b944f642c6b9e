export type { ExecCluster, ExecConfig, ExecContext, InteractiveMode } from './config.ts';
export { execCredentials } from './exec-credentials.ts';
export type { PluginPolicy } from './plugin-policy.ts';
