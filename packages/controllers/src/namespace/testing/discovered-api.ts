import type { Resource, TransportRequest, TransportResponse } from '@orch/client';
import { type TestClient, testClient } from '@orch/client/testing';
import { type ApiObject, errors, formatApiVersion } from '@orch/machinery';

/** A resource that the model server serves; with the usual verbs when `verbs` is absent. */
export interface ServedResource extends Resource {
  readonly verbs?: readonly string[];
}

export const served = (
  resource: string,
  kind: string,
  rest: Partial<ServedResource> = {},
): ServedResource => ({
  group: '',
  version: 'v1',
  resource,
  kind,
  namespaced: true,
  ...rest,
});

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** Status codes of failing requests: `DELETE /api/v1/namespaces/x/secrets`, or a path alone for all its methods. */
export type Failures = Map<string, number>;

/** A model server with discovery, whose resources and failures tests can change. */
export interface DiscoveredApi extends TestClient {
  readonly resources: Set<ServedResource>;
  readonly failures: Failures;
  /** Called before a request is processed. */
  onRequest: ((request: TransportRequest) => void) | undefined;
  /** The answer about resources without objects; the server does not have the path without one. */
  known: object | undefined;
}

export function discoveredApi(first: readonly ServedResource[]): DiscoveredApi {
  const resources = new Set(first);
  const failures: Failures = new Map();
  const discovered: DiscoveredApi = {
    ...testClient({ between: (request, _signal, send) => between(discovered, request, send) }),
    resources,
    failures,
    onRequest: undefined,
    known: undefined,
  };
  return discovered;
}

async function between(
  discovered: DiscoveredApi,
  request: TransportRequest,
  send: () => Promise<TransportResponse>,
): Promise<TransportResponse> {
  const { resources, failures, onRequest, known } = discovered;
  const [path = ''] = request.target.split('?', 1);
  onRequest?.(request);
  const code = failures.get(`${request.method} ${path}`) ?? failures.get(path);
  if (code !== undefined) return json(code, errors.plain(code, `injected failure of ${path}`).status);
  if (path === '/empty-resources' && known !== undefined) return json(200, known);
  const document = discoveryDocument(path, resources);
  if (document !== undefined) return json(200, document);
  const resource = [...resources].find((each) => isUnder(path, each));
  if (resource === undefined) return json(404, errors.resourceNotFound().status);
  return path.endsWith('/finalize') ? json(200, finalized(discovered, path, request)) : await send();
}

/** `finalize` replaces the object; the model does no more than that. */
function finalized({ api }: DiscoveredApi, path: string, request: TransportRequest): object {
  const [name = ''] = path.split('/').slice(-2);
  const body = JSON.parse(Buffer.from(request.body ?? []).toString()) as ApiObject;
  return api.objects.update({ collection: '/namespaces', namespace: '', name }, body);
}

const groupPath = ({ group, version }: Resource): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

function isUnder(path: string, resource: ServedResource): boolean {
  const prefix = groupPath(resource);
  const rest = path.slice(prefix.length).split('/').slice(1);
  if (!path.startsWith(`${prefix}/`)) return false;
  return rest[0] === resource.resource || (rest[0] === 'namespaces' && rest[2] === resource.resource);
}

function discoveryDocument(path: string, resources: Iterable<ServedResource>): object | undefined {
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
    groupVersion: formatApiVersion(own[0] as ServedResource),
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
