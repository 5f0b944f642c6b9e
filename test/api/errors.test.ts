import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiClient, type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';
import {
  cms,
  configMap,
  create,
  expectCode,
  ns,
  podObject,
  pods,
  type StatusBody,
  words,
} from './fixture.ts';

const { coordination, meta, systemNamespace } = words.kubernetes;
const leases = `/apis/${coordination}/v1/namespaces/default/leases`;
const patchOf = (kind: string) => ({ contentType: `application/${kind}-patch+json` });

/** `status-reasons.json` of the facts, observed on the reference release: what the answer to each situation holds. */
type Row = readonly [
  situation: string,
  sendRequest: (api: ApiClient) => Promise<ApiResponse>,
  code: number,
  reason: string | undefined,
  /** `group/kind/name` of the details, as far as they are there. */
  details: string,
  causes?: readonly string[],
];

const got = (path: string, accept?: string) => (api: ApiClient) =>
  api.get(path, accept === undefined ? {} : { headers: { accept } });
const posted = (path: string, body: object | string, contentType?: string) => (api: ApiClient) =>
  api.post(path, body, contentType === undefined ? {} : { contentType });
const put = (path: string, body: object) => (api: ApiClient) => api.put(path, body);
const patched =
  (path: string, body: unknown, kind = 'merge') =>
  (api: ApiClient) =>
    api.send('PATCH', path, { body: JSON.stringify(body), ...patchOf(kind) });
const deleted = (path: string, body?: object) => (api: ApiClient) =>
  api.send('DELETE', path, body === undefined ? {} : { body });

const options = `${meta}/ListOptions/`;
const a = `${cms}/a`;

