import type { Resource, TransportRequest, TransportResponse } from '@orch/client';
import { type TestClient, testClient } from '@orch/client/testing';
import { type ApiObject, errors, formatApiVersion } from '@orch/machinery';

/** A resource that the model tells of; its verbs are those that most have when absent. */
export interface Told extends Resource {
  readonly verbs?: readonly string[];
}

export const told = (resource: string, kind: string, rest: Partial<Told> = {}): Told => ({
  group: '',
  version: 'v1',
  resource,
  kind,
  namespaced: true,
  ...rest,
});

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** A failure of requests: `DELETE /api/v1/namespaces/x/secrets`, or all of a path's when no method stands before it. */
export type Failures = Map<string, number>;

/** A model server that has discovery, whose resources and failures tests change as they like. */
export interface DiscoveredApi extends TestClient {
  readonly resources: Set<Told>;
  readonly failures: Failures;
  /** Called before a request is carried out. */
  onRequest: ((request: TransportRequest) => void) | undefined;
}

export function discoveredApi(first: readonly Told[]): DiscoveredApi {
  const resources = new Set(first);
  const failures: Failures = new Map();
  const world: DiscoveredApi = {
    ...testClient({ between: (request, _signal, send) => between(world, request, send) }),
    resources,
    failures,
    onRequest: undefined,
  };
  return world;
}

async function between(
  world: DiscoveredApi,
  request: TransportRequest,
  send: () => Promise<TransportResponse>,
): Promise<TransportResponse> {
  const { resources, failures, onRequest } = world;
  const [path = ''] = request.target.split('?', 1);
  onRequest?.(request);
  const code = failures.get(`${request.method} ${path}`) ?? failures.get(path);
  if (code !== undefined) return json(code, errors.plain(code, `no luck with ${path}`).status);
  const document = discoveryDocument(path, resources);
  if (document !== undefined) return json(200, document);
  const resource = [...resources].find((each) => isUnder(path, each));
  if (resource === undefined) return json(404, errors.resourceNotFound().status);
  return path.endsWith('/finalize') ? json(200, finalized(world, path, request)) : await send();
}

/** `finalize` writes the object, as far as the model goes. */
function finalized({ api }: DiscoveredApi, path: string, request: TransportRequest): object {
  const [name = ''] = path.split('/').slice(-2);
  const body = JSON.parse(Buffer.from(request.body ?? []).toString()) as ApiObject;
  return api.objects.update({ collection: '/namespaces', namespace: '', name }, body);
}

const groupPath = ({ group, version }: Resource): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

function isUnder(path: string, resource: Told): boolean {
  const prefix = groupPath(resource);
  const rest = path.slice(prefix.length).split('/').slice(1);
  if (!path.startsWith(`${prefix}/`)) return false;
  return rest[0] === resource.resource || (rest[0] === 'namespaces' && rest[2] === resource.resource);
}

function discoveryDocument(path: string, resources: Iterable<Told>): object | undefined {
  const all = [...resources];
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (path === '/apis') {
    const groups = new Map(all.filter(({ group }) => group !== '').map((each) => [each.group, each.version]));
    return {
      kind: 'APIGroupList',
      groups: [...groups].map(([name, version]) => {
        const preferredVersion = { groupVersion: `${name}/${version}`, version };
        return { name, versions: [preferredVersion], preferredVersion };
      }),
    };
  }
  const own = all.filter((each) => groupPath(each) === path);
  if (own.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    groupVersion: formatApiVersion(own[0] as Told),
    resources: own.map(({ resource, kind, namespaced, verbs: said }) => ({
      name: resource,
      kind,
      namespaced,
      verbs: said ?? verbs,
    })),
  };
}

function json(status: number, value: object): TransportResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(value));
  }
  return { status, headers: { 'content-type': 'application/json' }, body: body() };
}
