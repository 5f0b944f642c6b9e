import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import type { Client } from '../client.ts';
import { createClient } from '../create-client.ts';
import type { Transport } from '../transport/transport.ts';
import { configMaps, deployments, nodes, served } from './testing/served.ts';
import type { ResourceClient } from './types.ts';

const object = (name: string, namespace?: string): ApiObject => ({
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});
const named = { kind: 'ConfigMap', apiVersion: 'v1' };
const ns = '/api/v1/namespaces/ns/configmaps';

type Call = (configMaps: ResourceClient, client: Client) => Promise<unknown>;

const calls: readonly (readonly [title: string, call: Call, line: string, type?: string, body?: unknown])[] =
  [
    ['get', (c) => c.get('a'), `GET ${ns}/a`],
    ['get of a version', (c) => c.get('a', { resourceVersion: '5' }), `GET ${ns}/a?resourceVersion=5`],
    ['list', (c) => c.list(), `GET ${ns}`],
    [
      'list with options',
      (c) =>
        c.list({
          labelSelector: 'a=b',
          fieldSelector: 'metadata.name=x',
          resourceVersion: '0',
          resourceVersionMatch: 'NotOlderThan',
          limit: 5,
          continue: 't',
        }),
      `GET ${ns}?labelSelector=a%3Db&fieldSelector=metadata.name%3Dx&resourceVersion=0&resourceVersionMatch=NotOlderThan&limit=5&continue=t`,
    ],
    ['list of all namespaces', (_, client) => client.resource(configMaps).list(), 'GET /api/v1/configmaps'],
    ['list of the cluster', (_, client) => client.resource(nodes, 'ns').list(), 'GET /api/v1/nodes'],
    ['create', (c) => c.create(object('a')), `POST ${ns}`, 'application/json', { ...named, ...object('a') }],
    [
      'create in the namespace of the object',
      (_, client) => client.resource(configMaps).create(object('a', 'other')),
      'POST /api/v1/namespaces/other/configmaps',
      'application/json',
      { ...named, ...object('a', 'other') },
    ],
    [
      'create with options',
      (c) => c.create(object('a'), { dryRun: true, fieldManager: 'm', fieldValidation: 'Strict' }),
      `POST ${ns}?dryRun=All&fieldManager=m&fieldValidation=Strict`,
      'application/json',
      { ...named, ...object('a') },
    ],
    [
      'update',
      (c) => c.update({ ...object('a'), kind: 'ConfigMap', apiVersion: 'v1' }),
      `PUT ${ns}/a`,
      'application/json',
      { ...object('a'), ...named },
    ],
    ['delete', (c) => c.delete('a'), `DELETE ${ns}/a`],
    [
      'delete with options',
      (c) =>
        c.delete('a', {
          gracePeriodSeconds: 0,
          propagationPolicy: 'Foreground',
          preconditions: { uid: 'u', resourceVersion: '7' },
          dryRun: true,
        }),
      `DELETE ${ns}/a`,
      'application/json',
      {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        gracePeriodSeconds: 0,
        propagationPolicy: 'Foreground',
        preconditions: { uid: 'u', resourceVersion: '7' },
        dryRun: ['All'],
      },
    ],
    [
      'deleteCollection',
      (c) => c.deleteCollection({ labelSelector: 'a', propagationPolicy: 'Orphan' }),
      `DELETE ${ns}?labelSelector=a`,
      'application/json',
      { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Orphan' },
    ],
    [
      'JSON patch',
      (c) => c.patch.json('a', [{ op: 'add', path: '/data', value: {} }]),
      `PATCH ${ns}/a`,
      'application/json-patch+json',
      [{ op: 'add', path: '/data', value: {} }],
    ],
    [
      'merge patch',
      (c) => c.patch.merge('a', { data: null }, { dryRun: true }),
      `PATCH ${ns}/a?dryRun=All`,
      'application/merge-patch+json',
      { data: null },
    ],
    [
      'strategic merge patch',
      (c) => c.patch.strategic('a', { data: {} }, { fieldManager: 'm' }),
      `PATCH ${ns}/a?fieldManager=m`,
      'application/strategic-merge-patch+json',
      { data: {} },
    ],
    [
      'apply',
      (c) => c.patch.apply('a', { ...named }, { fieldManager: 'm', force: true }),
      `PATCH ${ns}/a?fieldManager=m&force=true`,
      'application/apply-patch+yaml',
      { ...named, metadata: { name: 'a' } },
    ],
    [
      'apply without a kind and a name',
      (c) => c.patch.apply('a', { data: {} }, { fieldManager: 'm' }),
      `PATCH ${ns}/a?fieldManager=m`,
      'application/apply-patch+yaml',
      { apiVersion: 'v1', kind: 'ConfigMap', data: {}, metadata: { name: 'a' } },
    ],
    [
      'apply to a scale',
      (_, client) => {
        const scale = client.resource(deployments, 'ns').subresource('scale');
        return scale.patch.apply('d', { spec: { replicas: 2 } }, { fieldManager: 'm' });
      },
      'PATCH /apis/apps/v1/namespaces/ns/deployments/d/scale?fieldManager=m',
      'application/apply-patch+yaml',
      { apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 2 }, metadata: { name: 'd' } },
    ],
    [
      'get of a subresource',
      (_, client) => client.resource(deployments, 'ns').subresource('scale').get('d'),
      'GET /apis/apps/v1/namespaces/ns/deployments/d/scale',
    ],
    [
      'update of a subresource',
      (_, client) => client.resource(configMaps).subresource('status').update(object('a', 'ns')),
      `PUT ${ns}/a/status`,
      'application/json',
      object('a', 'ns'),
    ],
    [
      'create of a subresource',
      (c) => c.subresource('token').create('a', { spec: {} }),
      `POST ${ns}/a/token`,
      'application/json',
      { spec: {} },
    ],
    [
      'patch of a subresource',
      (c) => c.subresource('status').patch.merge('a', { status: {} }),
      `PATCH ${ns}/a/status`,
      'application/merge-patch+json',
      { status: {} },
    ],
  ];

