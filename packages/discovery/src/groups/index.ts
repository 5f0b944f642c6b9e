export type { ServerAddress } from './documents.ts';
export { matches, notModified, type TaggedDocument, tagged, taggedReply } from './etag.ts';
export {
  type ApiPriority,
  customPriority,
  type DiscoveredResource,
  type DiscoveredSubresource,
  type ExtensionApis,
  type ExtensionState,
  type ExtensionVersion,
} from './extension-apis.ts';
export { type Discovery, type DiscoveryOptions, discoveryRoutes } from './routes.ts';
export { isCustomGroup, ServedGroups, type ServedGroupsSource, servedSubresources } from './served-groups.ts';
