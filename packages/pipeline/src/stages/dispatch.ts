import { errors } from '@orch/machinery';
import {
  type Authorized,
  type BytesReply,
  type Handler,
  type NonResourceRequest,
  pageNotFound,
  type RequestInfo,
  type ResourceContext,
  type ResourceRequest,
  type Route,
} from '@orch/request';

/** Non-resource paths, by exact path, then by the longest prefix. */
export interface RouteTable {
  find(path: string): Route | undefined;
  /** Reports whether the path has a route itself, not only as part of a subtree. */
  isExact(path: string): boolean;
  /** All paths that can be read, sorted: the body of `/` and of a 404. */
  readonly paths: readonly string[];
}

/** Builds the table; throws `TypeError` when a path is declared twice. */
export function routeTable(routes: readonly Route[]): RouteTable {
  const exact = new Map<string, Route>();
  for (const route of routes) {
    if (exact.has(route.path)) throw new TypeError(`route ${route.path} is declared twice`);
    exact.set(route.path, route);
    if (route.orSlash === true) exact.set(`${route.path}/`, route);
  }
  const below = routes.filter((route) => route.below === true).sort((a, b) => b.path.length - a.path.length);
  return {
    find: (path) => exact.get(path) ?? below.find((route) => path.startsWith(`${route.path}/`)),
    isExact: (path) => exact.has(path),
    paths: routes.flatMap(({ path, verbs = reads }) => (verbs.includes('get') ? [path] : [])).sort(),
  };
}

/** The end of the pipeline: resource requests go to the registry, every other path to its route. */
export function dispatch(options: {
  readonly resources: Handler<ResourceContext>;
  readonly routes: RouteTable;
  /** Additional paths for `/` and the 404: those of the API groups. */
  readonly apiPaths: () => readonly string[];
}): Handler<Authorized> {
  const { resources, routes } = options;
  return (context) => {
    if (isResourceContext(context)) return resources(context);
    const info = context.info as NonResourceRequest;
    const route = routes.find(info.path);
    if (route === undefined && info.path !== '/') return notFound(info.path, routes, options.apiPaths);
    if (!(route?.verbs ?? reads).includes(info.verb)) throw errors.methodNotAllowed(info.verb.toUpperCase());
    return route === undefined ? pathList(200, routes, options.apiPaths) : route.handle(context);
  };
}

const reads: readonly string[] = ['get', 'head'];

const isResourceContext = (context: Authorized): context is ResourceContext => context.info.isResource;

function notFound(path: string, routes: RouteTable, apiPaths: () => readonly string[]): BytesReply {
  return path.startsWith('/api/') || path.startsWith('/apis/')
    ? pageNotFound
    : pathList(404, routes, apiPaths);
}

function pathList(status: number, routes: RouteTable, apiPaths: () => readonly string[]): BytesReply {
  const paths = [...new Set([...routes.paths, ...apiPaths()])].sort();
  return {
    kind: 'bytes',
    status,
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.from(`${JSON.stringify({ paths }, undefined, 2)}\n`),
  };
}

/** Reports whether a request is for a served resource or route, which may have separate metric series. */
export const servedBy =
  (routes: RouteTable, servesResource: (info: ResourceRequest) => boolean) =>
  (info: RequestInfo): boolean =>
    info.isResource ? servesResource(info) : routes.isExact(info.path);
