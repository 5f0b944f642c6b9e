import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle, until } from '@orch/machinery/testing';
import { kindsOf } from '@orch/registry/testing';
import { AggregationFixture, apiServices, GROUP, podAddress } from '../testing/aggregation-fixture.ts';
import { ExtensionServer } from '../testing/extension-server.ts';

const base = `/apis/${GROUP}/v1`;
const v3Path = base.slice(1);
const OWN = 'com.example.metrics.PodMetrics';
const META = 'io.orch.apis.meta.v1.ObjectMeta';

const v3Document = (title: string): object => ({
  openapi: '3.0.0',
  info: { title, version: 'v1' },
  paths: { [`${base}/pods`]: { get: { responses: { 200: { description: 'OK' } } } } },
});

const refTo = (name: string): object => ({ $ref: `#/definitions/${name}` });

const operation = (name: string): object => ({
  ...{ description: 'list', operationId: 'listPods', tags: ['pods'], schemes: ['https'], unknown: {} },
  parameters: [
    { $ref: '#/parameters/limit' },
    { name: 'X-Field', in: 'header', type: 'string' },
    { name: 'body', in: 'body', schema: refTo(name) },
  ],
  responses: { 200: { description: 'OK', schema: refTo(name) } },
  'x-verb': 'list',
});