describe('verbs of resources', () => {
  for (const [title, call, line, type, body] of calls) {
    it(`the request of a verb is as specified: ${title}`, async () => {
      await using api = await served(({ method }) => ({
        // An object, a list and a Status at once: each caller reads the part that it requested.
        body: { metadata: { name: 'a' }, items: [], ...(method === 'DELETE' ? { kind: 'Status' } : {}) },
      }));
      await call(api.client.resource(configMaps, 'ns'), api.client);
      const [one] = api.seen;
      assert.ok(one);
      assert.equal(`${one.method} ${one.target}`, line);
      assert.equal(one.headers['content-type'], type);
      assert.equal(one.headers['user-agent'], 'test/1');
      assert.equal(one.headers.accept, 'application/json');
      assert.deepEqual(one.body === '' ? undefined : JSON.parse(one.body), body);
    });
  }

  it('invalid names are rejected before a request is sent', async () => {
    await using api = await served(() => ({}));
    const c = api.client.resource(configMaps, 'ns');
    for (const call of [
      () => c.get(''),
      () => c.delete(''),
      () => c.delete('../secrets/x'),
      () => c.update({ metadata: {} }),
      () => c.patch.merge('', {}),
      () => c.patch.apply('a', {}, { fieldManager: '' }),
      () => c.subresource('').get('a'),
      () => c.in('').delete('a'),
      () => api.client.resource(configMaps).delete('a'),
      () => api.client.resource(configMaps).create({ metadata: { name: 'a' } }),
    ]) {
      await assert.rejects(call, { name: 'RefusedRequest' });
    }
    assert.equal(api.seen.length, 0);
  });
});

