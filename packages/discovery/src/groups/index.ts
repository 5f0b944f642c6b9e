export { matches, notModified } from './etag.ts';
export {
  type ApiPriority,
  customPriority,
  type DiscoveredResource,
  type DiscoveredSubresource,
  type ExtensionApis,
  type ExtensionState,
  type ExtensionVersion,
} from './extension-apis.ts';
export { discoveryRoutes } from './routes.ts';
export {
  apiServicePriority,
  isCustomGroup,
  ServedGroups,
  type ServedGroupsSource,
  servedSubresources,
} from './served-groups.ts';
