import { errors, formatApiVersion } from '@orch/machinery';
import type { ServedApi, ServerContext } from '@orch/registry';
import { parseQuery, type Route } from '@orch/request';

export interface EmptyResourcesOptions {
  readonly context: Pick<ServerContext, 'objects'>;
  readonly served: Pick<ServedApi, 'table'>;
  readonly aggregator: {
    /** Whether an API service names an extension API server. */
    readonly hasExtensions: boolean;
    /** Reports whether an extension API server has a group version. */
    servesVersion(group: string, version: string): boolean;
  };
}

/** The path at which `namespace` asks; its default role grants it. */
const PATH = '/empty-resources';

/** The resources whose objects make others served, by the key of their group. */
const sources = [
  ['apiextensions', 'customresourcedefinitions'],
  ['apiregistration', 'apiservices'],
] as const;

/** What the server knows about a namespace, as of a moment after the request began. */
interface EmptyResources {
  /** Whether the namespace certainly has no objects: extension API servers, whose objects are unknown, do not exist either. */
  readonly isEmpty: boolean;
  /** Namespaced resources without objects in the namespace, by group version; none if it is empty. */
  readonly empty: Readonly<Record<string, readonly string[]>>;
  /** Whether every definition and API service can be read: otherwise, resources may be missing in discovery. */
  readonly isComplete: boolean;
}

/**
 * The namespaced resources that have no objects in a namespace (`?namespace=NAME`), by group version. As current as a list: no write that
 * was acknowledged before the request is missing. Resources of extension API servers, of caches that are not loaded, and with objects
 * that cannot be read are not named. A namespace without any objects is empty.
 */
export const emptyResourcesRoute = (options: EmptyResourcesOptions): Route => ({
  path: PATH,
  async handle({ request }) {
    const namespace = parseQuery(request.rawQuery).get('namespace') ?? '';
    if (namespace === '' || namespace.includes('/'))
      throw errors.badRequest('the parameter "namespace" must be the name of a namespace');
    const answer = { kind: 'EmptyResources', namespace, ...(await emptyResources(options, namespace)) };
    return {
      kind: 'bytes',
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.from(`${JSON.stringify(answer)}\n`),
    };
  },
});

async function emptyResources(options: EmptyResourcesOptions, namespace: string): Promise<EmptyResources> {
  const { aggregator } = options;
  const resources = await loadedResources(options);
  const isComplete = sources.every(([group, resource]) =>
    resources.some(
      ({ type, cache }) => type.group === group && type.resource === resource && isReadable(cache),
    ),
  );
  const namespaced = resources.filter(({ type }) => type.namespaced);
  const prefix = `${namespace}/`;
  const without = namespaced.filter(
    ({ cache }) =>
      cache !== undefined && cache.count(prefix) === 0 && cache.unreadable({ prefix }).length === 0,
  );
  if (isComplete && !aggregator.hasExtensions && without.length === namespaced.length)
    return { isEmpty: true, empty: {}, isComplete };
  const empty: Record<string, string[]> = {};
  for (const { type, group, version } of without) {
    if (aggregator.servesVersion(group, version)) continue;
    const apiVersion = formatApiVersion({ group, version });
    empty[apiVersion] = [...(empty[apiVersion] ?? []), type.resource];
  }
  return { isEmpty: false, empty, isComplete };
}

type Cache = NonNullable<ReturnType<EmptyResourcesOptions['context']['objects']['resource']>>['cache'];

const isReadable = (cache: Cache | undefined): boolean =>
  cache !== undefined && cache.unreadable({ prefix: '' }).length === 0;

/** The stored resources, with their caches if these are loaded; resolves when they are as current as the call. */
async function loadedResources({ context, served }: EmptyResourcesOptions) {
  const currents = new Set<Promise<unknown>>();
  const stored = served.table.all.flatMap(({ type, group, version }) => {
    if (type.virtual === true) return [];
    const cache = context.objects.resource(type.group, type.resource)?.cache;
    const current = cache?.whenMostRecent();
    if (current !== undefined) currents.add(current);
    return [{ type, group, version, cache: current === undefined ? undefined : cache }];
  });
  await Promise.all(currents);
  return stored;
}
