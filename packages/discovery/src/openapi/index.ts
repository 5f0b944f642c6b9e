export { type ExtensionSchemas, type OpenApiOptions, openApiRoutes } from './routes.ts';
