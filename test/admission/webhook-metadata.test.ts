import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { JsonObject } from '@orch/machinery/json';
import { admitting, patching, webhookEntry } from '@orch/server/testing';
import type { ApiResponse } from '@orch/testkit';
import { configMaps, jsonOf, WebhookCluster } from './webhook-cluster.ts';

const json = { contentType: 'application/json-patch+json' };
const merge = { contentType: 'application/merge-patch+json' };
const strategic = { contentType: 'application/strategic-merge-patch+json' };
const apply = { contentType: 'application/apply-patch+yaml' };
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';

const claim = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
});

const configMap = (name: string, data: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const deployment = (name: string): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 0,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});

type Outcome = 'refused' | 'ignored' | 'stored';

/** The metadata that a webhook sets: in new objects, and in updates. */
const table: readonly (readonly [path: string, value: unknown, onCreate: Outcome, onUpdate: Outcome])[] = [
  ['kind', 'Secret', 'refused', 'refused'],
  ['apiVersion', 'v2', 'refused', 'refused'],
  ['apiVersion', 'batch/v1', 'refused', 'refused'],
  ['metadata.name', 'other', 'refused', 'refused'],
  ['metadata.namespace', 'other', 'refused', 'refused'],
  ['metadata.resourceVersion', '1', 'refused', 'refused'],
  ['metadata.uid', 'u', 'ignored', 'refused'],
  ['metadata.selfLink', '/self', 'ignored', 'ignored'],
  ['metadata.generation', 99, 'ignored', 'ignored'],
  ['metadata.creationTimestamp', '2001-02-03T04:05:06Z', 'ignored', 'ignored'],
  ['metadata.deletionTimestamp', '2001-02-03T04:05:06Z', 'ignored', 'ignored'],
  ['metadata.deletionGracePeriodSeconds', 7, 'ignored', 'ignored'],
  ['metadata.managedFields', [{ manager: 'w', operation: 'Apply' }], 'ignored', 'ignored'],
  ['metadata.generateName', 'g-', 'stored', 'stored'],
  ['metadata.labels', { set: 'yes' }, 'stored', 'stored'],
  ['metadata.annotations', { set: 'yes' }, 'stored', 'stored'],
  ['metadata.finalizers', ['example.com/f'], 'stored', 'stored'],
  ['metadata.ownerReferences', [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }], 'stored', 'stored'],
];

const at = (object: JsonObject, path: string): unknown =>
  path.split('.').reduce<unknown>((value, field) => (value as JsonObject | undefined)?.[field], object);

