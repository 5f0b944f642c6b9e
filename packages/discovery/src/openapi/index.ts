export {
  type ExtensionSchemas,
  PublishedDocuments,
  type PublishedDocumentsOptions,
} from './published-documents.ts';
export { type OpenApiOptions, openApiRoutes } from './routes.ts';
