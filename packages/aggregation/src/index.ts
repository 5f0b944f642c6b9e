export { type AggregationOptions, Aggregator } from './aggregator.ts';
export type { EndpointConnections, OpenConnections } from './backend/backend.ts';
export type { CurrentProxyIdentity } from './backend/proxy-identity.ts';
export { keepBuiltInApiServices } from './local/built-in-api-services.ts';
