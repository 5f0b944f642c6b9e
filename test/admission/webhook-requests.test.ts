import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { admitting, patching, type Review, webhookEntry } from '@orch/server/testing';
import { configMaps, jsonOf, WebhookCluster } from './webhook-cluster.ts';

const configMap = (name: string, data: object = { a: '1' }): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

/** The content of a review about a write, in one line. */
const summary = ({
  operation,
  resource,
  subResource = '',
  name,
  object,
  oldObject,
  options,
  dryRun,
}: Review) =>
  [
    operation,
    subResource === '' ? resource.resource : `${resource.resource}/${subResource}`,
    name,
    ...(object === null ? [] : ['object']),
    ...(oldObject === null ? [] : ['oldObject']),
    options?.kind ?? 'no options',
    ...(dryRun ? ['dry run'] : []),
  ].join(' ');

const apply = { contentType: 'application/apply-patch+yaml' };
const merge = { contentType: 'application/merge-patch+json' };

describe('reviews of a validating webhook', { timeout: 120_000 }, () => {
  let cluster: WebhookCluster;
  let configuration: AsyncDisposable;

  before(async () => {
    cluster = await WebhookCluster.start();
    const rule = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
    const namespaceSelector = {
      matchExpressions: [{ key: 'orch.io/metadata.name', operator: 'In', values: ['default'] }],
    };
    configuration = await cluster.configure('validating', 'all', [
      webhookEntry(cluster.webhook, { rule, namespaceSelector }),
    ]);
  });
  after(async () => {
    await configuration[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  /** The summaries of the reviews of this test; other programs write too. */
  const reviews = (name: string): readonly string[] =>
    cluster
      .taken()
      .filter((request) => request.name === name || request.name === undefined)
      .map(summary);

  const path = (name: string): string => `${configMaps}/${name}`;

  it('reviews of a validating webhook show each way to write an object', async () => {
    const { client } = cluster;
    cluster.taken();
    jsonOf(await client.post(configMaps, configMap('w')), 201);
    jsonOf(await client.put(path('w'), configMap('w', { a: '2' })));
    jsonOf(await client.send('PATCH', path('w'), { ...merge, body: { data: { b: '1' } } }));
    const applied = { ...apply, body: configMap('w', { c: '1' }) };
    jsonOf(await client.send('PATCH', `${path('w')}?fieldManager=m`, applied));
    jsonOf(await client.send('PATCH', `${path('w')}?fieldManager=m`, applied));
    jsonOf(await client.send('PATCH', `${path('w')}?fieldManager=m`, applied));
    jsonOf(await client.delete(`${path('w')}?dryRun=All`));
    jsonOf(await client.delete(path('w')));
    assert.deepEqual(reviews('w'), [
      'CREATE configmaps w object CreateOptions',
      'UPDATE configmaps w object oldObject UpdateOptions',
      'UPDATE configmaps w object oldObject UpdateOptions',
      'UPDATE configmaps w object oldObject UpdateOptions',
      'UPDATE configmaps w object oldObject UpdateOptions',
      'UPDATE configmaps w object oldObject UpdateOptions',
      'DELETE configmaps w oldObject DeleteOptions dry run',
      'DELETE configmaps w oldObject DeleteOptions',
    ]);
  });

  it('reviews of a validating webhook show each object of a collection that is deleted', async () => {
    const { client } = cluster;
    for (const name of ['c1', 'c2'])
      jsonOf(
        await client.post(configMaps, { ...configMap(name), metadata: { name, labels: { of: 'c' } } }),
        201,
      );
    cluster.taken();
    jsonOf(await client.delete(`${configMaps}?labelSelector=of%3Dc`));
    const deleted = cluster.taken().map(summary).toSorted();
    assert.deepEqual(deleted, [
      'DELETE configmaps c1 oldObject DeleteOptions',
      'DELETE configmaps c2 oldObject DeleteOptions',
    ]);
  });

  it('reviews of a validating webhook show objects of subresources', async () => {
    const { client } = cluster;
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template },
    };
    jsonOf(await client.post(deployments, deployment), 201);
    cluster.taken();
    jsonOf(
      await client.send('PATCH', `${deployments}/d/scale`, { ...merge, body: { spec: { replicas: 3 } } }),
    );
    jsonOf(
      await client.send('PATCH', `${deployments}/d/status`, { ...merge, body: { status: { replicas: 3 } } }),
    );
    const [scale, status] = cluster.taken();
    assert.equal(summary(scale), 'UPDATE deployments/scale d object oldObject UpdateOptions');
    assert.deepEqual(scale.kind, { group: 'autoscaling', version: 'v1', kind: 'Scale' });
    assert.deepEqual([scale.object.spec, scale.oldObject.spec], [{ replicas: 3 }, {}]);
    assert.equal(summary(status), 'UPDATE deployments/status d object oldObject UpdateOptions');
    assert.deepEqual([status.object.status, status.object.spec.replicas], [{ replicas: 3 }, 3]);
  });

  it('reviews of a validating webhook show connections to pods with their options, before the connection is opened', async () => {
    const { client } = cluster;
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    };
    jsonOf(await client.post('/api/v1/namespaces/default/pods', pod), 201);
    cluster.taken();
    cluster.webhook.answer = admitting(({ operation }) =>
      operation === 'CONNECT' ? { allowed: false, status: { code: 403, message: 'no commands' } } : {},
    );
    const answer = await client.post(
      '/api/v1/namespaces/default/pods/p/exec?command=ls&command=-l&stdin=true',
      '',
    );
    cluster.webhook.answer = admitting();
    assert.equal(
      jsonOf(answer, 403).message,
      'admission webhook "w.example.com" denied the request: no commands',
    );
    const [review] = cluster.taken();
    assert.equal(summary(review), 'CONNECT pods/exec p object no options');
    const { kind, apiVersion, metadata, ...fields } = review.object;
    assert.deepEqual([kind, apiVersion, metadata], ['PodExecOptions', 'v1', undefined]);
    assert.deepEqual(fields, { stdin: true, command: ['ls', '-l'] });
  });

  it('reviews of a validating webhook show the options that a mutating webhook has given a connection, which then are used', async () => {
    const { client, webhook } = cluster;
    await using _mutating = await cluster.configure('mutating', 'commands', [
      webhookEntry(webhook, { rule: { operations: ['CONNECT'], resources: ['pods/exec'] } }),
    ]);
    cluster.taken();
    webhook.answer = admitting(({ object }) =>
      object['container'] === 'other'
        ? {}
        : patching(
            { op: 'replace', path: '/command', value: ['id'] },
            { op: 'add', path: '/container', value: 'other' },
          ),
    );
    const answer = await client.post('/api/v1/namespaces/default/pods/p/exec?command=ls', '');
    webhook.answer = admitting();
    const shown = cluster.taken().map(({ object }) => [object.command, object.container]);
    assert.deepEqual(shown, [
      [['ls'], undefined],
      [['id'], 'other'],
    ]);
    // The pod has another container.
    assert.match(jsonOf(answer, 400).message, /other/);
  });

  it('reviews of a validating webhook show who writes, and the version of the request', async () => {
    const { client } = cluster;
    cluster.taken();
    jsonOf(await client.post(configMaps, configMap('u')), 201);
    const [{ uid, userInfo, namespace, kind, resource, requestKind, requestResource, object }] =
      cluster.taken();
    assert.match(uid, /^[0-9a-f-]{36}$/);
    assert.ok(userInfo.groups.includes('system:masters'));
    assert.equal(namespace, 'default');
    assert.deepEqual(kind, { group: '', version: 'v1', kind: 'ConfigMap' });
    assert.deepEqual(resource, { group: '', version: 'v1', resource: 'configmaps' });
    assert.deepEqual([requestKind, requestResource], [kind, resource]);
    assert.deepEqual([object.kind, object.apiVersion, object.data], ['ConfigMap', 'v1', { a: '1' }]);
  });
});
