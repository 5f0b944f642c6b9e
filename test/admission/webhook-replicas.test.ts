import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { admitting, webhookEntry } from '@orch/server/testing';
import { startEtcd } from '@orch/storage/testing';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import { configMaps, jsonOf, WebhookCluster } from './webhook-cluster.ts';

const configMap = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

/** The servers generate separate certificates, which nothing here verifies. */
const args = ['--separate-credentials'];

/** Within which a new configuration must be in effect everywhere. */
const LIMIT_MS = 1000;

describe('webhook configurations of several replicas', { timeout: 120_000 }, () => {
  let etcd: Awaited<ReturnType<typeof startEtcd>>;
  let cluster: WebhookCluster;
  let second: LaunchedServer;
  before(async () => {
    etcd = await startEtcd();
    cluster = await WebhookCluster.start({ etcd: etcd.endpoints, args });
    second = await launchServer({ etcd: etcd.endpoints, args });
    cluster.webhook.answer = admitting(() => ({ allowed: false, status: { message: 'no' } }));
  });
  after(async () => {
    await second[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
    await etcd[Symbol.asyncDispose]();
  });

  it('webhook configurations of several replicas are in effect on the other replica within a second, and so is their removal', async () => {
    const status = async (): Promise<number> =>
      (await second.client.post(`${configMaps}?dryRun=All`, configMap('a'))).status;
    const reached = async (expected: number): Promise<void> => {
      const limit = AbortSignal.timeout(LIMIT_MS);
      while ((await status()) !== expected) limit.throwIfAborted();
    };
    assert.equal(await status(), 201);
    const configuration = await cluster.configure('validating', 'v', [webhookEntry(cluster.webhook)], []);
    await reached(400);
    await configuration[Symbol.asyncDispose]();
    await reached(201);
  });

  it('webhook configurations of several replicas are in effect on a replica that starts, from its first write on', async () => {
    await using _configuration = await cluster.configure('validating', 'v', [webhookEntry(cluster.webhook)]);
    await using third = await launchServer({ etcd: etcd.endpoints, args });
    const { message } = jsonOf(await third.client.post(configMaps, configMap('b')), 400);
    assert.equal(message, 'admission webhook "w.example.com" denied the request: no');
  });
});