const rows: readonly Row[] = [
  ['get missing object', got(`${cms}/none`), 404, 'NotFound', '/configmaps/none'],
  ['create duplicate', posted(cms, configMap('a')), 409, 'AlreadyExists', '/configmaps/a'],
  [
    'create in missing namespace',
    posted('/api/v1/namespaces/none/configmaps', configMap('x')),
    404,
    'NotFound',
    '/namespaces/none',
  ],
  [
    'namespace mismatch body/url',
    posted(cms, configMap('x', {}, { namespace: 'other' })),
    400,
    'BadRequest',
    '',
  ],
  ['name mismatch on PUT', put(a, configMap('b')), 400, 'BadRequest', ''],
  [
    'stale resourceVersion PUT',
    put(a, configMap('a', {}, { resourceVersion: '1' })),
    409,
    'Conflict',
    '/configmaps/a',
  ],
  ['uid mismatch PUT', put(a, configMap('a', {}, { uid: 'x' })), 409, 'Conflict', '/configmaps/a'],
  ['PUT missing object', put(`${cms}/none`, configMap('none')), 404, 'NotFound', '/configmaps/none'],
  [
    'create with resourceVersion',
    posted(cms, configMap('x', {}, { resourceVersion: '1' })),
    400,
    'BadRequest',
    '',
  ],
  [
    'create without name',
    posted(cms, { metadata: {} }),
    422,
    'Invalid',
    '/ConfigMap/',
    ['FieldValueRequired'],
  ],
  ['invalid name', posted(cms, configMap('A_b')), 422, 'Invalid', '/ConfigMap/A_b', ['FieldValueInvalid']],
  ['malformed json', posted(cms, '{"kind":'), 400, 'BadRequest', ''],
  ['empty body POST', posted(cms, ''), 400, 'BadRequest', ''],
  ['wrong kind in body', posted(cms, { ...configMap('x'), kind: 'Secret' }), 400, 'BadRequest', ''],
  ['wrong apiVersion in body', posted(cms, { ...configMap('x'), apiVersion: 'v2' }), 400, 'BadRequest', ''],
  ['wrong type in field', posted(cms, { ...configMap('x'), data: [] }), 400, 'BadRequest', ''],
  ['unsupported content type POST', posted(cms, 'x', 'text/plain'), 415, 'UnsupportedMediaType', ''],
  ['unsupported patch type', (api) => api.send('PATCH', a, { body: '{}' }), 415, 'UnsupportedMediaType', ''],
  ['json patch invalid op', patched(a, [{ op: 'frob', path: '/data' }], 'json'), 422, 'Invalid', ''],
  [
    'json patch test failed',
    patched(a, [{ op: 'test', path: '/data', value: 1 }], 'json'),
    422,
    'Invalid',
    '',
  ],
  ['json patch missing path', patched(a, [{ op: 'remove', path: '/data/none' }], 'json'), 422, 'Invalid', ''],
  ['json patch not array', patched(a, { op: 'add' }, 'json'), 400, 'BadRequest', ''],
  ['merge patch bad body', patched(a, [1]), 422, 'Invalid', '', ['FieldValueInvalid']],
  [
    'strategic patch wrong type',
    patched(a, { data: 1 }, 'strategic-merge'),
    422,
    'Invalid',
    '',
    ['FieldValueInvalid'],
  ],
  ['patch name changed', patched(a, { metadata: { name: 'b' } }), 400, 'BadRequest', ''],
  [
    'patch stale resourceVersion',
    patched(a, { metadata: { resourceVersion: '1' } }),
    409,
    'Conflict',
    '/configmaps/a',
  ],
  ['patch missing object', patched(`${cms}/none`, {}), 404, 'NotFound', '/configmaps/none'],
  [
    'force without apply',
    patched(`${a}?force=true`, {}),
    422,
    'Invalid',
    `${meta}/PatchOptions/`,
    ['FieldValueForbidden'],
  ],
  ['POST to object path', posted(a, configMap('a')), 405, 'MethodNotAllowed', ''],
  ['PUT to collection', put(cms, configMap('a')), 405, 'MethodNotAllowed', ''],
  ['DELETE unsupported collection', deleted('/api/v1/namespaces'), 405, 'MethodNotAllowed', ''],
  ['unknown resource', got(`${ns}/widgets`), 404, 'NotFound', ''],
  ['not acceptable', got(cms, 'application/xml'), 406, 'NotAcceptable', ''],
  ['continue garbage', got(`${cms}?limit=1&continue=garbage`), 400, 'BadRequest', ''],
  ['bad resourceVersion list', got(`${cms}?resourceVersion=abc`), 400, 'BadRequest', ''],
  [
    'rvMatch without rv',
    got(`${cms}?resourceVersionMatch=Exact`),
    422,
    'Invalid',
    options,
    ['FieldValueForbidden'],
  ],
  [
    'rvMatch bad value',
    got(`${cms}?resourceVersionMatch=New&resourceVersion=1`),
    422,
    'Invalid',
    options,
    ['FieldValueNotSupported'],
  ],
  [
    'rvMatch with continue',
    got(`${cms}?resourceVersionMatch=Exact&resourceVersion=1&continue=x`),
    422,
    'Invalid',
    options,
    ['FieldValueForbidden'],
  ],
  [
    'rvMatch Exact with rv 0',
    got(`${cms}?resourceVersionMatch=Exact&resourceVersion=0`),
    422,
    'Invalid',
    options,
    ['FieldValueForbidden'],
  ],
  [
    'watch with rvMatch',
    got(`${cms}?watch=1&resourceVersionMatch=Exact&resourceVersion=1`),
    422,
    'Invalid',
    options,
    ['FieldValueForbidden'],
  ],
  ['bad label selector', got(`${cms}?labelSelector=a%20b`), 400, 'BadRequest', ''],
  ['bad field selector', got(`${cms}?fieldSelector=x%3Dy`), 400, 'BadRequest', ''],
  ['bad limit', got(`${cms}?limit=x`), 400, 'BadRequest', ''],
  ['bad timeoutSeconds', got(`${cms}?timeoutSeconds=x`), 400, 'BadRequest', ''],
  [
    'dryRun bad',
    posted(`${cms}?dryRun=x`, configMap('x')),
    422,
    'Invalid',
    `${meta}/CreateOptions/`,
    ['FieldValueNotSupported'],
  ],
  [
    'fieldManager too long',
    posted(`${cms}?fieldManager=${'x'.repeat(129)}`, configMap('x')),
    422,
    'Invalid',
    `${meta}/CreateOptions/`,
    ['FieldValueTooLong'],
  ],
  ['delete precondition uid', deleted(a, { preconditions: { uid: 'x' } }), 409, 'Conflict', '/configmaps/a'],
  [
    'delete precondition rv',
    deleted(a, { preconditions: { resourceVersion: '1' } }),
    409,
    'Conflict',
    '/configmaps/a',
  ],
  [
    'delete propagation bad',
    deleted(a, { propagationPolicy: 'x' }),
    422,
    'Invalid',
    `${meta}/DeleteOptions/`,
    ['FieldValueNotSupported'],
  ],
  [
    'delete both orphan and propagation',
    deleted(a, { propagationPolicy: 'Orphan', orphanDependents: true }),
    422,
    'Invalid',
    `${meta}/DeleteOptions/`,
    ['FieldValueInvalid'],
  ],
  ['delete missing', deleted(`${cms}/none`), 404, 'NotFound', '/configmaps/none'],
  ['subresource missing parent', got(`${pods}/none/status`), 404, 'NotFound', '/pods/none'],
  ['unknown subresource', got(`${a}/status`), 404, 'NotFound', ''],
  [
    'eviction missing pod',
    posted(`${pods}/none/eviction`, { metadata: { name: 'none' } }),
    404,
    'NotFound',
    '/pods/none',
  ],
  [
    'body too large',
    posted(cms, configMap('x', { k: 'x'.repeat(3 << 20) })),
    413,
    'RequestEntityTooLarge',
    '',
  ],
  [
    'delete system namespace',
    deleted(`/api/v1/namespaces/${systemNamespace}`),
    403,
    'Forbidden',
    `/namespaces/${systemNamespace}`,
  ],
  ['proxy node', got('/api/v1/nodes/none/proxy'), 404, 'NotFound', '/nodes/none'],
  [
    'create in terminating namespace',
    posted('/api/v1/namespaces/going/configmaps', configMap('x')),
    403,
    'Forbidden',
    '/configmaps/x',
    ['NamespaceTerminating'],
  ],
  [
    'PUT without resourceVersion, conditional kind',
    put(`${leases}/l`, { metadata: { name: 'l' }, spec: {} }),
    422,
    'Invalid',
    `${coordination}/leases/l`,
    ['FieldValueInvalid'],
  ],
  [
    'binding of bound pod',
    posted(`${pods}/bound/binding`, { metadata: { name: 'bound' }, target: { kind: 'Node', name: 'm' } }),
    409,
    'Conflict',
    '/pods/binding/bound',
  ],
];

