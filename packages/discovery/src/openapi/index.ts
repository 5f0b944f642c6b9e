export { type OpenApiOptions, openApiRoutes } from './routes.ts';
