import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import { prefixRange } from '@orch/storage';
import { AggregationFixture, availabilityOf, GROUP, namespaced } from '../testing/aggregation-fixture.ts';
import { ExtensionServer } from '../testing/extension-server.ts';

interface Condition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

async function untilReason(f: AggregationFixture, reason: string): Promise<Condition> {
  const read = async () => (await availabilityOf(f.api)) as Condition;
  await until(async () => (await read()).reason === reason, `the reason ${reason}`);
  return read();
}

/** Replaces the stored bytes of an object of the namespace `default` with some that cannot be read. */
async function damage(f: AggregationFixture, resource: string): Promise<void> {
  const { signal } = new AbortController();
  const { items } = await f.api.model.list(prefixRange('/'), {}, signal);
  const stored = items.find(({ key }) => key.includes(`/${resource}/`) && key.endsWith('/default/extension'));
  assert.ok(stored, resource);
  const value = Buffer.from('rubbish');
  const { key, modRevision: expected } = stored;
  assert.ok((await f.api.model.commit({ op: 'update', key, value, expected }, signal)).ok);
}

describe('the availability of extension API servers', () => {
  for (const [resource, reason] of [
    ['services', 'ServiceAccessError'],
    ['endpoints', 'EndpointsAccessError'],
  ] as const)
    it(`the availability of extension API servers is unknown with the reason ${reason} while the stored object cannot be read`, async () => {
      await using extension = await ExtensionServer.start();
      await using f = await AggregationFixture.open();
      await f.extend(extension);
      await untilReason(f, 'Passed');
      await damage(f, resource);
      const { status, message } = await untilReason(f, reason);
      assert.equal(status, 'Unknown');
      assert.match(message, /the stored object cannot be read$/);
      assert.equal((await f.api.get(`/apis/${GROUP}/v1/widgets`)).status, 503);
    });

  it('the availability of extension API servers needs a certificate that the machine trusts when the API service has no authority', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.service({ port: extension.port });
    await f.register(extension, { caBundle: null });
    const { message } = await untilReason(f, 'FailedDiscoveryCheck');
    assert.match(message, /certificate/);
    assert.equal(extension.ownRequests, 0);
  });

  it('the availability of extension API servers is that of the port of the service that the API service names', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await f.service({ port: extension.port });
    await f.api.patch(`${namespaced}/services/extension`, {
      spec: { ports: [{ name: 'https', port: 8443 }] },
    });
    await f.register(extension, { service: { namespace: 'default', name: 'extension', port: 8444 } });
    assert.match((await untilReason(f, 'ServicePortError')).message, /is not listening on port 8444$/);
    await f.api.patch(`${namespaced}/services/extension`, {
      spec: { ports: [{ name: 'https', port: 8444 }] },
    });
    await untilReason(f, 'Passed');
    await f.api.get(`/apis/${GROUP}/v1/widgets`);
    assert.equal(extension.requests[0]?.headers[':authority'], 'extension.default.svc:8444');
  });
});
