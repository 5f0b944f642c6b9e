import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  convertGates,
  GATE_GROUP,
  gate1,
  gate2,
  gateDefinition,
  gatesPath,
  WebhookServer,
} from '@orch/server/testing';
import type { ApiResponse } from '@orch/testkit';
import { TwoReplicas } from './two-replicas.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const apiextensions = 'apiextensions.k8s.io';

// biome-ignore lint/suspicious/noExplicitAny: objects of a kind that the test knows.
const jsonOf = (answer: ApiResponse, status = 200): any => {
  assert.equal(answer.status, status, answer.text);
  return answer.json;
};

describe('a conversion webhook of two replicas on one etcd', { timeout: 120_000 }, () => {
  let webhook: WebhookServer;
  let replicas: TwoReplicas;

  before(async () => {
    webhook = await WebhookServer.start(convertGates);
    replicas = await TwoReplicas.open({ naming: 'kubernetes' });
    const { first } = replicas;
    jsonOf(
      await first.client.send('POST', definitions, { body: gateDefinition(webhook, { apiextensions }) }),
      201,
    );
    for (const { client } of replicas.all) {
      const deadline = AbortSignal.timeout(30_000);
      // Until its definition is established, the group has no resources.
      while ((await client.send('GET', gatesPath('v2'))).status === 404) deadline.throwIfAborted();
    }
  });
  after(async () => {
    await replicas[Symbol.asyncDispose]();
    await webhook.stop();
  });

  it('a conversion webhook of two replicas on one etcd converts what either replica writes and reads', async () => {
    const { first, second } = replicas;
    jsonOf(await first.client.send('POST', gatesPath('v1'), { body: gate1('a', 'h', 81) }), 201);
    const read = jsonOf(await second.client.send('GET', gatesPath('v1', 'a')));
    assert.deepEqual([read.apiVersion, read.spec], [`${GATE_GROUP}/v1`, { host: 'h', port: 81 }]);
    const list = jsonOf(await second.client.send('GET', gatesPath('v2')));
    assert.deepEqual(list.items[0].spec, { address: 'h:81', tier: 'usual' });
  });

  it('a conversion webhook of two replicas on one etcd fails only requests that need it while it is stopped, and serves them again once it is back', async () => {
    const { first, second } = replicas;
    jsonOf(await first.client.send('POST', gatesPath('v2'), { body: gate2('b', 'h:1') }), 201);
    await webhook.stop();
    const refused = jsonOf(await second.client.send('GET', gatesPath('v1', 'b')), 500);
    assert.match(refused.message, /^conversion webhook for net\.example\.com\/v2, Kind=Gate failed: Post /);
    jsonOf(await second.client.send('GET', gatesPath('v2', 'b')));
    await webhook.start();
    assert.deepEqual(jsonOf(await second.client.send('GET', gatesPath('v1', 'b'))).spec, {
      host: 'h',
      port: 1,
    });
  });
});