describe('failures as clients switch on them (spec 7), Kubernetes naming', { timeout: 60_000 }, () => {
  let server: LaunchedServer;
  let api: ApiClient;
  before(async () => {
    server = await launchServer({ naming: 'kubernetes' });
    api = server.client;
    await create(api, cms, configMap('a', { k: 'v' }));
    await create(api, leases, { metadata: { name: 'l' }, spec: {} });
    await create(api, pods, podObject('bound', {}, { nodeName: 'n' }));
    await create(api, '/api/v1/namespaces', { metadata: { name: 'going' } });
    expectCode(200, await api.delete('/api/v1/namespaces/going'));
  });
  after(() => server[Symbol.asyncDispose]());

  for (const [situation, sendRequest, code, reason, details, causes = []] of rows) {
    it(`${situation} is answered with ${code} ${reason ?? 'without a reason'}`, async () => {
      const answer = await sendRequest(api);
      assert.equal(answer.status, code, answer.text);
      assert.equal(answer.headers['content-type'], 'application/json');
      const body = answer.json as StatusBody;
      assert.deepEqual(
        [body.kind, body.apiVersion, body.status, body.code, body.reason],
        ['Status', 'v1', 'Failure', code, reason],
      );
      assert.ok(body.message.length > 10, body.message);
      const { group = '', kind = '', name = '' } = body.details ?? {};
      assert.equal(kind === '' && name === '' ? '' : `${group}/${kind}/${name}`, details, answer.text);
      assert.deepEqual(
        (body.details?.causes ?? []).map((cause) => cause.reason),
        causes,
      );
    });
  }

  it('failing requests leave the object unchanged', async () => {
    assert.deepEqual((expectCode(200, await api.get(a)).json as { data: unknown }).data, { k: 'v' });
  });

  it('a refused impersonation is not executed as the original user', async () => {
    for (const [header, value] of [
      ['Impersonate-User', ''],
      ['Impersonate-Group', 'nobody'],
      ['Impersonate-Uid', 'nobody'],
      ['Impersonate-Extra-A', 'nobody'],
      ['Impersonate-Role', 'nobody'],
    ] as const) {
      const answer = await api.send('DELETE', a, { headers: { [header]: value } });
      assert.deepEqual([answer.status, (answer.json as StatusBody).reason], [400, 'BadRequest']);
    }
    expectCode(200, await api.get(a));
  });

  it('requests without credentials are answered with 401 for every path', async () => {
    for (const path of [a, '/api', '/version', '/nowhere']) {
      const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        import('node:https').then(({ request }) => {
          const outgoing = request(
            new URL(path, server.url),
            { ca: server.config.ca, agent: false },
            (incoming) => {
              let text = '';
              incoming.setEncoding('utf8').on('data', (chunk: string) => {
                text += chunk;
              });
              incoming.on('end', () => resolve({ status: incoming.statusCode, text }));
            },
          );
          outgoing.on('error', reject).end();
        }, reject);
      });
      assert.equal(answer.status, 401, path);
      const body = JSON.parse(answer.text) as StatusBody;
      assert.deepEqual([body.kind, body.reason, body.code], ['Status', 'Unauthorized', 401]);
    }
  });
});

describe('failures of authorization', { timeout: 60_000 }, () => {
  it('failures of authorization are 403 and name the user, verb, resource and namespace', async () => {
    await using server = await launchServer({ args: ['--authorization-mode=AlwaysDeny'] });
    for (const [method, path, message, details] of [
      [
        'GET',
        cms,
        'list resource "configmaps" in API group "" in the namespace "default"',
        { kind: 'configmaps' },
      ],
      ['GET', `${a}?watch=1`, 'watch resource "configmaps"', { name: 'a', kind: 'configmaps' }],
      ['DELETE', cms, 'deletecollection resource "configmaps"', { kind: 'configmaps' }],
      ['PATCH', `${pods}/p/status`, 'patch resource "pods/status"', { name: 'p', kind: 'pods' }],
      [
        'GET',
        '/api/v1/nodes/n',
        'get resource "nodes" in API group "" at the cluster scope',
        { name: 'n', kind: 'nodes' },
      ],
      ['GET', '/version', 'get path "/version"', {}],
    ] as const) {
      const answer = await server.client.send(method, path);
      const body = answer.json as StatusBody;
      assert.deepEqual([answer.status, body.reason, body.details], [403, 'Forbidden', details], answer.text);
      assert.ok(body.message.includes(`cannot ${message}`), body.message);
    }
  });
});
