import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { admitting, webhookEntry } from '@orch/server/testing';
import { jsonOf, WebhookCluster } from './webhook-cluster.ts';

const merge = { contentType: 'application/merge-patch+json' };
const chosen = { matchLabels: { chosen: 'yes' } };
const rule = { operations: ['*'], resources: ['configmaps'] };

const labels = (isChosen: boolean): object => ({ labels: { chosen: isChosen ? 'yes' : null } });

const configMap = (name: string, isChosen: boolean): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: isChosen ? { chosen: 'yes' } : {} },
});

describe('selectors of a webhook', { timeout: 120_000 }, () => {
  let cluster: WebhookCluster;
  before(async () => {
    cluster = await WebhookCluster.start();
    for (const [name, isChosen] of [
      ['in', true],
      ['out', false],
    ] as const) {
      const metadata = { name, labels: isChosen ? { chosen: 'yes' } : {} };
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata };
      jsonOf(await cluster.client.post('/api/v1/namespaces', namespace), 201);
    }
  });
  after(() => cluster[Symbol.asyncDispose]());

  const pathIn = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;

  /** The operations of the reviews about an object of a test. */
  const operationsOn = (name: string): readonly string[] =>
    cluster
      .taken()
      .filter((review) => review.name === name)
      .map(({ operation }) => operation);

  for (const phase of ['mutating', 'validating'] as const) {
    for (const [before, next, expected] of [
      [true, true, ['CREATE', 'UPDATE', 'DELETE']],
      // The old object matches the update.
      [true, false, ['CREATE', 'UPDATE']],
      [false, true, ['UPDATE', 'DELETE']],
      [false, false, []],
    ] as const)
      it(`selectors of a webhook match objects for a ${phase} webhook: ${before ? 'chosen' : 'others'} that become ${next ? 'chosen' : 'others'}`, async () => {
        const { client, webhook } = cluster;
        webhook.answer = admitting();
        await using _configuration = await cluster.configure(phase, 'objects', [
          webhookEntry(webhook, { rule, objectSelector: chosen }),
        ]);
        const name = `${phase}-${before}-${next}`;
        jsonOf(await client.post(pathIn('default'), configMap(name, before)), 201);
        const path = `${pathIn('default')}/${name}`;
        jsonOf(
          await client.send('PATCH', path, { body: { metadata: labels(next), data: { a: '1' } }, ...merge }),
        );
        jsonOf(await client.delete(path));
        assert.deepEqual(operationsOn(name), expected);
      });

    it(`selectors of a webhook match namespaces for a ${phase} webhook, in each kind of write`, async () => {
      const { client, webhook } = cluster;
      await using _configuration = await cluster.configure(phase, 'namespaces', [
        webhookEntry(webhook, { rule, namespaceSelector: chosen }),
      ]);
      for (const [namespace, expected] of [
        ['in', ['CREATE', 'UPDATE', 'DELETE', 'CREATE', 'DELETE']],
        ['out', []],
      ] as const) {
        const name = `${phase}-all`;
        const path = `${pathIn(namespace)}/${name}`;
        jsonOf(await client.post(pathIn(namespace), configMap(name, false)), 201);
        jsonOf(await client.send('PATCH', path, { body: { data: { a: '1' } }, ...merge }));
        jsonOf(await client.delete(path));
        jsonOf(await client.post(pathIn(namespace), configMap(name, true)), 201);
        jsonOf(await client.delete(`${pathIn(namespace)}?labelSelector=chosen%3Dyes`));
        assert.deepEqual(operationsOn(name), expected);
      }
    });

    it(`selectors of a webhook match the namespace as it is labelled at the time of the write, for a ${phase} webhook`, async () => {
      const { client, webhook } = cluster;
      await using _configuration = await cluster.configure(phase, 'labelled', [
        webhookEntry(webhook, { rule, namespaceSelector: chosen }),
      ]);
      const name = `${phase}-relabelled`;
      const path = `${pathIn('out')}/${name}`;
      jsonOf(await client.post(pathIn('out'), configMap(name, false)), 201);
      const namespace = '/api/v1/namespaces/out';
      const relabel = async (isChosen: boolean): Promise<void> => {
        const { metadata } = jsonOf(
          await client.send('PATCH', namespace, { body: { metadata: labels(isChosen) }, ...merge }),
        );
        jsonOf(await client.get(`${namespace}?resourceVersion=${metadata.resourceVersion}`));
      };
      await relabel(true);
      jsonOf(await client.send('PATCH', path, { body: { data: { a: '2' } }, ...merge }));
      await relabel(false);
      jsonOf(await client.delete(path));
      assert.deepEqual(operationsOn(name), ['UPDATE']);
    });
  }
});
