import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import type { CoreObjects } from '@orch/registry';
import { serviceAddress } from './workloads.ts';

const ports = [{ name: 'https', port: 443, targetPort: 8443 }];
const metadata = { namespace: 'system', name: 'converter' };

/** A service, with Endpoints that name an address of no pod. */
function objectsWith(spec: object, ip: string): CoreObjects {
  const endpoints = { subsets: [{ addresses: [{ ip }], ports: [{ name: 'https', port: 8443 }] }] };
  const find: CoreObjects['find'] = (resource) => {
    if (resource === 'services') return { metadata, spec };
    return resource === 'endpoints' ? { metadata, ...endpoints } : undefined;
  };
  return { fresh: async () => {}, find, get: (...named) => find(...named) ?? assert.fail(named.join(' ')) };
}

const addressWith = (spec: object, ip = '203.0.113.9') =>
  serviceAddress({ objects: objectsWith(spec, ip), random: seededRandom(1) }, { ...metadata, port: 443 });

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
