export type { ServerAddress } from './documents.ts';
export { type TaggedDocument, tagged, taggedReply } from './etag.ts';
export { type Discovery, type DiscoveryOptions, discoveryRoutes } from './routes.ts';
export { servedSubresources } from './served-groups.ts';
