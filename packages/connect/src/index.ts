export { defaultAddressTypes, type NodeAgentOptions } from './agent/node-agents.ts';
export { type ConnectOptions, createConnector } from './connector.ts';
export { type ConnectLimits, defaultConnectLimits } from './dial/limits.ts';
export { type ServicePort, serviceAddress } from './proxy/workloads.ts';
export type { IdentityFields } from './relay/forwarded.ts';
