import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HubObject } from '@orch/kinds/hub-object';
import { seededRandom } from '@orch/machinery/testing';
import type { CoreObjects, CoreResource } from '@orch/registry';
import { serviceAddress } from './workloads.ts';

const ports = [{ name: 'https', port: 443, targetPort: 8443 }];
const metadata = { namespace: 'system', name: 'converter' };

const listening = [{ name: 'https', port: 8443 }];

interface Given {
  readonly endpoints?: object;
  readonly slices?: readonly object[];
}

/** A service, with Endpoints and EndpointSlices that name addresses of no pods. */
function objectsWith(spec: object, { endpoints, slices = [] }: Given): CoreObjects {
  const objects: Readonly<Record<string, object | undefined>> = {
    services: { metadata, spec },
    endpoints: endpoints && { metadata, ...endpoints },
  };
  const find = <R extends CoreResource>(resource: R) => objects[resource] as HubObject<R> | undefined;
  return {
    fresh: async () => {},
    find,
    slices: () => slices.map((slice) => ({ metadata: {}, ...slice })),
    get: (resource) => find(resource) ?? assert.fail(resource),
  };
}

const endpointsAt = (ip: string): object => ({ subsets: [{ addresses: [{ ip }], ports: listening }] });

const addressGiven = (spec: object, given: Given) =>
  serviceAddress({ objects: objectsWith(spec, given), random: seededRandom(1) }, { ...metadata, port: 443 });

const addressWith = (spec: object, ip = '203.0.113.9') => addressGiven(spec, { endpoints: endpointsAt(ip) });

/** A slice with one endpoint per address. */
const slice = (addresses: readonly string[], more: object = {}): object => ({
  addressType: 'IPv4',
  ports: listening,
  endpoints: addresses.map((address) => ({ addresses: [address] })),
  ...more,
});

describe('the address of a webhook behind a service', () => {
  it('a service without a selector has the address that its Endpoints name', () => {
    assert.deepEqual(addressWith({ ports }), { host: '203.0.113.9', port: 8443 });
  });

  it('a service with a selector has only addresses of pods', () => {
    assert.throws(() => addressWith({ ports, selector: { app: 'a' } }), /no endpoints available for service/);
  });

  it('a service never has an address of this machine or of a metadata service', () => {
    for (const address of ['127.0.0.1', '169.254.169.254', '::ffff:127.0.0.1'])
      assert.throws(() => addressWith({ ports }, address), /no endpoints available for service/);
  });

  it('a service of type ExternalName has its name, with the port that the webhook names', () => {
    const spec = { type: 'ExternalName', externalName: 'hooks.example.com' };
    assert.deepEqual(addressWith(spec), { host: 'hooks.example.com', port: 443 });
  });
});

describe('the address of a service without Endpoints', () => {
  const none = /no endpoints available for service/;

  it('a service has the address that an EndpointSlice names when it has no Endpoints', () => {
    for (const endpoints of [undefined, {}, { subsets: [{ notReadyAddresses: [{ ip: '203.0.113.1' }] }] }])
      assert.deepEqual(
        addressGiven(
          { ports },
          { ...(endpoints === undefined ? {} : { endpoints }), slices: [slice(['203.0.113.9'])] },
        ),
        { host: '203.0.113.9', port: 8443 },
      );
  });

  it('a service has the address of its Endpoints when both name one', () => {
    const given = { endpoints: endpointsAt('203.0.113.1'), slices: [slice(['203.0.113.9'])] };
    assert.deepEqual(addressGiven({ ports }, given), { host: '203.0.113.1', port: 8443 });
  });

  it('a service has the first address of an endpoint that is ready, of any slice', () => {
    const ready = { addresses: ['2001:db8::1', '2001:db8::2'], conditions: { ready: true } };
    const slices = [
      slice(['203.0.113.9'], { ports: [{ name: 'metrics', port: 9090 }] }),
      slice([], { endpoints: [{ addresses: ['203.0.113.8'], conditions: { ready: false } }] }),
      slice([], { addressType: 'IPv6', endpoints: [ready] }),
    ];
    assert.deepEqual(addressGiven({ ports }, { slices }), { host: '2001:db8::1', port: 8443 });
  });

  it('a service has no address of a slice with names, with a special address, or with none at all', () => {
    for (const slices of [
      [slice(['hooks.example.com'], { addressType: 'FQDN' })],
      [slice(['127.0.0.1'])],
      [slice(['169.254.169.254'])],
      [slice([], { endpoints: [{ addresses: [] }, {}] })],
      [slice(['203.0.113.9'], { ports: null })],
    ])
      assert.throws(() => addressGiven({ ports }, { slices }), none);
  });

  it('a service with a selector has no address of a slice that belongs to no pod', () => {
    const spec = { ports, selector: { app: 'a' } };
    assert.throws(() => addressGiven(spec, { slices: [slice(['203.0.113.9'])] }), none);
  });
});
