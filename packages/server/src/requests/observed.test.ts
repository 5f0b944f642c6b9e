import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answered, configMap, pod, type RequestParts } from '@orch/registry/testing';
import { ApiFixture } from '../testing/index.ts';

/**
 * Codes, reasons, fields of details and reasons of causes for the situations that were observed on a server of the
 * reference release. One case per situation, in its order. Where the reference answers a client error (resourceVersions
 * that it cannot read, or that a new object has) with 500, this server answers 400.
 */
type Row = readonly [
  situation: string,
  sendRequest: (api: ApiFixture) => Promise<Answered>,
  code: number,
  reason: string | undefined,
  details: readonly string[],
  causes: readonly string[],
];

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;
const leases = '/apis/coordination.orch.io/v1/namespaces/default/leases';
const accessReviews = '/apis/authorization.orch.io/v1/subjectaccessreviews';
const json: RequestParts = { contentType: 'application/json' };

const made = (api: ApiFixture, name = 'a'): Promise<Answered> => api.post(cms, configMap(name, { k: 'v' }));
const sent =
  (body: unknown, parts = json) =>
  (api: ApiFixture) =>
    api.post(cms, body, parts);
const put =
  (change: object): Row[1] =>
  async (api) => {
    await made(api);
    return api.put(`${cms}/a`, { ...configMap('a'), ...change });
  };
const patched =
  (body: unknown, kind: 'json' | 'merge' = 'merge'): Row[1] =>
  async (api) => {
    await made(api);
    return api.patch(`${cms}/a`, body, kind);
  };
const got =
  (target: string, parts: RequestParts = {}) =>
  (api: ApiFixture) =>
    api.get(target, parts);
const deleted =
  (options: object): Row[1] =>
  async (api) => {
    await made(api);
    return api.delete(`${cms}/a`, options);
  };
const binding = {
  kind: 'Binding',
  apiVersion: 'v1',
  metadata: { name: 'p' },
  target: { kind: 'Node', name: 'n' },
};
const eviction = (name: string) => ({ kind: 'Eviction', apiVersion: 'policy/v1', metadata: { name } });
const withPod = async (api: ApiFixture): Promise<Answered> => api.post(`${ns}/pods`, pod('p'));
const exact = (match: string, version?: string) =>
  got(`${cms}?resourceVersionMatch=${match}${version === undefined ? '' : `&resourceVersion=${version}`}`);

const kindName = ['kind', 'name'];
const optionsError = ['causes', 'group', 'kind'];

