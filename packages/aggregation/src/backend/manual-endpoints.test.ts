import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import type { OpenTcp } from '@orch/outbound';
import {
  AggregationFixture,
  apiServices,
  availabilityOf,
  GROUP,
  namespaced,
  type Registration,
} from '../testing/aggregation-fixture.ts';
import { ExtensionServer } from '../testing/extension-server.ts';

const path = `/apis/${GROUP}/v1/widgets`;
const outside = '203.0.113.9';

interface Condition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const conditionOf = async (f: AggregationFixture): Promise<Condition> =>
  (await availabilityOf(f.api)) as Condition;

const untilReason = (f: AggregationFixture, reason: string): Promise<void> =>
  until(async () => (await conditionOf(f)).reason === reason, `the reason ${reason}`);

/** Registers a server whose service has no selector. */
async function extendManually(
  f: AggregationFixture,
  extension: ExtensionServer,
  registration: Partial<Registration> = {},
): Promise<void> {
  await f.service({ port: extension.port, addresses: [outside], isManual: true, ...registration });
  await f.register(extension, registration.spec);
}

describe('extension API servers behind services without a selector', () => {
  it('an address in Endpoints that belongs to no pod is used when the certificate of the server is verified', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await extendManually(f, extension);
    await untilReason(f, 'Passed');
    assert.equal((await f.api.get(path)).status, 200);
    assert.deepEqual(new Set(f.dialed), new Set([`${outside}:${extension.port}`]));
  });

  it('a server at such an address with a certificate of another service receives no request', async () => {
    await using other = await ExtensionServer.start({ hosts: ['other.default.svc'] });
    await using f = await AggregationFixture.open();
    await extendManually(f, other);
    await untilReason(f, 'FailedDiscoveryCheck');
    assert.match((await conditionOf(f)).message, /does not match/);
    assert.equal((await f.api.get(path)).status, 503);
    assert.deepEqual([other.ownRequests, other.requests.length], [0, 0]);
  });

  it('such an address is never dialled without the verification of the certificate', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await extendManually(f, extension, { spec: { caBundle: null, insecureSkipTLSVerify: true } });
    await untilReason(f, 'MissingEndpoints');
    assert.equal((await f.api.get(path)).status, 503);
    await f.api.patch(`${apiServices}/v1.${GROUP}`, {
      spec: { caBundle: extension.caBundle, insecureSkipTLSVerify: null },
    });
    await untilReason(f, 'Passed');
    assert.ok(f.dialed.length > 0);
  });

  it('such an address is dialled no more once the service has a selector', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await extendManually(f, extension);
    await untilReason(f, 'Passed');
    await f.api.patch(`${namespaced}/services/extension`, { spec: { selector: { app: 'a' } } });
    await untilReason(f, 'MissingEndpoints');
    const { length } = f.dialed;
    assert.equal((await f.api.get(path)).status, 503);
    assert.equal(f.dialed.length, length);
  });

  it('an address in EndpointSlices alone is used, until the slice names the service no more', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await extendManually(f, extension, { addresses: [] });
    await f.api.delete(`${namespaced}/endpoints/extension`);
    await untilReason(f, 'EndpointsNotFound');
    await f.slice({ port: extension.port, addresses: [outside] });
    await untilReason(f, 'Passed');
    assert.equal((await f.api.get(path)).status, 200);
    assert.deepEqual(new Set(f.dialed), new Set([`${outside}:${extension.port}`]));
    await f.api.patch(f.slicePath('extension-abc'), {
      metadata: { labels: { [f.api.names.labels.serviceName]: 'other' } },
    });
    await untilReason(f, 'EndpointsNotFound');
    assert.equal((await f.api.get(path)).status, 503);
  });

  it('an address in EndpointSlices is dialled no more once the slice has another', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await extendManually(f, extension, { addresses: [] });
    await f.slice({ port: extension.port, addresses: [outside] });
    await untilReason(f, 'Passed');
    f.dialed.splice(0);
    await f.api.patch(f.slicePath('extension-abc'), { endpoints: [{ addresses: ['192.0.2.44'] }] });
    assert.equal((await f.api.get(path)).status, 200);
    assert.deepEqual(new Set(f.dialed), new Set([`192.0.2.44:${extension.port}`]));
  });

  for (const [what, address] of [
    ['a reserved address', '240.0.0.1'],
    ['a metadata service', 'fd00:ec2::254'],
    ['an address of the machine', '192.0.2.1'],
    ['an address of the machine as IPv6', '::ffff:192.0.2.1'],
    ['another API server', '192.0.2.2'],
    ['another API server that is not ready', '192.0.2.3'],
    ['the address of the default service', '10.96.0.1'],
  ] as const)
    it(`Endpoints without pods at ${what} are never dialled`, async () => {
      await using extension = await ExtensionServer.start();
      await using f = await AggregationFixture.open({
        aggregation: { machineAddresses: () => ['not an address', '192.0.2.1'] },
      });
      await createDefaultService(f);
      await extendManually(f, extension, { addresses: [address] });
      await untilReason(f, 'MissingEndpoints');
      const { status, text } = await f.api.get(path);
      assert.deepEqual([status, f.dialed], [503, []]);
      assert.match(text, /no addresses with port name/);
    });

  it('an address is dialled no more once an API server is there', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await extendManually(f, extension);
    await untilReason(f, 'Passed');
    await createDefaultService(f, outside);
    await untilReason(f, 'MissingEndpoints');
  });
});

