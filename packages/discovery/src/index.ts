export {
  discoveryRoutes,
  groupPriority,
  type ServedGroupsSource,
  servedGroups,
  versionPriority,
} from './groups/index.ts';
export { openApiRoutes } from './openapi/index.ts';
