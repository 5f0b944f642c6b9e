import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Release } from '@orch/apis';
import type { Naming } from '@orch/machinery';
import type { Answered, RequestParts } from '@orch/registry/testing';
import { type ApiFixture, openWithRbac } from '@orch/server/testing';
import { type ServedKind, servedKinds } from '../lifecycle/served-kinds.ts';

/** Both namings, and releases that together have every resource. */
const servers: readonly (readonly [naming: Naming, release: Release])[] = [
  ['orch', '1.27'],
  ['kubernetes', '1.16'],
];

/** The namespace in which the tenant may do everything; outside of it no role is bound to it. */
const OWN = 'own';
const FOREIGN = 'foreign';
const CANARY = 'canary-of-others';

const admin = { 'x-user': 'root', 'x-groups': 'system:masters' };
const tenant = { 'x-user': 'tenant' };

/** A cluster with objects of other users, and a tenant with all permissions in one namespace and none elsewhere. */
async function openCluster(naming: Naming, release: Release): Promise<ApiFixture> {
  const api = await openWithRbac({ naming, release, isEnabled: () => true });
  const group = api.names.group('rbac');
  const roles = `/apis/${group}/v1`;
  const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*', '*/*'] };
  for (const [path, object] of [
    ['/api/v1/namespaces', { metadata: { name: OWN } }],
    ['/api/v1/namespaces', { metadata: { name: FOREIGN, labels: { hidden: CANARY } } }],
    [`/api/v1/namespaces/${FOREIGN}/secrets`, { metadata: { name: FOREIGN }, stringData: { a: CANARY } }],
    [`/api/v1/namespaces/${OWN}/secrets`, { metadata: { name: OWN }, stringData: { a: CANARY } }],
    ['/api/v1/nodes', { metadata: { name: FOREIGN, labels: { hidden: CANARY } } }],
    [`${roles}/clusterroles`, { metadata: { name: FOREIGN, labels: { hidden: CANARY } }, rules: [] }],
    [`${roles}/clusterroles`, { metadata: { name: 'everything' }, rules: [everything] }],
    [
      `${roles}/namespaces/${OWN}/rolebindings`,
      {
        metadata: { name: 'tenant' },
        roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'everything' },
        subjects: [{ kind: 'User', apiGroup: group, name: 'tenant' }],
      },
    ],
  ] as const) {
    const answer = await api.post(path, object, { headers: admin });
    assert.equal(answer.status, 201, answer.text);
  }
  await api.settled();
  return api;
}

const rootOf = ({ group, version, apiVersion }: ServedKind): string =>
  group === '' ? `/api/${version}` : `/apis/${apiVersion}`;

/** Below every object: the subresources of its resource, and those of others. */
const subresourcesOf = (served: ServedKind): readonly string[] => [
  ...new Set([
    ...served.subresources.map(({ name }) => name),
    'status',
    'finalize',
    'scale',
    'proxy',
    'token',
  ]),
];

/** Names that there are objects of, in some namespace or in none. */
const objectNames = [OWN, FOREIGN];

const belowNames = (collection: string, served: ServedKind): readonly string[] =>
  objectNames.flatMap((name) => [
    `${collection}/${name}`,
    ...subresourcesOf(served).map((subresource) => `${collection}/${name}/${subresource}`),
    `${collection}/${name}/proxy/metrics`,
  ]);

/** All paths in which a resource is in the wrong scope. */
function wrongPaths(served: ServedKind): readonly string[] {
  const root = rootOf(served);
  return [root, `${root}/watch`].flatMap((prefix) => {
    if (served.namespaced) return belowNames(`${prefix}/${served.resource}`, served);
    const collection = `${prefix}/namespaces/${OWN}/${served.resource}`;
    return [collection, ...belowNames(collection, served)];
  });
}

const json = 'application/json';
const requests: readonly (readonly [method: string, query: string, contentType?: string])[] = [
  ['GET', ''],
  ['GET', '?watch=1&timeoutSeconds=1'],
  ['GET', '?resourceVersion=0'],
  ['GET', `?fieldSelector=metadata.name=${FOREIGN}`],
  ['HEAD', ''],
  ['POST', '', json],
  ['PUT', '', json],
  ['PATCH', '', 'application/merge-patch+json'],
  ['PATCH', '?fieldManager=m&force=true', 'application/apply-patch+yaml'],
  ['DELETE', ''],
  ['OPTIONS', ''],
];

interface Attempt {
  readonly line: string;
  readonly method: string;
  readonly path: string;
  readonly send: (headers: RequestParts['headers']) => Promise<Answered>;
}

/** Requests to each path. Their number and that of all requests have no common factor: in turn, every request meets paths of every form. */
const REQUESTS_OF_PATH = 3;

/** Requests to all paths in which a resource is in the wrong scope; `turn` selects those of the first path. */
function* attempts(api: ApiFixture, served: ServedKind, turn: number): Generator<Attempt> {
  for (const [i, path] of wrongPaths(served).entries()) {
    const first = (turn + i * REQUESTS_OF_PATH) % requests.length;
    for (const [method, query, contentType] of [...requests, ...requests].slice(
      first,
      first + REQUESTS_OF_PATH,
    )) {
      const target = path + query;
      const name = path.endsWith(OWN) ? OWN : FOREIGN;
      const body = { apiVersion: served.apiVersion, kind: served.kind, metadata: { name } };
      yield {
        line: `${method} ${target} as ${contentType ?? 'nothing'}`,
        method,
        path,
        send: (headers = {}) =>
          api.send(method, target, { headers, ...(contentType === undefined ? {} : { body, contentType }) }),
      };
    }
  }
}

const revisionOf = (api: ApiFixture): Promise<number> =>
  api.model.currentRevision(new AbortController().signal);

const isWatchPath = (path: string): boolean => /^\/(api\/[^/]+|apis\/[^/]+\/[^/]+)\/watch\//.test(path);

/** Watch paths change nothing, and OPTIONS is for proxied requests. */
const expectedCode = ({ method, path }: Attempt): number =>
  (isWatchPath(path) && method !== 'GET') || (method === 'OPTIONS' && !/\/proxy(\/|$)/.test(path))
    ? 405
    : 404;

function assertNothingServed(answer: Answered, { line }: Attempt, allowed: readonly number[]): void {
  assert.ok(allowed.includes(answer.status), `${line}: ${answer.status} ${answer.text}`);
  assert.ok(!answer.text.includes(CANARY), `${line}: ${answer.text}`);
  if (answer.status === 404) {
    assert.match(answer.text, /could not find the requested resource|404 page not found/, line);
  }
}

/** Other spellings of paths to a namespace below a namespace. */
const spellings: readonly (readonly [path: string, code: number])[] = [
  [`/api/v1/namespaces/${OWN}/%6eamespaces/${FOREIGN}`, 404],
  [`/api/v1/%6eamespaces/${OWN}/namespaces/${FOREIGN}`, 404],
  [`/api/v1/namespaces/${OWN}/namespaces/%66oreign`, 404],
  [`/api/v1/namespaces/${OWN}%2fnamespaces%2f${FOREIGN}`, 400],
  [`/api/v1/namespaces/${OWN}%2Fnamespaces/${FOREIGN}`, 400],
  [`/api/v1/namespaces%2f${OWN}/namespaces/${FOREIGN}`, 400],
  [`/api/v1/namespaces/${OWN}/namespaces%2f${FOREIGN}`, 400],
  [`/api/v1/namespaces/${OWN}/../${FOREIGN}`, 400],
  [`/api/v1/namespaces/${OWN}/%2e%2e/${FOREIGN}`, 400],
  [`/api/v1/namespaces/${OWN}//namespaces/${FOREIGN}`, 404],
  [`/api/v1/namespaces/${OWN}/namespaces//${FOREIGN}`, 404],
  [`/api/v1/namespaces//${FOREIGN}`, 404],
  [`/api/v1//namespaces/${FOREIGN}`, 404],
  [`/api/v1/namespaces/${OWN}/namespaces/${FOREIGN}/`, 404],
  [`/api/v1/namespaces/${OWN}/namespaces/${OWN}/namespaces/${FOREIGN}`, 404],
  [`/api/v1/namespaces/${OWN}/namespaces/${FOREIGN}/secrets`, 404],
  [`/api/v1/namespaces/${OWN}/namespaces/${FOREIGN}/secrets/${FOREIGN}`, 404],
  [`/api/v1/watch/watch/namespaces/${OWN}/namespaces/${FOREIGN}`, 404],
  [`/api/v1/namespaces/${OWN}/watch/namespaces/${FOREIGN}`, 404],
  [`/api/v1/%77atch/namespaces/${OWN}/namespaces/${FOREIGN}`, 404],
  [`//api/v1/namespaces/${OWN}/namespaces/${FOREIGN}`, 404],
  [`/%61pi/v1/namespaces/${OWN}/namespaces/${FOREIGN}`, 404],
];

for (const [naming, release] of servers) {
  describe(`paths in the wrong scope, release ${release} with ${naming} names`, () => {
    let api: ApiFixture;
    before(async () => {
      api = await openCluster(naming, release);
    });
    after(() => api[Symbol.asyncDispose]());

    it('paths in the wrong scope are answered with 404 for an administrator and 403 or 404 for the tenant of a namespace', async () => {
      const all = await servedKinds({ get: (path) => api.get(path, { headers: admin }) }, release);
      assert.ok(all.some(({ namespaced, storageVersionHash }) => !namespaced && !storageVersionHash));
      assert.ok(all.some(({ namespaced, storageVersionHash }) => namespaced && !storageVersionHash));
      const before = await revisionOf(api);
      let tried = 0;
      for (const [turn, served] of all.entries()) {
        for (const attempt of attempts(api, served, turn)) {
          tried++;
          const code = expectedCode(attempt);
          assertNothingServed(await attempt.send(admin), attempt, [code]);
          assertNothingServed(await attempt.send(tenant), attempt, [403, code]);
        }
      }
      assert.ok(tried > 5000, `${tried} requests`);
      assert.equal(await revisionOf(api), before, 'nothing was written');
    });

    it('paths in the wrong scope serve no resource in any other spelling', async () => {
      const before = await revisionOf(api);
      for (const [path, code] of spellings) {
        for (const [method, query, contentType] of requests) {
          const body = contentType === undefined ? {} : { body: {}, contentType };
          const line = `${method} ${path}${query}`;
          for (const headers of [admin, tenant]) {
            const answer = await api.send(method, path + query, { headers, ...body });
            const allowed = headers === admin ? [code] : [403, code];
            // Watch paths, and paths outside of the API, take no other method, wherever they lead.
            if (/^\/(api\/v1\/watch|%61pi)\//.test(path) && method !== 'GET') allowed.push(405);
            if (method === 'OPTIONS') allowed.push(405);
            assert.ok(allowed.includes(answer.status), `${line}: ${answer.status} ${answer.text}`);
            assert.ok(!answer.text.includes(CANARY), line);
          }
        }
      }
      assert.equal(await revisionOf(api), before, 'nothing was written');
    });

    it('writes to a collection over all namespaces are answered with 405, or 404 for resources without list', async () => {
      const all = await servedKinds({ get: (path) => api.get(path, { headers: admin }) }, release);
      const before = await revisionOf(api);
      for (const served of all.filter(({ namespaced }) => namespaced)) {
        const path = `${rootOf(served)}/${served.resource}`;
        const code = served.verbs.includes('list') ? 405 : 404;
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
          const answer = await api.send(method, path, { headers: admin, body: {} });
          assert.equal(answer.status, code, `${method} ${path}: ${answer.text}`);
          const refused = await api.send(method, path, { headers: tenant, body: {} });
          assert.equal(refused.status, 403, `${method} ${path}: ${refused.text}`);
        }
      }
      assert.equal(await revisionOf(api), before, 'nothing was written');
    });

    it('paths to a namespace itself, which a role in the namespace covers, are distinguished from paths in the wrong scope', async () => {
      const own = `/api/v1/namespaces/${OWN}`;
      for (const path of [own, `${own}/status`, `${own}/secrets/${OWN}`, `${own}/secrets`]) {
        assert.equal((await api.get(path, { headers: tenant })).status, 200, path);
      }
      for (const path of [
        `${own}?watch=1`,
        `/api/v1/watch/namespaces/${OWN}`,
        `/api/v1/watch${own.slice(7)}/secrets`,
      ]) {
        const watching = await api.watch(path, { headers: tenant });
        assert.equal(watching.status, 200, path);
        await watching.until(1);
        watching.stop();
        await watching.ended.catch(() => {});
        const names = watching.events.map(({ object }) => object.metadata.name);
        assert.deepEqual(names, [OWN], path);
      }
      for (const path of [
        '/api/v1/namespaces',
        `/api/v1/namespaces/${FOREIGN}`,
        `/api/v1/watch/namespaces/${FOREIGN}`,
      ]) {
        assert.equal((await api.get(path, { headers: tenant })).status, 403, path);
      }
      const labels = { metadata: { labels: { mine: 'yes' } } };
      assert.equal((await api.patch(own, labels, 'merge', { headers: tenant })).status, 200);
      assert.equal((await api.delete(own, undefined, { headers: tenant })).status, 200);
    });
  });
}