const rows: readonly Row[] = [
  ['get missing object', got(`${cms}/none`), 404, 'NotFound', kindName, []],
  [
    'create duplicate',
    async (api) => {
      await made(api);
      return made(api);
    },
    409,
    'AlreadyExists',
    kindName,
    [],
  ],
  [
    'create in missing namespace',
    (api) => api.post('/api/v1/namespaces/none/configmaps', configMap('a')),
    404,
    'NotFound',
    kindName,
    [],
  ],
  [
    'namespace mismatch body/url',
    sent(configMap('a', {}, { namespace: 'other' })),
    400,
    'BadRequest',
    [],
    [],
  ],
  ['name mismatch on PUT', put({ metadata: { name: 'b' } }), 400, 'BadRequest', [], []],
  [
    'stale resourceVersion PUT',
    put({ metadata: { name: 'a', resourceVersion: '1' } }),
    409,
    'Conflict',
    kindName,
    [],
  ],
  ['uid mismatch PUT', put({ metadata: { name: 'a', uid: 'x' } }), 409, 'Conflict', kindName, []],
  [
    'PUT with another namespace in the body',
    put({ metadata: { name: 'a', namespace: 'other' } }),
    400,
    'BadRequest',
    [],
    [],
  ],
  [
    'access review of a path and a resource',
    (api) =>
      api.post(accessReviews, {
        spec: { user: 'u', resourceAttributes: { verb: 'get' }, nonResourceAttributes: { path: '/' } },
      }),
    422,
    'Invalid',
    ['causes', 'group', 'kind'],
    ['FieldValueInvalid'],
  ],
  [
    'access review with a name',
    (api) =>
      api.post(accessReviews, {
        metadata: { name: 'x' },
        spec: { user: 'u', resourceAttributes: { verb: 'get' } },
      }),
    422,
    'Invalid',
    ['causes', 'group', 'kind', 'name'],
    ['FieldValueInvalid'],
  ],
  ['PUT missing object', (api) => api.put(`${cms}/none`, configMap('none')), 404, 'NotFound', kindName, []],
  [
    'PUT missing object with resourceVersion',
    (api) => api.put(`${cms}/none`, configMap('none', {}, { resourceVersion: '5' })),
    404,
    'NotFound',
    kindName,
    [],
  ],
  [
    'create with resourceVersion',
    sent(configMap('a', {}, { resourceVersion: '1' })),
    400,
    'BadRequest',
    [],
    [],
  ],
  [
    'create without name',
    sent({ kind: 'ConfigMap', apiVersion: 'v1', metadata: {} }),
    422,
    'Invalid',
    ['causes', 'kind'],
    ['FieldValueRequired'],
  ],
  ['invalid name', sent(configMap('A_b')), 422, 'Invalid', ['causes', 'kind', 'name'], ['FieldValueInvalid']],
  ['malformed json', sent('{"kind":'), 400, 'BadRequest', [], []],
  ['empty body POST', sent(''), 400, 'BadRequest', [], []],
  ['wrong kind in body', sent({ ...configMap('a'), kind: 'Secret' }), 400, 'BadRequest', [], []],
  [
    'a number of 30 digits as apiVersion',
    sent(`{"kind":"ConfigMap","apiVersion":${'1'.repeat(30)},"metadata":{"name":"a"}}`),
    400,
    'BadRequest',
    [],
    [],
  ],
  ['wrong apiVersion in body', sent({ ...configMap('a'), apiVersion: 'v2' }), 400, 'BadRequest', [], []],
  ['wrong type in field', sent({ ...configMap('a'), data: { k: 1 } }), 400, 'BadRequest', [], []],
  [
    'unsupported content type POST',
    sent('x', { contentType: 'text/plain' }),
    415,
    'UnsupportedMediaType',
    [],
    [],
  ],
  [
    'unsupported patch type',
    (api) => api.send('PATCH', `${cms}/a`, { body: '{}', contentType: 'application/json' }),
    415,
    'UnsupportedMediaType',
    [],
    [],
  ],
  ['json patch invalid op', patched([{ op: 'frob', path: '/data' }], 'json'), 422, 'Invalid', [], []],
  [
    'json patch test failed',
    patched([{ op: 'test', path: '/data/k', value: 'w' }], 'json'),
    422,
    'Invalid',
    [],
    [],
  ],
  [
    'json patch missing path',
    patched([{ op: 'remove', path: '/data/none' }], 'json'),
    422,
    'Invalid',
    [],
    [],
  ],
  ['json patch not array', patched({ op: 'add' }, 'json'), 400, 'BadRequest', [], []],
  ['merge patch bad body', patched([1]), 422, 'Invalid', ['causes'], ['FieldValueInvalid']],
  ['merge patch wrong type', patched({ data: { k: 1 } }), 422, 'Invalid', ['causes'], ['FieldValueInvalid']],
  ['patch name changed', patched({ metadata: { name: 'b' } }), 400, 'BadRequest', [], []],
  [
    'patch stale resourceVersion',
    patched({ metadata: { resourceVersion: '1' } }),
    409,
    'Conflict',
    kindName,
    [],
  ],
  ['patch missing object', (api) => api.patch(`${cms}/none`, {}), 404, 'NotFound', kindName, []],
  [
    'force without apply',
    (api) => api.patch(`${cms}/a?force=true`, {}),
    422,
    'Invalid',
    optionsError,
    ['FieldValueForbidden'],
  ],
  ['POST to object path', (api) => api.post(`${cms}/a`, configMap('a')), 405, 'MethodNotAllowed', [], []],
  ['PUT to collection', (api) => api.put(cms, configMap('a')), 405, 'MethodNotAllowed', [], []],
  [
    'DELETE unsupported collection',
    (api) => api.delete('/api/v1/namespaces'),
    405,
    'MethodNotAllowed',
    [],
    [],
  ],
  ['unknown resource', got(`${ns}/widgets`), 404, 'NotFound', [], []],
  ['not acceptable', got(cms, { accept: 'application/xml' }), 406, 'NotAcceptable', [], []],
  ['continue garbage', got(`${cms}?limit=1&continue=garbage`), 400, 'BadRequest', [], []],
  ...['abc', '-1', '1.5', '%201', '0x1', '1e3', '18446744073709551616', '1'.repeat(21)].flatMap(
    (version): Row[] => [
      [
        `resourceVersion ${version} of a get`,
        got(`${cms}/a?resourceVersion=${version}`),
        400,
        'BadRequest',
        [],
        [],
      ],
      [
        `resourceVersion ${version} of a list`,
        got(`${cms}?resourceVersion=${version}`),
        400,
        'BadRequest',
        [],
        [],
      ],
      [
        `resourceVersion ${version} of a watch`,
        got(`${cms}?watch=1&resourceVersion=${version}`),
        400,
        'BadRequest',
        [],
        [],
      ],
      [
        `resourceVersion ${version} of a deletecollection`,
        (api) => api.delete(`${cms}?resourceVersion=${version}`),
        400,
        'BadRequest',
        [],
        [],
      ],
    ],
  ),
  ['rvMatch without rv', exact('Exact'), 422, 'Invalid', optionsError, ['FieldValueForbidden']],
  ['rvMatch bad value', exact('Sometimes', '5'), 422, 'Invalid', optionsError, ['FieldValueNotSupported']],
  [
    'rvMatch with continue',
    got(`${cms}?resourceVersionMatch=Exact&resourceVersion=5&continue=x`),
    422,
    'Invalid',
    optionsError,
    ['FieldValueForbidden'],
  ],
  ['rvMatch Exact with rv 0', exact('Exact', '0'), 422, 'Invalid', optionsError, ['FieldValueForbidden']],
  [
    'watch with rvMatch',
    got(`${cms}?watch=1&resourceVersion=5&resourceVersionMatch=Exact`),
    422,
    'Invalid',
    optionsError,
    ['FieldValueForbidden'],
  ],
  ['bad label selector', got(`${cms}?labelSelector=a%20b`), 400, 'BadRequest', [], []],
  ['bad field selector', got(`${cms}?fieldSelector=spec.x%3Dy`), 400, 'BadRequest', [], []],
  ['bad limit', got(`${cms}?limit=ten`), 400, 'BadRequest', [], []],
  ['bad timeoutSeconds', got(`${cms}?timeoutSeconds=ten`), 400, 'BadRequest', [], []],
  [
    'dryRun bad',
    (api) => api.post(`${cms}?dryRun=Some`, configMap('a')),
    422,
    'Invalid',
    optionsError,
    ['FieldValueNotSupported'],
  ],
  [
    'fieldManager too long',
    (api) => api.post(`${cms}?fieldManager=${'x'.repeat(129)}`, configMap('a')),
    422,
    'Invalid',
    optionsError,
    ['FieldValueTooLong'],
  ],
  ['delete precondition uid', deleted({ preconditions: { uid: 'x' } }), 409, 'Conflict', kindName, []],
  [
    'delete precondition rv',
    deleted({ preconditions: { resourceVersion: '1' } }),
    409,
    'Conflict',
    kindName,
    [],
  ],
  [
    'delete propagation bad',
    deleted({ propagationPolicy: 'Sometimes' }),
    422,
    'Invalid',
    optionsError,
    ['FieldValueNotSupported'],
  ],
  [
    'delete both orphan and propagation',
    deleted({ orphanDependents: true, propagationPolicy: 'Orphan' }),
    422,
    'Invalid',
    optionsError,
    ['FieldValueInvalid'],
  ],
  ['delete missing', (api) => api.delete(`${cms}/none`), 404, 'NotFound', kindName, []],
  ['delete ok', deleted({}), 200, undefined, ['kind', 'name', 'uid'], []],
  ['subresource missing parent', got(`${ns}/pods/none/status`), 404, 'NotFound', kindName, []],
  [
    'eviction missing pod',
    (api) => api.post(`${ns}/pods/none/eviction`, eviction('none')),
    404,
    'NotFound',
    kindName,
    [],
  ],
  [
    'body too large',
    sent(configMap('a', { k: 'x'.repeat(3 * 1024 * 1024) })),
    413,
    'RequestEntityTooLarge',
    [],
    [],
  ],
  [
    'delete system namespace',
    (api) => api.delete('/api/v1/namespaces/orch-system'),
    403,
    'Forbidden',
    kindName,
    [],
  ],
  ['proxy of a node', got('/api/v1/nodes/none/proxy'), 404, 'NotFound', kindName, []],
  [
    'eviction ok',
    async (api) => {
      await withPod(api);
      return api.post(`${ns}/pods/p/eviction`, eviction('p'));
    },
    201,
    undefined,
    [],
    [],
  ],
  [
    'binding ok',
    async (api) => {
      await withPod(api);
      return api.post(`${ns}/pods/p/binding`, binding);
    },
    201,
    undefined,
    [],
    [],
  ],
  [
    'binding of bound pod',
    async (api) => {
      await withPod(api);
      await api.post(`${ns}/pods/p/binding`, binding);
      return api.post(`${ns}/pods/p/binding`, binding);
    },
    409,
    'Conflict',
    kindName,
    [],
  ],
  [
    'create in terminating namespace',
    async (api) => {
      await api.post('/api/v1/namespaces', { metadata: { name: 'going' } });
      await api.delete('/api/v1/namespaces/going');
      await api.settled();
      return api.post('/api/v1/namespaces/going/configmaps', configMap('a'));
    },
    403,
    'Forbidden',
    ['causes', 'kind', 'name'],
    ['NamespaceTerminating'],
  ],
  [
    'PUT without resourceVersion, conditional kind',
    async (api) => {
      await api.post(leases, { metadata: { name: 'l' }, spec: {} });
      return api.put(`${leases}/l`, { metadata: { name: 'l' }, spec: {} });
    },
    422,
    'Invalid',
    ['causes', 'group', 'kind', 'name'],
    ['FieldValueInvalid'],
  ],
];