describe('trials of writes', () => {
  it('a dry run that is neither true nor false is refused, and nothing is written', async () => {
    await using api = await served(() => ({}));
    const c = api.client.resource(configMaps, 'ns');
    // As a program in JavaScript may write it.
    const dryRun = 'All' as unknown as boolean;
    for (const call of [
      () => c.create({ metadata: { name: 'a' } }, { dryRun }),
      () => c.patch.apply('a', {}, { fieldManager: 'm', dryRun }),
      () => c.delete('a', { dryRun }),
    ])
      await assert.rejects(call, { name: 'RefusedRequest', message: 'dryRun: must be true or false' });
    assert.equal(api.seen.length, 0);
  });
});

describe('responses to verbs', () => {
  const list = (items: unknown, metadata: object = { resourceVersion: '9' }) => ({
    body: { kind: 'ConfigMapList', apiVersion: 'v1', metadata, items },
  });

  it('items of a list have kind and version, also if the server omits them', async () => {
    const kept = { kind: 'Own', apiVersion: 'own/v1', metadata: { name: 'b' } };
    await using api = await served(() => list([{ metadata: { name: 'a' } }, kept]));
    const { items, metadata } = await api.client.resource(configMaps).list();
    assert.deepEqual(items, [{ metadata: { name: 'a' }, ...named }, kept]);
    assert.equal(metadata.resourceVersion, '9');
  });

  it('a list can be without items', async () => {
    await using api = await served(() => list(null));
    assert.deepEqual((await api.client.resource(configMaps).list()).items, []);
  });

  for (const [what, body] of [
    ['no JSON', '<html>'],
    ['truncated JSON', '{"metadata":'],
    ['not an object', '[]'],
    ['an object without metadata', '{}'],
    ['empty', ''],
  ] as const) {
    it(`a response that is ${what} is rejected`, async () => {
      await using api = await served(() => ({ body }));
      const c = api.client.resource(configMaps, 'ns');
      await assert.rejects(c.get('a'), {
        name: 'TransportError',
        message: /the response is not/,
      });
      await assert.rejects(c.list(), { name: 'TransportError' });
      await assert.rejects(c.delete('a'), { name: 'TransportError' });
    });
  }

  it('a response beyond the maximum size is rejected', async () => {
    await using api = await served(() => ({ body: { metadata: { name: 'x'.repeat(2000) } } }), {
      maxResponseBytes: 1000,
    });
    await assert.rejects(api.client.resource(configMaps, 'ns').get('a'), /longer than 1000 bytes/);
  });

  it('a deletion resolves with the Status or the object', async () => {
    await using api = await served(({ target }) => ({
      body: target.endsWith('/gone')
        ? { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: { uid: 'u' } }
        : { metadata: { name: 'held' } },
    }));
    const c = api.client.resource(configMaps, 'ns');
    assert.deepEqual(await c.delete('gone'), {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { uid: 'u' },
      code: 200,
    });
    assert.deepEqual(await c.delete('held'), { ...named, metadata: { name: 'held' } });
  });

  it('pages are requested by the token of the previous page, without a version', async () => {
    await using api = await served(({ target }) => {
      const token = new URL(target, 'http://h').searchParams.get('continue');
      const page = token === null ? 1 : Number(token);
      return list([{ metadata: { name: String(page) } }], {
        resourceVersion: '9',
        ...(page < 3 ? { continue: String(page + 1) } : {}),
      });
    });
    const names: unknown[] = [];
    const pages = api.client
      .resource(configMaps)
      .pages({ limit: 1, resourceVersion: '9', resourceVersionMatch: 'Exact', labelSelector: 'a' });
    for await (const page of pages) names.push(page.items[0]?.metadata.name);
    assert.deepEqual(names, ['1', '2', '3']);
    assert.deepEqual(
      api.seen.map(({ target }) => target),
      [
        '/api/v1/configmaps?labelSelector=a&resourceVersion=9&resourceVersionMatch=Exact&limit=1',
        '/api/v1/configmaps?labelSelector=a&limit=1&continue=2',
        '/api/v1/configmaps?labelSelector=a&limit=1&continue=3',
      ],
    );
  });
});

