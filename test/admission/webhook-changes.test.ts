import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { admitting, patching, type Review, webhookEntry } from '@orch/server/testing';
import { configMaps, jsonOf, WebhookCluster } from './webhook-cluster.ts';

const apply = { contentType: 'application/apply-patch+yaml' };
const merge = { contentType: 'application/merge-patch+json' };
const configMap = (name: string, data: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
const setData = (name: string, value: string) => ({ op: 'add', path: `/data/${name}`, value });

describe('objects that a mutating webhook changes', { timeout: 120_000 }, () => {
  let cluster: WebhookCluster;
  before(async () => {
    cluster = await WebhookCluster.start();
  });
  after(async () => cluster[Symbol.asyncDispose]());

  it('objects that a mutating webhook changes are stored as it returned them, regardless of the kind of write', async () => {
    const { client, webhook } = cluster;
    webhook.answer = admitting(({ operation, object }) =>
      operation === 'DELETE' ? {} : patching(setData('seen', `${operation} ${Object.keys(object.data)}`)),
    );
    await using _configuration = await cluster.configure('mutating', 'm', [webhookEntry(webhook)]);
    const path = `${configMaps}/m`;
    const dataOf = async (method: string, at: string, options: object, status = 200) =>
      jsonOf(await client.send(method, at, options), status).data;
    const created = await dataOf('POST', configMaps, { body: configMap('m', { a: '1' }) }, 201);
    assert.deepEqual(created, { a: '1', seen: 'CREATE a' });
    const updated = await dataOf('PUT', path, { body: configMap('m', { b: '1' }) });
    assert.deepEqual(updated, { b: '1', seen: 'UPDATE b' });
    const patched = await dataOf('PATCH', path, { ...merge, body: { data: { c: '1' } } });
    assert.deepEqual(patched, { b: '1', c: '1', seen: 'UPDATE b,c,seen' });
    const applied = { ...apply, body: configMap('m', { d: '1' }) };
    assert.equal((await dataOf('PATCH', `${path}?fieldManager=x`, applied)).d, '1');
    const dry = await dataOf('PATCH', `${path}?dryRun=All`, { ...merge, body: { data: { c: '2' } } });
    assert.equal(dry.seen, 'UPDATE b,c,d,seen');
    const stored = jsonOf(await client.get(path));
    assert.deepEqual([stored.data.c, stored.data.seen], ['1', 'UPDATE b,c,d,seen']);
    jsonOf(await client.delete(path));
    webhook.answer = admitting();
  });

  it('objects that a mutating webhook changes are defaulted and validated afterwards, and shown so to validating webhooks', async () => {
    const { client, webhook } = cluster;
    const pods = '/api/v1/namespaces/default/pods';
    const rule = { operations: ['CREATE'], resources: ['pods'] };
    const container = (name: string): object => ({ name, image: 'i' });
    let patch = [{ op: 'add', path: '/spec/containers/-', value: container('sidecar') }];
    webhook.answer = admitting(({ object }) => (object.metadata.uid === undefined ? patching(...patch) : {}));
    await using _mutating = await cluster.configure('mutating', 'm', [webhookEntry(webhook, { rule })]);
    await using _validating = await cluster.configure('validating', 'v', [webhookEntry(webhook, { rule })]);
    const pod = (name: string): object => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { containers: [container('c')] },
    });
    cluster.taken();
    const { spec } = jsonOf(await client.post(pods, pod('p')), 201);
    const [, sidecar] = spec.containers;
    assert.deepEqual([sidecar.name, sidecar.terminationMessagePolicy], ['sidecar', 'File']);
    // The service account plugin mounts tokens in containers that are added later, too.
    assert.equal(sidecar.volumeMounts?.length, spec.containers[0].volumeMounts?.length);
    const seen = cluster.taken().at(-1)?.object;
    assert.deepEqual(seen.spec.containers, spec.containers);
    assert.equal(typeof seen.metadata.uid, 'string');
    patch = [{ op: 'add', path: '/spec/containers/-', value: container('Not A Name') }];
    const invalid = jsonOf(await client.post(pods, pod('q')), 422);
    assert.match(invalid.message, /spec\.containers\[1\]\.name: Invalid value/);
    webhook.answer = admitting();
  });

  it('change in their status only when the status is written', async () => {
    const { client, webhook } = cluster;
    const namespaces = '/api/v1/namespaces/labelled';
    jsonOf(
      await client.post('/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'labelled' },
      }),
      201,
    );
    const rule = { resources: ['namespaces/status'] };
    webhook.answer = admitting(() =>
      patching(
        { op: 'add', path: '/spec/finalizers/-', value: 'example.com/x' },
        { op: 'add', path: '/status/conditions', value: [{ type: 'Seen', status: 'True' }] },
      ),
    );
    await using _configuration = await cluster.configure('mutating', 'm', [webhookEntry(webhook, { rule })]);
    const body = { status: { phase: 'Active' } };
    const { spec, status } = jsonOf(await client.send('PATCH', `${namespaces}/status`, { ...merge, body }));
    assert.equal(status.conditions?.[0]?.type, 'Seen');
    assert.equal(spec.finalizers.length, 1);
    webhook.answer = admitting();
  });

  it('objects that a mutating webhook changes keep the number that a webhook sets through the scale subresource', async () => {
    const { client, webhook } = cluster;
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template },
    };
    jsonOf(await client.post(deployments, deployment), 201);
    webhook.answer = admitting(() => patching({ op: 'add', path: '/spec/replicas', value: 2 }));
    const rule = { apiGroups: ['apps'], resources: ['*/scale'] };
    await using _configuration = await cluster.configure('mutating', 'm', [webhookEntry(webhook, { rule })]);
    const body = { spec: { replicas: 5 } };
    const scale = jsonOf(await client.send('PATCH', `${deployments}/d/scale`, { ...merge, body }));
    assert.deepEqual([scale.kind, scale.spec.replicas], ['Scale', 2]);
    assert.equal(jsonOf(await client.get(`${deployments}/d`)).spec.replicas, 2);
    webhook.answer = admitting();
  });

  for (const [verb, query, request] of [
    ['patch', '', { ...merge, body: { data: { slow: '1' } } }],
    ['apply', '?fieldManager=slow', { ...apply, body: configMap('raced-apply', { slow: '1' }) }],
  ] as const)
    it(`objects that a mutating webhook changes are shown with their state in the store to webhooks, when another write comes between a ${verb}`, async () => {
      const { client, webhook } = cluster;
      const name = `raced-${verb}`;
      const path = `${configMaps}/${name}`;
      const before = jsonOf(await client.post(configMaps, configMap(name, { n: '0' })), 201);
      const reviewed = Promise.withResolvers<void>();
      const go = Promise.withResolvers<void>();
      const allow = admitting();
      webhook.answer = (review, response) => {
        const isFirst = review.request.object.data.slow === '1' && review.request.oldObject.data.n === '0';
        if (isFirst) reviewed.resolve();
        void (isFirst ? go.promise : Promise.resolve()).then(() => allow(review, response));
      };
      await using _configuration = await cluster.configure('validating', 'v', [webhookEntry(webhook)]);
      cluster.taken();
      const slow = client.send('PATCH', path + query, request);
      await reviewed.promise;
      const between = jsonOf(await client.send('PATCH', path, { ...merge, body: { data: { n: '1' } } }));
      go.resolve();
      const after = jsonOf(await slow);
      const versions = cluster
        .taken()
        .map(({ object, oldObject }: Review) => [
          oldObject.metadata.resourceVersion,
          oldObject.data,
          object.data,
        ]);
      assert.deepEqual(versions, [
        [before.metadata.resourceVersion, { n: '0' }, { n: '0', slow: '1' }],
        [before.metadata.resourceVersion, { n: '0' }, { n: '1' }],
        [between.metadata.resourceVersion, { n: '1' }, { n: '1', slow: '1' }],
      ]);
      assert.deepEqual(after.data, { n: '1', slow: '1' });
      webhook.answer = admitting();
    });

  it('secrets that a mutating webhook changes are refused with the reason that the webhook gives', async () => {
    const { client, webhook } = cluster;
    const rule = { resources: ['secrets'] };
    webhook.answer = admitting(() => ({ allowed: false, status: { code: 403, message: 'no secrets' } }));
    await using _configuration = await cluster.configure('mutating', 'm', [webhookEntry(webhook, { rule })]);
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } };
    const refused = jsonOf(await client.post('/api/v1/namespaces/default/secrets', secret), 403);
    assert.equal(refused.message, 'admission webhook "w.example.com" denied the request: no secrets');
    webhook.answer = admitting();
  });

  it('objects that a mutating webhook changes are not the configurations of webhooks', async () => {
    const { webhook } = cluster;
    const rule = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
    webhook.answer = admitting(() => ({ allowed: false }));
    const all = await cluster.configure('validating', 'all', [webhookEntry(webhook, { rule })]);
    await all[Symbol.asyncDispose]();
    webhook.answer = admitting();
  });
});