describe('metadata that a mutating webhook sets', { timeout: 120_000 }, () => {
  let cluster: WebhookCluster;
  let made = 0;
  before(async () => {
    cluster = await WebhookCluster.start();
  });
  after(async () => cluster[Symbol.asyncDispose]());

  const patchOf = (name: string, contentType: object, body: object): Promise<ApiResponse> =>
    cluster.client.send('PATCH', `${configMaps}/${name}`, { ...contentType, body });
  const applied = (name: string): Promise<ApiResponse> => {
    const options = { ...apply, body: configMap(name, { c: '1' }) };
    return cluster.client.send('PATCH', `${configMaps}/${name}?fieldManager=a&force=true`, options);
  };
  const creations: Readonly<Record<string, (name: string) => Promise<ApiResponse>>> = {
    create: (name) => cluster.client.post(configMaps, configMap(name)),
    'create in a dry run': (name) => cluster.client.post(`${configMaps}?dryRun=All`, configMap(name)),
    'apply that creates': applied,
  };
  const updates: Readonly<Record<string, (name: string) => Promise<ApiResponse>>> = {
    update: (name) => cluster.client.put(`${configMaps}/${name}`, configMap(name, { b: '1' })),
    'JSON patch': (name) => patchOf(name, json, [{ op: 'add', path: '/data/b', value: '1' }]),
    'merge patch': (name) => patchOf(name, merge, { data: { b: '1' } }),
    'strategic patch': (name) => patchOf(name, strategic, { data: { b: '1' } }),
    apply: applied,
  };

  /** Sends a write whose object the webhook patches, and returns the response and the object stored before. */
  async function patched(
    send: (name: string) => Promise<ApiResponse>,
    operation: object,
    exists: boolean,
  ): Promise<{ readonly answer: ApiResponse; readonly before: JsonObject }> {
    const name = `o-${made++}`;
    cluster.webhook.answer = admitting();
    const before = exists
      ? jsonOf(await cluster.client.post(configMaps, configMap(name, { a: '1' })), 201)
      : {};
    cluster.webhook.answer = admitting(() => patching(operation));
    const answer = await send(name);
    cluster.webhook.answer = admitting();
    return { answer, before };
  }

  function assertOutcome(
    answer: ApiResponse,
    before: JsonObject,
    row: (typeof table)[number],
    way: string,
  ): void {
    const [path, value, onCreate, onUpdate] = row;
    const outcome = way in creations ? onCreate : onUpdate;
    const object = answer.json as JsonObject;
    if (outcome === 'refused') {
      assert.equal(answer.status, 500, way);
      assert.equal(
        object['message'],
        `Internal error occurred: admission webhook "w.example.com" attempted to modify ${path}, which it may not change`,
        way,
      );
      return;
    }
    assert.ok([200, 201].includes(answer.status), `${way}: ${answer.text}`);
    if (outcome === 'stored') assert.deepEqual(at(object, path), value, way);
    else assert.notDeepEqual(at(object, path), value, way);
    for (const field of ['uid', 'creationTimestamp'])
      if ('metadata' in before)
        assert.equal(at(object, `metadata.${field}`), at(before, `metadata.${field}`));
  }

  for (const row of table) {
    const [path, value, onCreate, onUpdate] = row;
    it(`${path} = ${JSON.stringify(value)} is ${onCreate} in creations and ${onUpdate} in updates`, async () => {
      await using _configuration = await cluster.configure('mutating', 'm', [webhookEntry(cluster.webhook)]);
      const operation = { op: 'add', path: `/${path.replace('.', '/')}`, value };
      for (const [way, send] of Object.entries({ ...creations, ...updates })) {
        const { answer, before } = await patched(send, operation, way in updates);
        assertOutcome(answer, before, row, way);
      }
    });
  }

  for (const subresource of ['status', 'scale'] as const)
    it(`metadata of the server that is set through ${subresource} is refused or ignored`, async () => {
      const { client, webhook } = cluster;
      const path = `${deployments}/${subresource}`;
      const { metadata } = jsonOf(await client.post(deployments, deployment(subresource)), 201);
      const rule = { apiGroups: ['apps'], resources: [`deployments/${subresource}`] };
      await using _configuration = await cluster.configure('mutating', 'm', [
        webhookEntry(webhook, { rule }),
      ]);
      for (const [field, value, , onUpdate] of table.filter(([, , , outcome]) => outcome !== 'stored')) {
        webhook.answer = admitting(() => patching({ op: 'add', path: `/${field.replace('.', '/')}`, value }));
        const body = subresource === 'status' ? { status: { replicas: 1 } } : { spec: { replicas: 0 } };
        const answer = await client.send('PATCH', `${path}/${subresource}`, { ...merge, body });
        assert.equal(answer.status, onUpdate === 'refused' ? 500 : 200, `${field}: ${answer.text}`);
        if (onUpdate === 'refused')
          assert.match(answer.text, /attempted to modify .*, which it may not change/, field);
        const after = jsonOf(await client.get(path)).metadata;
        const { resourceVersion: _after, managedFields: _owners, ...kept } = after;
        const { resourceVersion: _before, managedFields: _first, ...expected } = metadata;
        assert.deepEqual(kept, expected, field);
      }
      webhook.answer = admitting();
    });

  for (const [what, operations, message] of [
    ['null', [{ op: 'replace', path: '', value: null }], /whose result is not an object/],
    ['an array', [{ op: 'replace', path: '', value: [] }], /whose result is not an object/],
    ['no metadata', [{ op: 'remove', path: '/metadata' }], /whose result is not an object/],
    [
      'labels of another type',
      [{ op: 'add', path: '/metadata/labels', value: 7 }],
      /whose result is invalid/,
    ],
    ['data of another type', [{ op: 'add', path: '/data', value: 'x' }], /whose result is invalid/],
    ['a failed test', [{ op: 'test', path: '/kind', value: 'Pod' }], /that cannot be applied/],
    [
      '10,001 operations',
      Array.from({ length: 10_001 }, () => ({ op: 'add', path: '/data', value: {} })),
      /at most 10000 operations/,
    ],
  ] as const)
    it(`a patch that results in ${what} fails the write, and the answer names the webhook`, async () => {
      await using _configuration = await cluster.configure('mutating', 'm', [webhookEntry(cluster.webhook)]);
      for (const [way, send] of Object.entries({ ...creations, ...updates })) {
        const name = `o-${made++}`;
        cluster.webhook.answer = admitting();
        if (way in updates) jsonOf(await cluster.client.post(configMaps, configMap(name, { a: '1' })), 201);
        cluster.webhook.answer = admitting(() => patching(...operations));
        const { status, json: body } = await send(name);
        const text = (body as { readonly message: string }).message;
        assert.equal(status, 500, `${way}: ${text}`);
        assert.match(text, /admission webhook "w\.example\.com" /, way);
        assert.match(text, message, way);
      }
      cluster.webhook.answer = admitting();
    });

  it('a patch of 10,000 operations is applied to the object', async () => {
    await using _configuration = await cluster.configure('mutating', 'm', [webhookEntry(cluster.webhook)]);
    const operations = Array.from({ length: 10_000 }, (_, i) => ({
      op: 'add',
      path: '/data',
      value: { i: `${i}` },
    }));
    cluster.webhook.answer = admitting(() => patching(...operations));
    const { data } = jsonOf(await cluster.client.post(configMaps, configMap('many')), 201);
    assert.deepEqual(data, { i: '9999' });
    cluster.webhook.answer = admitting();
  });

  it('an object that is larger than the store permits after a patch is refused', async () => {
    await using _configuration = await cluster.configure('mutating', 'm', [webhookEntry(cluster.webhook)]);
    const grow = { op: 'add', path: '/data', value: { big: 'x'.repeat(700_000) } };
    cluster.webhook.answer = admitting(() =>
      patching(grow, { op: 'copy', from: '/data/big', path: '/data/more' }),
    );
    const answer = await cluster.client.post(configMaps, configMap('large'));
    assert.equal(answer.status, 422, answer.text);
    assert.match((answer.json as { readonly message: string }).message, /must have at most 1048576 bytes/);
    cluster.webhook.answer = admitting();
  });

  it('the status that a webhook sets in a new object or its update is ignored', async () => {
    const { client } = cluster;
    const rule = { resources: ['persistentvolumeclaims'] };
    await using _configuration = await cluster.configure('mutating', 'm', [
      webhookEntry(cluster.webhook, { rule }),
    ]);
    cluster.webhook.answer = admitting(() =>
      patching({ op: 'add', path: '/status', value: { phase: 'Bound', capacity: { storage: '9Gi' } } }),
    );
    const created = jsonOf(await client.post(claims, claim('c')), 201);
    assert.deepEqual(created.status, { phase: 'Pending' });
    const labelled = { metadata: { labels: { a: 'b' } } };
    const updated = jsonOf(await client.send('PATCH', `${claims}/c`, { ...merge, body: labelled }));
    assert.deepEqual([updated.status, updated.metadata.labels], [{ phase: 'Pending' }, { a: 'b' }]);
    cluster.webhook.answer = admitting();
  });
});