const v2Document = (
  metaName: string,
  meta: object = { type: 'object', description: 'Another one.' },
): object => ({
  swagger: '2.0',
  parameters: { limit: { name: 'limit', in: 'query', type: 'integer', uniqueItems: true } },
  paths: {
    [`${base}/pods`]: { get: operation(OWN) },
    '/apis/apps/v1/deployments': { get: operation('Hidden') },
    '/apis/metrics.example.com/v11/pods': { get: operation('Hidden') },
  },
  definitions: {
    [OWN]: {
      type: 'object',
      required: ['metadata'],
      properties: {
        metadata: { allOf: [refTo(metaName)], default: {}, description: 'Metadata.' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        any: { not: {}, additionalProperties: true },
        count: { type: 'integer', format: 'int32', minimum: 1 },
      },
      'x-kinds': [{ kind: 'PodMetrics' }],
    },
    [metaName]: meta,
    Hidden: { type: 'string' },
  },
});

/** A server that publishes both versions, behind the service of a name. */
async function publisher(title = 'first', service = 'extension'): Promise<ExtensionServer> {
  const extension = await ExtensionServer.start({ hosts: [`${service}.default.svc`] });
  publish(extension, title);
  return extension;
}

function publish(extension: ExtensionServer, hash: string, v2: object = v2Document(META)): void {
  const paths = { [v3Path]: { serverRelativeURL: `/openapi/v3${base}?hash=${hash}` } };
  extension.documents.set('/openapi/v3', { body: { paths } });
  extension.documents.set(`/openapi/v3${base}?hash=${hash}`, { body: v3Document(hash) });
  extension.documents.set('/openapi/v2', { body: v2, etag: `"${hash}"` });
}

/** The kinds that an extension API server needs: documents of all kinds take far longer. */
const kinds = kindsOf(['namespaces', 'pods', 'services', 'endpoints', 'endpointslices', 'apiservices']);

const open = (): Promise<AggregationFixture> => AggregationFixture.open({ types: kinds });

const urlOf = async ({ api }: AggregationFixture): Promise<string | undefined> =>
  (await api.get('/openapi/v3')).json.paths[v3Path]?.serverRelativeURL;

const pathsOf = async ({ api }: AggregationFixture): Promise<Readonly<Record<string, unknown>>> =>
  (await api.get('/openapi/v2')).json.paths;

const untilPublished = (f: AggregationFixture): Promise<void> =>
  until(
    async () => (await pathsOf(f))[`${base}/pods`] !== undefined,
    'the schemas of the extension API server',
  );

describe('OpenAPI version 3 of extension API servers', () => {
  it('the document of the group version is in the index with its hash, and served from memory', async () => {
    await using extension = await publisher();
    await using f = await open();
    await f.extend(extension);
    await untilPublished(f);
    const url = (await urlOf(f)) ?? '';
    assert.match(url, new RegExp(`^/openapi/v3${base}\\?hash=[0-9A-F]{64}$`));
    await extension.stop();
    const { json, headers } = await f.api.get(url);
    assert.deepEqual(json, v3Document('first'));
    assert.match(String(headers['Cache-Control']), /immutable/);
    // Without Protobuf from the server, clients that accept both get JSON, and others 406.
    const protobuf = f.api.names.mediaTypes.openApiV3Protobuf;
    assert.deepEqual((await f.api.get(url, { accept: `${protobuf},application/json` })).json, json);
    assert.equal((await f.api.get(url, { accept: protobuf })).status, 406);
  });

  it('a document is read again only when the server names another hash', async () => {
    await using extension = await publisher();
    await using f = await open();
    await f.extend(extension);
    await untilPublished(f);
    const before = await urlOf(f);
    const reads = () =>
      extension.documentsSent.filter((path) => path.startsWith(`/openapi/v3${base}`)).length;
    const count = reads();
    const { length } = extension.documentsSent;
    await f.api.env.clock.advanceAsync(30_000);
    await until(() => extension.documentsSent.length > length, 'the index to be read again');
    publish(extension, 'second');
    await f.api.env.clock.advanceAsync(30_000);
    await until(async () => (await urlOf(f)) !== before, 'another hash');
    assert.equal(reads(), 2 * count);
    assert.deepEqual((await f.api.get((await urlOf(f)) ?? '')).json, v3Document('second'));
  });

  it('a document without a hash in the index is requested with its ETag', async () => {
    await using extension = await publisher();
    const paths = { [v3Path]: { serverRelativeURL: `/openapi/v3${base}` } };
    extension.documents.set('/openapi/v3', { body: { paths } });
    extension.documents.set(`/openapi/v3${base}`, { body: v3Document('first'), etag: '"1"' });
    await using f = await open();
    await f.extend(extension);
    await untilPublished(f);
    const sent = () => extension.documentsSent.filter((path) => path === `/openapi/v3${base}`).length;
    const [before, indexes] = [sent(), () => extension.documentsSent.length];
    const count = indexes();
    await f.api.env.clock.advanceAsync(30_000);
    await until(() => indexes() > count, 'the index to be read again');
    extension.documents.set(`/openapi/v3${base}`, { body: v3Document('second'), etag: '"2"' });
    const url = await urlOf(f);
    await f.api.env.clock.advanceAsync(30_000);
    await until(async () => (await urlOf(f)) !== url, 'the changed document');
    assert.equal(sent(), 2 * before);
  });

  it('the documents go away with the API service', async () => {
    await using extension = await publisher();
    await using f = await open();
    await f.extend(extension);
    await untilPublished(f);
    await f.api.delete(`${apiServices}/v1.${GROUP}`);
    await f.api.settled();
    assert.equal(await urlOf(f), undefined);
    assert.equal((await pathsOf(f))[`${base}/pods`], undefined);
  });

  it('an index that names other paths has no effect on what is requested', async () => {
    await using extension = await publisher();
    const paths = { [v3Path]: { serverRelativeURL: '/api/v1/secrets?hash=first' } };
    extension.documents.set('/openapi/v3', { body: { paths } });
    extension.documents.set('/api/v1/secrets?hash=first', { body: {} });
    await using f = await open();
    await f.extend(extension);
    await until(async () => (await urlOf(f)) !== undefined, 'the document');
    assert.ok(!extension.documentsSent.includes('/api/v1/secrets?hash=first'));
  });
});

describe('OpenAPI version 2 of extension API servers', () => {
  it('an unchanged document is not sent again, and its ETag is not used for another server', async () => {
    await using first = await publisher();
    await using second = await publisher('first', 'second');
    second.documents.set('/openapi/v2', {
      body: v2Document(META, { type: 'object', description: 'Of the second server.' }),
      etag: '"first"',
    });
    await using f = await open();
    await f.extend(first);
    await untilPublished(f);
    const sent = () => first.documentsSent.filter((path) => path === '/openapi/v2').length;
    const requests = first.ownRequests;
    await f.api.env.clock.advanceAsync(30_000);
    await until(() => first.ownRequests >= requests + 4, 'a check, and three requests for documents');
    assert.equal(sent(), 1);
    await f.service({ port: second.port, name: 'second', addresses: [podAddress(1)] });
    const name = `${apiServices}/v1.${GROUP}`;
    const { json } = await f.api.get(name);
    const service = { ...json.spec.service, name: 'second' };
    const spec = { ...json.spec, service, caBundle: second.caBundle };
    const changed = await f.api.put(name, { ...json, spec });
    assert.equal(changed.status, 200, changed.text);
    await until(
      async () => (await f.api.get('/openapi/v2')).text.includes('Of the second server.'),
      'the document of the second server',
    );
  });

  it('version 2 of the OpenAPI document is read although version 3 cannot be', async () => {
    await using extension = await publisher();
    extension.documents.set('/openapi/v3', { body: Buffer.from('{') });
    await using f = await open();
    await f.extend(extension);
    await untilPublished(f);
    assert.equal(await urlOf(f), undefined);
  });

  it('paths of the group version are added with the definitions that they refer to, and no others', async () => {
    await using extension = await publisher();
    // Beside the paths of all kinds.
    await using f = await AggregationFixture.open();
    const before = (await f.api.get('/openapi/v2')).json;
    await f.extend(extension);
    await untilPublished(f);
    const { paths, definitions } = (await f.api.get('/openapi/v2')).json;
    const { [`${base}/pods`]: added, ...otherPaths } = paths;
    assert.deepEqual(otherPaths, before.paths);
    assert.deepEqual(added, {
      get: {
        ...{ description: 'list', operationId: 'listPods', tags: ['pods'], schemes: ['https'] },
        parameters: [
          { name: 'limit', in: 'query', type: 'integer', uniqueItems: true },
          { name: 'body', in: 'body', schema: refTo(OWN) },
        ],
        responses: { 200: { description: 'OK', schema: refTo(OWN) } },
        'x-verb': 'list',
      },
    });
    const names = Object.keys(definitions).filter((name) => before.definitions[name] === undefined);
    assert.ok(names.includes(OWN));
    assert.ok(!names.includes('Hidden'));
    const { properties } = definitions[OWN];
    assert.deepEqual(properties.metadata.description, 'Metadata.');
    assert.deepEqual(properties.labels, { type: 'object', additionalProperties: { type: 'string' } });
    assert.deepEqual(properties.any, { additionalProperties: true });
  });

  it('a definition with the name of another one and other content is renamed, with its references', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await open();
    const before = (await f.api.get('/openapi/v2')).json.definitions;
    const taken = Object.keys(before).find((name) => name.endsWith('.ObjectMeta')) ?? '';
    publish(extension, 'first', v2Document(taken));
    await f.extend(extension);
    await untilPublished(f);
    const { definitions } = (await f.api.get('/openapi/v2')).json;
    assert.deepEqual(definitions[taken], before[taken]);
    assert.deepEqual(definitions[`${taken}_v2`], { type: 'object', description: 'Another one.' });
    assert.equal(definitions[OWN].properties.metadata.$ref, `#/definitions/${taken}_v2`);
  });

  it('the document has a Protobuf encoding with the added paths', async () => {
    await using extension = await publisher();
    await using f = await open();
    await f.extend(extension);
    await untilPublished(f);
    const accept = f.api.names.mediaTypes.openApiProtobuf;
    const { status, bytes } = await f.api.get('/openapi/v2', { accept });
    assert.equal(status, 200);
    assert.ok(bytes.includes(`${base}/pods`));
    assert.ok(bytes.includes(OWN));
  });

  it('changes are counted in metrics by API service and reason', async () => {
    await using extension = await publisher();
    await using f = await open();
    await f.extend(extension);
    await untilPublished(f);
    publish(extension, 'second', v2Document(META, { type: 'object', description: 'Changed.' }));
    await f.api.env.clock.advanceAsync(30_000);
    const line = (reason: string) =>
      `aggregator_openapi_v2_regeneration_count{apiservice="v1.${GROUP}",reason="${reason}"} 1`;
    await until(() => f.api.env.metrics.text().includes(line('update')), 'an update');
    assert.ok(f.api.env.metrics.text().includes(line('add')));
    assert.match(f.api.env.metrics.text(), /aggregator_openapi_v2_regeneration_duration\{reason="add"\}/);
    await f.api.delete(`${apiServices}/v1.${GROUP}`);
    await until(() => f.api.env.metrics.text().includes(line('delete')), 'a deletion');
  });
});

