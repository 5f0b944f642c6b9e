export { defaultAddressTypes, type NodeAgentOptions, type NodeAgentTrust } from './agent/node-agents.ts';
export { type ConnectOptions, createConnector } from './connector.ts';
export { type AddressUse, isAllowedAddress, isHostName } from './dial/addresses.ts';
export {
  type AcceptsAddress,
  checkedLookup,
  type Destination,
  type OpenTcp,
  type ResolveName,
  reasonOf,
} from './dial/dial.ts';
export { type ConnectLimits, defaultConnectLimits } from './dial/limits.ts';
export {
  type EndpointAddress,
  externalNameOf,
  hasSelector,
  type ServicePort,
  serviceAddress,
  serviceEndpoints,
} from './proxy/workloads.ts';
export {
  type BackendAnswer,
  BackendFailure,
  type BackendRequest,
  type Fields,
  MAX_HEAD_BYTES,
  upload,
  written,
} from './relay/backend.ts';
export { BackendDialer } from './relay/backend-dialer.ts';
export { brokenOff } from './relay/body-pieces.ts';
export {
  checkTarget,
  Forwarding,
  type IdentityFields,
  isTunnelledProtocol,
  type TraceHeaders,
} from './relay/forwarded.ts';
export { proxiedFields, upgradeFields } from './relay/proxied-answer.ts';
export { proxiedReply } from './relay/proxied-body.ts';
