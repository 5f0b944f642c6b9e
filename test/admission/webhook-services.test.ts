import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { admitting, WebhookServer, webhookEntry } from '@orch/server/testing';
import { configMaps, jsonOf, WebhookCluster } from './webhook-cluster.ts';

/** Pods are not on the loopback addresses of the server. */
const podAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

const namespace = '/api/v1/namespaces/default';
const merge = { contentType: 'application/merge-patch+json' };
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

describe('webhooks behind services', { timeout: 120_000 }, () => {
  assert.ok(podAddress !== undefined, 'this machine has loopback addresses only');
  let cluster: WebhookCluster;
  let webhook: WebhookServer;
  before(async () => {
    cluster = await WebhookCluster.start();
    const deny = admitting(() => ({ allowed: false, status: { message: 'seen' } }));
    webhook = await WebhookServer.start(deny, ['hook.default.svc'], podAddress);
    const { client } = cluster;
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'hook' }, spec };
    jsonOf(await client.post(`${namespace}/pods`, pod), 201);
    const status = { podIP: podAddress, podIPs: [{ ip: podAddress }] };
    jsonOf(await client.send('PATCH', `${namespace}/pods/hook/status`, { ...merge, body: { status } }));
    const ports = [{ name: 'https', port: 443 }];
    for (const name of ['hook', 'foreign', 'outside', 'empty']) {
      const spec = { ports, selector: { app: 'hook' } };
      const service = { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec };
      jsonOf(await client.post(`${namespace}/services`, service), 201);
    }
    const external = { type: 'ExternalName', externalName: 'localhost' };
    const named = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'named' }, spec: external };
    jsonOf(await client.post(`${namespace}/services`, named), 201);
    const targetRef = { kind: 'Pod', namespace: 'default', name: 'hook' };
    const endpoints = async (name: string, address: object): Promise<void> => {
      const subsets = [{ addresses: [address], ports: [{ name: 'https', port: webhook.port }] }];
      const body = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name }, subsets };
      jsonOf(await client.post(`${namespace}/endpoints`, body), 201);
    };
    await endpoints('hook', { ip: podAddress, targetRef });
    // Addresses that a user who may write endpoints could make the server dial.
    await endpoints('foreign', { ip: podAddress });
    await endpoints('outside', { ip: '203.0.113.7', targetRef });
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    await webhook.stop();
  });

  const messageFor = async (name: string, port = 443): Promise<string> => {
    const clientConfig = {
      service: { namespace: 'default', name, port, path: '/review' },
      caBundle: webhook.caBundle,
    };
    await using _configuration = await cluster.configure('validating', 'v', [
      webhookEntry(webhook, { clientConfig }),
    ]);
    const answer = await cluster.client.post(configMaps, configMap);
    return (answer.json as { readonly message: string }).message;
  };

  it('webhooks behind services are called at an endpoint that is a pod of the namespace, under the name of the service', async () => {
    assert.equal(await messageFor('hook'), 'admission webhook "w.example.com" denied the request: seen');
    assert.deepEqual(webhook.requests.splice(0), ['hook.default.svc:443 /review?timeout=10s']);
  });

  for (const [what, name, port, message] of [
    ['an endpoint that is not a pod', 'foreign', 443, /no endpoints available for service "foreign"/],
    [
      'an endpoint with another address than its pod',
      'outside',
      443,
      /no endpoints available for service "outside"/,
    ],
    ['no endpoint', 'empty', 443, /no endpoints available for service "empty"/],
    ['another port', 'hook', 8443, /no service port 8443 found for service "hook"/],
    ['a name that is this machine', 'named', 443, /address not allowed/],
    ['no service', 'none', 443, /services "none" not found/],
  ] as const)
    it(`webhooks behind services are not called at a service with ${what}`, async () => {
      const found = await messageFor(name, port);
      assert.match(found, /^Internal error occurred: failed calling webhook "w\.example\.com": /);
      assert.match(found, message);
      assert.equal(webhook.requests.length, 0);
    });
});
