import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  admitting,
  convertGates,
  GATE_GROUP,
  gate1,
  gate2,
  gateDefinition,
  gatesPath,
  patching,
  WebhookServer,
  webhookEntry,
} from '@orch/server/testing';
import { bind, constraintsOf, refusedBy, servesPolicies } from './policies.ts';
import { jsonOf, WebhookCluster } from './webhook-cluster.ts';

const merge = { contentType: 'application/merge-patch+json' };

describe('custom resources with a conversion webhook, under admission webhooks', { timeout: 120_000 }, () => {
  let cluster: WebhookCluster;
  let conversion: WebhookServer;
  before(async () => {
    conversion = await WebhookServer.start(convertGates);
    cluster = await WebhookCluster.start({ args: [servesPolicies] });
    const { client } = cluster;
    const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
    jsonOf(await client.post(definitions, gateDefinition(conversion)), 201);
    const deadline = AbortSignal.timeout(30_000);
    while ((await client.get(gatesPath('v2'))).status === 404) deadline.throwIfAborted();
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    await conversion.stop();
  });

  const rule = (version: string): object => ({
    apiGroups: [GATE_GROUP],
    apiVersions: [version],
    resources: ['gates'],
  });
  const kind = (version: string): object => ({ group: GATE_GROUP, version, kind: 'Gate' });

  it('custom resources with a conversion webhook are sent in the version of the rule, and changed there', async () => {
    const { client, webhook } = cluster;
    webhook.answer = admitting(({ operation }) =>
      operation === 'DELETE' ? {} : patching({ op: 'replace', path: '/spec/port', value: 443 }),
    );
    await using _mutating = await cluster.configure('mutating', 'm', [
      webhookEntry(webhook, { rule: rule('v1') }),
    ]);
    cluster.taken();
    const created = jsonOf(await client.post(gatesPath('v2'), gate2('a', 'h:80')), 201);
    assert.deepEqual(created.spec, { address: 'h:443', tier: 'usual' });
    const patch = { ...merge, body: { spec: { address: 'i:80', tier: 'best' } } };
    const patched = jsonOf(await client.send('PATCH', gatesPath('v2', 'a'), patch));
    assert.deepEqual(patched.spec, { address: 'i:443', tier: 'best' });
    // A server with a stale cache asks again for the newest state.
    const reviews = cluster.taken();
    const [first, second] = [reviews[0], reviews.at(-1)];
    assert.deepEqual([first.kind, first.requestKind], [kind('v1'), kind('v2')]);
    assert.deepEqual(first.object.spec, { host: 'h', port: 80 });
    assert.equal(first.object.apiVersion, `${GATE_GROUP}/v1`);
    assert.deepEqual(
      [second.oldObject.spec, second.object.spec],
      [
        { host: 'h', port: 443 },
        { host: 'i', port: 80 },
      ],
    );
    jsonOf(await client.delete(gatesPath('v2', 'a')));
    const deletion = cluster.taken().at(-1);
    assert.deepEqual([deletion.kind, deletion.oldObject.spec], [kind('v1'), { host: 'i', port: 443 }]);
  });

  it('custom resources with a conversion webhook are not sent in another version with an exact match', async () => {
    const { client, webhook } = cluster;
    webhook.answer = admitting(() => ({ allowed: false }));
    await using _validating = await cluster.configure('validating', 'v', [
      webhookEntry(webhook, { rule: rule('v1'), matchPolicy: 'Exact' }),
    ]);
    jsonOf(await client.post(gatesPath('v2'), gate2('b')), 201);
    jsonOf(await client.post(gatesPath('v1'), gate1('c')), 400);
  });

  it('custom resources with a conversion webhook are refused when they cannot be converted for a webhook', async () => {
    const { client, webhook } = cluster;
    webhook.answer = admitting();
    await using _validating = await cluster.configure('validating', 'v', [
      webhookEntry(webhook, { rule: rule('v1'), failurePolicy: 'Ignore' }),
    ]);
    await conversion.stop();
    const { message } = jsonOf(await client.post(gatesPath('v2'), gate2('d', 'x:1')), 500);
    assert.match(message, /conversion webhook for net\.example\.com\/v2, Kind=Gate failed/);
    await conversion.start();
    jsonOf(await client.post(gatesPath('v2'), gate2('d', 'x:1')), 201);
  });

  it('custom resources with a conversion webhook are not deleted through a version in which a webhook that matches it cannot receive them', async () => {
    const { client, webhook } = cluster;
    webhook.answer = admitting();
    jsonOf(await client.post(gatesPath('v2'), gate2('e', 'x:1')), 201);
    await using _validating = await cluster.configure('validating', 'v', [
      webhookEntry(webhook, { rule: rule('v1'), matchPolicy: 'Exact', failurePolicy: 'Ignore' }),
    ]);
    cluster.taken();
    await conversion.stop();
    try {
      for (const path of [gatesPath('v1', 'e'), gatesPath('v1')]) {
        const { message } = jsonOf(await client.delete(path), 500);
        assert.match(message, /conversion webhook for net\.example\.com\/v2, Kind=Gate failed/);
      }
      assert.deepEqual(cluster.taken(), []);
    } finally {
      await conversion.start();
    }
    jsonOf(await client.get(gatesPath('v2', 'e')));
    webhook.answer = admitting(() => ({ allowed: false }));
    jsonOf(await client.delete(gatesPath('v1', 'e')), 400);
    webhook.answer = admitting();
    jsonOf(await client.delete(gatesPath('v1', 'e')));
    const [, deletion] = cluster.taken();
    assert.deepEqual([deletion.kind, deletion.oldObject.spec], [kind('v1'), { host: 'x', port: 1 }]);
  });

  it('custom resources with a conversion webhook are not deleted through a version in which a policy that matches it cannot read them', async () => {
    const { client, webhook } = cluster;
    webhook.answer = admitting();
    for (const name of ['f', 'g'])
      jsonOf(await client.post(gatesPath('v2'), gate2(name, 'x:1', { labels: { test: 'f' } })), 201);
    const constraints = constraintsOf('f', { ...rule('v1'), operations: ['DELETE'] });
    const exact = { matchConstraints: { ...constraints.matchConstraints, matchPolicy: 'Exact' } };
    const validations = [{ expression: 'oldObject.spec.port == 2' }];
    await bind(client, 'f', { ...exact, failurePolicy: 'Fail', validations });
    await refusedBy(() => client.delete(gatesPath('v1', 'f')));
    await conversion.stop();
    try {
      const answer = await client.delete(gatesPath('v1', 'g'));
      assert.ok(answer.status >= 400, answer.text);
      assert.match(answer.text, /conversion webhook for net\.example\.com\/v2, Kind=Gate failed/);
    } finally {
      await conversion.start();
    }
    jsonOf(await client.delete(gatesPath('v1', 'g')), 422);
    for (const name of ['f', 'g']) jsonOf(await client.delete(gatesPath('v2', name)));
  });
});
