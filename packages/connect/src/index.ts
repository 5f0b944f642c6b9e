export type { LogStreams } from './agent/log-streams.ts';
export { defaultAddressTypes, type NodeAgentOptions, type NodeAgentTrust } from './agent/node-agents.ts';
export { type ConnectOptions, createConnector } from './connector.ts';
export { type EndpointAddress, type ServicePort, serviceEndpoints } from './proxy/service-endpoints.ts';
export { externalNameOf, hasSelector, serviceAddress } from './proxy/workloads.ts';
export { BackendDialer } from './relay/backend-dialer.ts';
export {
  checkTarget,
  Forwarding,
  type IdentityFields,
  isTunnelledProtocol,
  type TraceHeaders,
} from './relay/forwarded.ts';
export { defaultConnectLimits } from './relay/limits.ts';
export { proxiedFields, upgradeFields } from './relay/proxied-answer.ts';
export { proxiedReply } from './relay/proxied-body.ts';
