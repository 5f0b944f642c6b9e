import { errors, formatApiVersion } from '@orch/machinery';
import type { ServedApi, ServerContext } from '@orch/registry';
import { parseQuery, type Route } from '@orch/request';

export interface EmptyResourcesOptions {
  readonly context: Pick<ServerContext, 'objects'>;
  readonly served: Pick<ServedApi, 'table'>;
  readonly aggregator: {
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
  /** Namespaced resources without objects in the namespace, by group version. */
  readonly empty: Readonly<Record<string, readonly string[]>>;
  /** Whether every definition and API service can be read: otherwise, resources may be missing in discovery. */
  readonly isComplete: boolean;
}

/**
 * The namespaced resources that have no objects in a namespace (`?namespace=NAME`), by group version. As current as a list: no write that
 * was acknowledged before the request is missing. Resources of extension API servers, of caches that are not loaded, and with objects
 * that cannot be read are not named.
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
  const resources = await loadedResources(options);
  const prefix = `${namespace}/`;
  const empty: Record<string, string[]> = {};
  for (const { type, group, version, cache } of resources) {
    if (!type.namespaced || options.aggregator.servesVersion(group, version)) continue;
    if (cache.count(prefix) > 0 || cache.unreadable({ prefix }).length > 0) continue;
    const apiVersion = formatApiVersion({ group, version });
    empty[apiVersion] = [...(empty[apiVersion] ?? []), type.resource];
  }
  const isComplete = sources.every(([group, resource]) =>
    resources.some(
      ({ type, cache }) =>
        type.group === group && type.resource === resource && cache.unreadable({ prefix: '' }).length === 0,
    ),
  );
  return { empty, isComplete };
}

/** The stored resources whose caches are loaded; resolves when these are as current as the call. */
async function loadedResources({ context, served }: EmptyResourcesOptions) {
  const loaded = served.table.all.flatMap((resource) => {
    const { type, group, version } = resource;
    if (type.virtual === true) return [];
    const cache = context.objects.resource(type.group, type.resource)?.cache;
    const current = cache?.whenMostRecent();
    return cache === undefined || current === undefined ? [] : [{ type, group, version, cache, current }];
  });
  await Promise.all(new Set(loaded.map(({ current }) => current)));
  return loaded;
}
