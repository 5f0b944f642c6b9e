import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Answered, RegistryFixture } from '@orch/registry/testing';
import { openDiscovery } from '../testing/index.ts';

const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const V3_PROTOBUF = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
const [V2_DOTTED, V3_DOTTED] = [V2_PROTOBUF.replace('@', '.'), V3_PROTOBUF.replace('@', '.')];
const CORE = '/openapi/v3/api/v1';

const typeOf = ({ headers }: Answered): unknown => headers['Content-Type'];

describe('routes of OpenAPI documents', () => {
  let api: RegistryFixture;
  before(async () => {
    api = await openDiscovery();
  });
  after(() => api[Symbol.asyncDispose]());

  it('the whole document takes seats by the bytes of the last one, as clients receive it', async () => {
    const route = api.registry.routes.find(({ path }) => path === '/openapi/v2');
    const bytesFor = (headers: Record<string, string>) => route?.answerBytes?.({ headers });
    const { bytes } = await api.get('/openapi/v2');
    const packed = await api.get('/openapi/v2', { headers: { 'accept-encoding': 'gzip' } });
    assert.deepEqual(
      [bytesFor({}), bytesFor({ 'accept-encoding': 'gzip' })],
      [bytes.length, packed.bytes.length],
    );
  });

  for (const [path, accept, status, type] of [
    ['/openapi/v2', undefined, 200, 'application/json'],
    ['/openapi/v2', '*/*', 200, 'application/json'],
    ['/openapi/v2', 'text/html;q=1,application/*;q=0.1', 200, 'application/json'],
    ['/openapi/v2', V2_PROTOBUF, 200, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'],
    [
      '/openapi/v2',
      `application/json;q=0.5,${V2_PROTOBUF}`,
      200,
      'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    ],
    ['/openapi/v2', V2_DOTTED, 200, V2_DOTTED],
    ['/openapi/v2', `${V2_DOTTED};q=0.1,application/json;q=0`, 200, V2_DOTTED],
    ['/openapi/v2', V3_PROTOBUF, 406, 'application/json'],
    ['/openapi/v2', V3_DOTTED, 406, 'application/json'],
    ['/openapi/v2', 'application/json;q=0', 406, 'application/json'],
    ['/openapi/v3', undefined, 200, 'application/json'],
    ['/openapi/v3/', 'application/json', 200, 'application/json'],
    ['/openapi/v3', V3_PROTOBUF, 200, 'application/json'],
    ['/openapi/v3', 'text/html', 200, 'application/json'],
    ['/openapi/v3', 'application/json;q=0', 200, 'application/json'],
    ['/openapi/v3/', V3_DOTTED, 200, 'application/json'],
    [CORE, 'application/json', 200, 'application/json'],
    [CORE, V3_PROTOBUF, 200, 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf'],
    [
      CORE,
      `${V3_PROTOBUF},application/json`,
      200,
      'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
    ],
    [CORE, V3_DOTTED, 200, V3_DOTTED],
    [CORE, V2_PROTOBUF, 406, 'application/json'],
    [CORE, V2_DOTTED, 406, 'application/json'],
    ['/openapi/v3/apis/coordination.orch.io/v1/', undefined, 200, 'application/json'],
    ['/openapi/v3/version', undefined, 200, 'application/json'],
    ['/openapi/v3/apis/none/v1', undefined, 404, 'text/plain; charset=utf-8'],
    ['/openapi/v3/__proto__', undefined, 404, 'text/plain; charset=utf-8'],
  ] as const) {
    it(`${path} for a client that accepts ${accept ?? 'anything'}: ${status} ${type}`, async () => {
      const answer = await api.get(path, accept === undefined ? {} : { accept });
      assert.deepEqual([answer.status, typeOf(answer)], [status, type]);
    });
  }

  it('the description of a list names its kind and how it is watched', async () => {
    const { paths } = (await api.get('/openapi/v2')).json;
    for (const [path, where] of [
      ['/api/v1/pods', ' in all namespaces'],
      ['/api/v1/namespaces/{namespace}/pods', ' in the namespace'],
      ['/api/v1/nodes', ''],
    ] as const) {
      const { description, responses } = paths[path].get;
      const kind = path.endsWith('pods') ? 'Pod' : 'Node';
      assert.ok(
        description.startsWith(`Lists objects of kind ${kind}${where}. Returns a ${kind}List`),
        description,
      );
      assert.match(description, /watch=true.*stream of WatchEvent.*resourceVersion/);
      assert.match(responses['200'].schema.$ref, new RegExp(`\\.${kind}List$`));
    }
    assert.doesNotMatch(paths['/api/v1/componentstatuses'].get.description, /watch/);
    assert.match(paths['/api/v1/watch/pods'].get.description, /stream of WatchEvent.*watch=true/);
  });

  it('compressed and plain replies have the same ETag', async () => {
    for (const path of ['/openapi/v2', '/openapi/v3', CORE]) {
      const plain = await api.get(path);
      const packed = await api.get(path, { headers: { 'accept-encoding': 'gzip' } });
      assert.equal(packed.headers['Content-Encoding'], 'gzip');
      assert.equal(plain.headers['Content-Encoding'], undefined);
      assert.deepEqual(gunzipSync(packed.bytes), plain.bytes);
      assert.equal(packed.headers['ETag'], plain.headers['ETag']);
      for (const { headers } of [plain, packed]) assert.equal(headers['Vary'], 'Accept, Accept-Encoding');
    }
  });

  it('clients with the current ETag receive 304', async () => {
    for (const accept of ['application/json', V3_PROTOBUF]) {
      const first = await api.get(CORE, { accept });
      const tag = String(first.headers['ETag']);
      for (const [ifNoneMatch, status] of [
        [tag, 304],
        [`"other", W/${tag}`, 304],
        ['"other"', 200],
      ] as const) {
        const again = await api.get(CORE, { accept, headers: { 'if-none-match': ifNoneMatch } });
        assert.deepEqual([again.status, again.bytes.length === 0], [status, status === 304], ifNoneMatch);
      }
    }
  });

  it('documents that are named by their hash are immutable, whatever parameters clients append', async () => {
    const { json } = await api.get('/openapi/v3');
    const url: string = json.paths['api/v1'].serverRelativeURL;
    for (const [target, accept, isKept] of [
      [url, 'application/json', true],
      [`${url}&timeout=32s`, 'application/json', true],
      [`${url}&timeout=32s`, V3_PROTOBUF, true],
      [`${CORE}?timeout=32s&${url.slice(CORE.length + 1)}`, 'application/json', true],
      [`${CORE}?hash=0123`, 'application/json', false],
      [CORE, 'application/json', false],
    ] as const) {
      const answer = await api.get(target, { accept });
      assert.equal(answer.status, 200);
      assert.equal(/immutable/.test(String(answer.headers['Cache-Control'])), isKept, target);
    }
  });
});

describe('OpenAPI documents of other releases', () => {
  it('version 3 is served from 1.24 on, and Protobuf has a dedicated media type from 1.22 on', async () => {
    for (const [release, v3, type] of [
      ['1.20', 404, 'application/octet-stream'],
      ['1.23', 404, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'],
      ['1.27', 200, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'],
    ] as const) {
      await using api = await openDiscovery({ release });
      assert.equal((await api.get('/openapi/v3')).status, v3);
      assert.equal(typeOf(await api.get('/openapi/v2', { accept: V2_PROTOBUF })), type);
    }
  });

  it('documented responses of writes follow the release', async () => {
    for (const [release, codes, isValidating] of [
      ['1.20', ['200', '401'], false],
      ['1.24', ['200', '201', '401'], false],
      ['1.25', ['200', '201', '401'], true],
    ] as const) {
      await using api = await openDiscovery({ release });
      const { json } = await api.get('/openapi/v2');
      const { patch } = json.paths['/api/v1/namespaces/{namespace}/configmaps/{name}'];
      assert.deepEqual(Object.keys(patch.responses), codes);
      const parameters = patch.parameters.map(({ name }: { name: string }) => name);
      assert.equal(parameters.includes('fieldValidation'), isValidating);
    }
  });
});
