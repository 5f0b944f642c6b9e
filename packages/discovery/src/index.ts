export {
  discoveryRoutes,
  groupPriority,
  isCustomGroup,
  ServedGroups,
  type ServedGroupsSource,
  versionPriority,
} from './groups/index.ts';
export { openApiRoutes } from './openapi/index.ts';
