export { type ConnectOptions, type Connector, createConnector } from './connector.ts';
export type { CoreObjects, CoreResource } from './core-objects.ts';
export type { IdentityFields } from './forwarded.ts';
export { type ConnectLimits, defaultConnectLimits } from './limits.ts';
export { defaultAddressTypes, type NodeAgentOptions } from './node-agents.ts';