describe('OpenAPI documents that attack the server', () => {
  it('an endless document is given up behind the limit, and the documents of version 3 stay', async () => {
    await using extension = await publisher();
    let sent = 0;
    extension.stream = (path, response) => {
      if (path !== '/openapi/v2') return false;
      const piece = Buffer.alloc(64 * 1024, ' ');
      const write = (): void => {
        while (!response.destroyed && sent < 1024 ** 3) {
          sent += piece.length;
          if (!response.write(piece)) return void response.once('drain', write);
        }
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      write();
      return true;
    };
    await using f = await open();
    await f.extend(extension);
    await until(() => JSON.stringify(f.api.env.entries).includes('is larger than'), 'the limit');
    assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes were read`);
    assert.notEqual(await urlOf(f), undefined);
    assert.equal((await pathsOf(f))[`${base}/pods`], undefined);
  });

  it('a server that stops in the middle of a document delays no other, and is read less often after each attempt', async () => {
    await using slow = await publisher();
    await using other = await publisher('other', 'other');
    let attempts = 0;
    slow.stream = (path, response) => {
      if (path !== '/openapi/v3') return false;
      attempts++;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
      return true;
    };
    await using f = await open();
    await f.extend(slow);
    await until(() => attempts === 1, 'the document to be requested');
    // The clock stands still, so nothing can wait for a time limit.
    assert.equal((await f.api.get('/openapi/v2')).status, 200);
    assert.equal((await f.api.get('/openapi/v3')).status, 200);
    await f.service({ port: other.port, name: 'other', addresses: [podAddress(1)] });
    await f.register(other, { service: { namespace: 'default', name: 'other' } }, 'other.example.com');
    await until(() => other.documentsSent.includes('/openapi/v2'), 'the documents of the other server');
    const rounds = 40;
    for (let round = 0; round < rounds; round++) {
      const { checks } = slow;
      await f.api.env.clock.advanceAsync(30_000);
      await until(() => slow.checks > checks, 'the next check');
      await settle();
    }
    assert.ok(attempts >= 3 && attempts <= rounds / 3, `${attempts} attempts`);
  });

  for (const [title, body] of [
    ['content that is not JSON', Buffer.from('{')],
    ['a list', []],
    ['schemas of other types', { paths: { [`${base}/x`]: { get: { responses: 7, parameters: [1] } } } }],
    ['names of inherited fields', v2Document('__proto__')],
    ['nested schemas without an end', v2Document(META, nested(500))],
  ] as const) {
    it(`version 2 with ${title} leaves the document of this server complete, in both encodings`, async () => {
      await using extension = await publisher();
      extension.documents.set('/openapi/v2', { body });
      await using f = await open();
      const before = (await f.api.get('/openapi/v2')).json;
      await f.extend(extension);
      await until(async () => (await urlOf(f)) !== undefined, 'version 3');
      await until(
        () =>
          f.api.env.metrics.text().includes('reason="add"} 1') ||
          JSON.stringify(f.api.env.entries).includes('is not JSON'),
        'version 2 to be added or refused',
      );
      const after = (await f.api.get('/openapi/v2')).json;
      for (const path of Object.keys(before.paths)) assert.deepEqual(after.paths[path], before.paths[path]);
      for (const name of Object.keys(before.definitions))
        assert.deepEqual(after.definitions[name], before.definitions[name]);
      const accept = f.api.names.mediaTypes.openApiProtobuf;
      assert.equal((await f.api.get('/openapi/v2', { accept })).status, 200);
    });
  }
});

function nested(depth: number): object {
  return depth === 0 ? { type: 'string' } : { type: 'array', items: nested(depth - 1) };
}
