import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { describe, it } from 'node:test';
import { convertGates, gate2, gatesPath } from '../testing/gate-definition.ts';
import { GATE_DEFINITION, Gates, ok } from '../testing/gates.ts';
import { WebhookServer } from '../testing/webhook-server.ts';

/** Pods are not on the loopback addresses of the server. */
const podAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

const namespace = '/api/v1/namespaces/default';

/** A service whose endpoint is a pod, at which the webhook listens. */
async function exposed({ api }: Gates, webhook: WebhookServer, name: string): Promise<void> {
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  ok(await api.post(`${namespace}/pods`, { metadata: { name }, spec }), 201);
  const status = { podIP: podAddress, podIPs: [{ ip: podAddress }] };
  ok(await api.patch(`${namespace}/pods/${name}/status`, { status }));
  const ports = [{ name: 'https', port: 8443 }];
  ok(await api.post(`${namespace}/services`, { metadata: { name }, spec: { ports } }), 201);
  const targetRef = { kind: 'Pod', namespace: 'default', name };
  const addresses = [{ ip: podAddress, targetRef }];
  const subsets = [{ addresses, ports: [{ name: 'https', port: webhook.port }] }];
  ok(await api.post(`${namespace}/endpoints`, { metadata: { name }, subsets }), 201);
}

describe('a conversion webhook behind a service', () => {
  it('a conversion webhook behind a service is called at a pod of the service, by its path, port and authority, and again when the service comes later', async () => {
    assert.ok(podAddress !== undefined, 'this machine has loopback addresses only');
    await using webhook = await WebhookServer.start(convertGates, ['converter.default.svc'], podAddress);
    const service = { namespace: 'default', name: 'converter', path: '/gates', port: 8443 };
    await using gates = await Gates.open({ clientConfig: { service, caBundle: webhook.caBundle } });
    const { api } = gates;
    ok(await api.post(gatesPath('v2'), gate2('a', 'h:1')), 201);
    const early = ok(await api.get(gatesPath('v1', 'a')), 500);
    assert.match(early.json.message, /services "converter" not found/);
    await exposed(gates, webhook, 'converter');
    assert.deepEqual(ok(await api.get(gatesPath('v1', 'a'))).json.spec, { host: 'h', port: 1 });
    assert.equal(gates.webhook.reviews.length, 0);
    assert.match(webhook.requests[0] ?? '', /^converter\.default\.svc:8443 \/gates\b/);
  });

  it('a conversion webhook whose certificate another authority issued fails only requests that need it', async () => {
    await using webhook = await WebhookServer.start(convertGates, ['converter.default.svc'], podAddress);
    await using other = await WebhookServer.start(convertGates);
    const service = { namespace: 'default', name: 'converter', port: 8443 };
    await using gates = await Gates.open({ clientConfig: { service, caBundle: other.caBundle } });
    const { api } = gates;
    await exposed(gates, webhook, 'converter');
    ok(await api.post(gatesPath('v2'), gate2('a', 'h:1')), 201);
    assert.match(ok(await api.get(gatesPath('v1', 'a')), 500).json.message, /certificate|self.signed|issuer/);
    ok(await api.get(gatesPath('v2', 'a')));
    const { spec } = ok(await api.get(GATE_DEFINITION)).json;
    const { conversion } = spec;
    conversion.webhook.clientConfig.caBundle = webhook.caBundle;
    ok(await api.patch(GATE_DEFINITION, { spec: { conversion } }));
    assert.deepEqual(ok(await api.get(gatesPath('v1', 'a'))).json.spec, { host: 'h', port: 1 });
  });
});