describe('metadata clients', () => {
  for (const naming of ['orch', 'kubernetes'] as const) {
    it(`a metadata client requests metadata only, with the kind of the resource (${naming})`, async () => {
      const version = `meta.${naming === 'orch' ? 'orch' : 'k8s'}.io/v1`;
      await using api = await served(
        ({ headers }) => {
          const isList = String(headers.accept).includes('PartialObjectMetadataList');
          const partial = { kind: 'PartialObjectMetadata', apiVersion: version, metadata: { name: 'a' } };
          return { body: isList ? { metadata: {}, items: [partial] } : partial };
        },
        { naming },
      );
      const c = api.client.metadata(deployments, 'ns');
      const expected = { kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name: 'a' } };
      assert.deepEqual(await c.get('a'), expected);
      assert.deepEqual((await c.in('other').list()).items, [expected]);
      assert.deepEqual(await c.patch.merge('a', {}), expected);
      const group = version.split('/')[0];
      assert.equal(
        api.seen[0]?.headers.accept,
        `application/json;as=PartialObjectMetadata;g=${group};v=v1,application/json`,
      );
    });
  }
});

describe('raw requests', () => {
  it('a raw request resolves with parsed JSON, or text for other content', async () => {
    await using api = await served(({ target }) => ({ body: target === '/text' ? 'ok' : { a: 1 } }));
    assert.equal(await api.client.raw({ method: 'GET', target: '/text', headers: { 'x-a': '1' } }), 'ok');
    assert.deepEqual(await api.client.raw({ method: 'GET', target: '/json', headers: {} }), { a: 1 });
    assert.equal(api.seen[0]?.headers['x-a'], '1');
    assert.equal(api.seen[0]?.headers['user-agent'], 'test/1');
  });
});

describe('numbers of options and bodies', () => {
  const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;
  it('a body, a limit, a timeout and a grace period that are not finite are refused and not sent', async () => {
    await using api = await served(() => ({ body: { metadata: {} } }));
    const c = api.client.resource(configMaps, 'ns');
    const object = { metadata: { name: 'a' }, spec: { n: infinity } };
    for (const [refused, message] of [
      [c.patch.merge('a', { replicas: nan }), /^replicas: must be a finite number, not NaN/],
      [c.patch.strategic('a', { replicas: infinity }), /^replicas: must be a finite/],
      [c.patch.apply('a', { spec: { n: nan } }, { fieldManager: 'm' }), /^spec\.n: must be a finite/],
      [c.patch.json('a', [{ op: 'add', path: '/x', value: nan }]), /^\[0\]\.value: must be a finite/],
      [c.create(object), /^spec\.n: must be a finite/],
      [c.update(object), /^spec\.n: must be a finite/],
      [c.delete('a', { gracePeriodSeconds: nan }), /^gracePeriodSeconds: must be a finite/],
      [c.list({ limit: nan }), /^limit: must be a finite/],
      [c.watch({ timeoutSeconds: infinity })[Symbol.asyncIterator]().next(), /^timeoutSeconds: must be/],
    ] as const)
      await assert.rejects(refused, { name: 'RangeError', message });
    assert.deepEqual(api.seen, []);
  });

  it('a client with a timeout or a maximum that is not finite is not made', () => {
    const transport: Transport = {
      send: () => Promise.reject(new Error('unused')),
      reset: () => undefined,
      close: async () => undefined,
    };
    const env = testEnv();
    for (const options of [{ timeoutMs: nan }, { maxResponseBytes: nan }, { timeoutMs: 0 }])
      assert.throws(
        () => createClient({ transport, names: namesFor('orch'), env, userAgent: 'test/1', ...options }),
        { name: 'RangeError' },
      );
  });
});
