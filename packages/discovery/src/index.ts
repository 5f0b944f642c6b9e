export {
  type ApiPriority,
  apiServicePriority,
  customPriority,
  type DiscoveredResource,
  type DiscoveredSubresource,
  discoveryRoutes,
  type ExtensionApis,
  type ExtensionState,
  type ExtensionVersion,
  isCustomGroup,
  ServedGroups,
  type ServedGroupsSource,
} from './groups/index.ts';
export { type ExtensionSchemas, openApiRoutes, PublishedDocuments } from './openapi/index.ts';