describe('status codes and reasons of the reference', () => {
  for (const [situation, sendRequest, code, reason, details, causes] of rows) {
    it(`the reply matches the reference: ${situation}`, async () => {
      await using api = await ApiFixture.open();
      const { status, json: body, text } = await sendRequest(api);
      assert.equal(status, code, text);
      assert.equal(body.kind, 'Status');
      assert.equal(body.reason, reason);
      assert.equal(body.status, code < 400 ? 'Success' : 'Failure');
      assert.deepEqual(Object.keys(body.details ?? {}).sort(), details);
      assert.deepEqual(
        (body.details?.causes ?? []).map((cause: { reason: string }) => cause.reason),
        causes,
      );
      if (code >= 400) {
        assert.equal(body.code, code);
        assert.ok(body.message.length > 10, body.message);
      }
    });
  }

  it('a list at a future resourceVersion fails with a timeout', async () => {
    await using api = await ApiFixture.open();
    const pending = api.get(`${cms}?resourceVersion=100000`);
    await api.env.clock.advanceAsync(4000);
    const { status, json: body, headers } = await pending;
    assert.equal(status, 504);
    assert.equal(body.reason, 'Timeout');
    assert.match(body.message, /Too large resource version/);
    assert.deepEqual(Object.keys(body.details).sort(), ['causes', 'retryAfterSeconds']);
    assert.deepEqual(
      body.details.causes.map((cause: { reason: string }) => cause.reason),
      ['ResourceVersionTooLarge'],
    );
    assert.equal(headers['Retry-After'], '1');
  });

  it('details of a bound pod name the subresource, those of validation the Kind, others the resource', async () => {
    await using api = await ApiFixture.open();
    await withPod(api);
    await api.post(`${ns}/pods/p/binding`, binding);
    assert.equal((await api.post(`${ns}/pods/p/binding`, binding)).json.details.kind, 'pods/binding');
    assert.equal((await sent(configMap('A_b'))(api)).json.details.kind, 'ConfigMap');
    assert.equal((await api.get(`${cms}/none`)).json.details.kind, 'configmaps');
    await api.post(leases, { metadata: { name: 'l' }, spec: {} });
    const conditional = await api.put(`${leases}/l`, { metadata: { name: 'l' }, spec: {} });
    assert.deepEqual(
      [conditional.json.details.kind, conditional.json.details.group],
      ['leases', 'coordination.orch.io'],
    );
  });

  it('a path of no group, and of no version, is a plain 404', async () => {
    await using api = await ApiFixture.open();
    for (const path of [
      '/apis/none.example/v1/things',
      '/apis/coordination.orch.io/v7/leases',
      '/api/v7/pods',
    ]) {
      const { status, headers, text } = await api.get(path);
      assert.deepEqual([status, text], [404, '404 page not found\n']);
      assert.match(String(headers['Content-Type']), /^text\/plain/);
    }
  });
});
