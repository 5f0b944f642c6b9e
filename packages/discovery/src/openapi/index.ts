export { type ExtensionSchemas, PublishedDocuments } from './published-documents.ts';
export { openApiRoutes } from './routes.ts';
