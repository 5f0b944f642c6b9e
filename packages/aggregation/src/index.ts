export { type AggregationOptions, Aggregator, type AggregatorOptions } from './aggregator.ts';
export type { CurrentProxyIdentity, ProxyIdentity } from './backend/proxy-identity.ts';
export { keepBuiltInApiServices } from './local/built-in-api-services.ts';