async function createDefaultService(f: AggregationFixture, address = '192.0.2.2'): Promise<void> {
  const metadata = { name: f.api.names.defaultService };
  const ports = [{ name: 'https', port: 443 }];
  await f.api.post(`${namespaced}/services`, {
    ...{ kind: 'Service', apiVersion: 'v1', metadata },
    spec: { ports, clusterIP: '10.96.0.1' },
  });
  await f.api.post(`${namespaced}/endpoints`, {
    ...{ kind: 'Endpoints', apiVersion: 'v1', metadata },
    subsets: [{ addresses: [{ ip: address }], notReadyAddresses: [{ ip: '192.0.2.3' }], ports }],
  });
}

/** Creates the service of type ExternalName, with an API service that names it. */
async function extendByName(
  f: AggregationFixture,
  extension: ExtensionServer,
  spec: object = {},
): Promise<void> {
  await f.api.post(`${namespaced}/services`, {
    ...{ kind: 'Service', apiVersion: 'v1', metadata: { name: 'extension' } },
    spec: { type: 'ExternalName', externalName: 'metrics.example.com' },
  });
  const service = { namespace: 'default', name: 'extension', port: extension.port };
  await f.register(extension, { service, ...spec });
}

/** Resolves the names of destinations to one address, with the check of the server. */
const resolvedTo =
  (address: string): OpenTcp =>
  ({ port, lookup }) => {
    const socket = new Socket();
    lookup?.(address, {}, (error) => {
      if (error === null) socket.connect({ port, host: '127.0.0.1' });
      else socket.destroy(error);
    });
    return socket;
  };

describe('extension API servers behind services of type ExternalName', () => {
  it('a service of type ExternalName is reached at its name and the port of the API service when the certificate is that of the service', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await extendByName(f, extension);
    await untilReason(f, 'Passed');
    assert.equal((await f.api.get(path)).status, 200);
    assert.deepEqual(new Set(f.dialed), new Set([`metrics.example.com:${extension.port}`]));
  });

  it('a service of type ExternalName is never dialled when its certificate is not verified', async () => {
    await using extension = await ExtensionServer.start();
    await using f = await AggregationFixture.open();
    await extendByName(f, extension, { caBundle: null, insecureSkipTLSVerify: true });
    await untilReason(f, 'MissingEndpoints');
    assert.match((await conditionOf(f)).message, /needs a verified certificate/);
    assert.deepEqual([(await f.api.get(path)).status, f.dialed], [503, []]);
  });

  it('extension API servers behind services of type ExternalName receive no request with a certificate of another service', async () => {
    await using other = await ExtensionServer.start({ hosts: ['metrics.example.com'] });
    await using f = await AggregationFixture.open();
    await extendByName(f, other);
    await untilReason(f, 'FailedDiscoveryCheck');
    assert.deepEqual([(await f.api.get(path)).status, other.requests.length], [503, 0]);
  });

  for (const [what, address, reason] of [
    ['an address outside', outside, 'Passed'],
    ['this machine', '127.0.0.1', 'FailedDiscoveryCheck'],
    ['a metadata service', '169.254.169.254', 'FailedDiscoveryCheck'],
    ['another API server', '192.0.2.2', 'FailedDiscoveryCheck'],
  ] as const)
    it(`extension API servers behind services of type ExternalName are reported as ${reason} when their name leads to ${what}`, async () => {
      await using extension = await ExtensionServer.start();
      await using f = await AggregationFixture.open({ aggregation: { openTcp: resolvedTo(address) } });
      await createDefaultService(f);
      await extendByName(f, extension);
      await untilReason(f, reason);
      assert.equal((await f.api.get(path)).status, reason === 'Passed' ? 200 : 503);
    });
});
