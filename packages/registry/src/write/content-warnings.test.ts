import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apply } from '../testing/applies.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } };
const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'c' }, spec };
const warning = [
  '299 - "spec.resources.requests[storage]: fractional byte value \\"1500m\\" is invalid, must be an integer"',
];

describe('warnings about the content of a written object', () => {
  it('creations, dry runs, updates and patches are answered with them', async () => {
    await using api = await RegistryFixture.open({ release: '1.37' });
    for (const query of ['?dryRun=All', '']) {
      const created = await api.post(`${claims}${query}`, claim);
      assert.deepEqual([created.status, created.headers['Warning']], [201, warning]);
    }
    const updated = await api.put(`${claims}/c`, claim);
    assert.deepEqual([updated.status, updated.headers['Warning']], [200, warning]);
    const labels = { metadata: { labels: { a: 'b' } } };
    const patched = await api.patch(`${claims}/c`, labels, 'merge');
    assert.deepEqual([patched.status, patched.headers['Warning']], [200, warning]);
  });

  it('an apply is answered with them each time, also when it changes nothing', async () => {
    await using api = await RegistryFixture.open({ release: '1.37' });
    for (const status of [201, 200, 200, 200]) {
      const applied = await apply(api, `${claims}/c`, claim);
      assert.deepEqual([applied.status, applied.headers['Warning']], [status, warning]);
    }
  });

  it('an object that is refused has none', async () => {
    await using api = await RegistryFixture.open({ release: '1.37' });
    const refused = await api.post(claims, { ...claim, spec: { ...spec, accessModes: [] } });
    assert.deepEqual([refused.status, refused.headers['Warning']], [422, undefined]);
  });

  it('a status is answered with those about the status', async () => {
    await using api = await RegistryFixture.open({ release: '1.37' });
    const services = '/api/v1/namespaces/default/services';
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' } };
    await api.post(services, { ...service, spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } });
    const status = { loadBalancer: { ingress: [{ ip: '2001:DB8::1' }] } };
    const { headers } = await api.patch(`${services}/s/status`, { status }, 'merge');
    assert.deepEqual(headers['Warning'], [
      '299 - "status.loadBalancer.ingress[0]: IPv6 address \\"2001:DB8::1\\" should be in RFC 5952 canonical format (\\"2001:db8::1\\")"',
    ]);
  });

  it('a deletion of a job that does not say what happens to its pods is answered with a warning', async () => {
    await using api = await RegistryFixture.open();
    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    const warningOf = async (query: string): Promise<string> => {
      await api.post(jobs, {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'j' },
        spec: { template },
      });
      return String((await api.delete(`${jobs}${query}`)).headers['Warning'] ?? 'none');
    };
    for (const query of ['/j', ''])
      assert.match(await warningOf(query), /child pods are preserved by default/);
    assert.equal(await warningOf('/j?propagationPolicy=Background'), 'none');
    assert.equal(await warningOf('/j?orphanDependents=true'), 'none');
  });
});
