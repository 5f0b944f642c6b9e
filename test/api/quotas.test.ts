import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type LaunchedServer, launchServer, temporaryFolder } from '@orch/testkit';
import { expectCode, ns, podObject, refused } from './fixture.ts';

const configuration = `apiVersion: apiserver.config.orch.io/v1
kind: AdmissionConfiguration
plugins:
  - {name: ResourceQuota, path: quota.yaml}
`;
const limited = `apiVersion: apiserver.config.orch.io/v1
kind: ResourceQuotaConfiguration
limitedResources:
  - {resource: persistentvolumeclaims, matchContains: [requests.storage]}
`;

const claims = `${ns}/persistentvolumeclaims`;
const quotas = `${ns}/resourcequotas`;
const merge = { contentType: 'application/merge-patch+json' };
const claim = (name: string, storage: string): object => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});

describe('quotas of a server with limited resources', { timeout: 60_000 }, () => {
  const work = temporaryFolder();
  let server: LaunchedServer;

  before(async () => {
    writeFileSync(join(work.path, 'admission.yaml'), configuration);
    writeFileSync(join(work.path, 'quota.yaml'), limited);
    server = await launchServer({
      threads: 2,
      args: [`--admission-control-config-file=${join(work.path, 'admission.yaml')}`],
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    work[Symbol.dispose]();
  });

  /** Creates a quota with the status that the controller of quotas calculates. */
  async function quota(name: string, hard: object, used: object): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name }, spec: { hard } };
    expectCode(201, await server.client.post(quotas, body));
    const status = { body: { status: { hard, used } }, ...merge };
    expectCode(200, await server.client.send('PATCH', `${quotas}/${name}/status`, status));
  }

  it('a limited resource is refused without a quota for it, and bounded by one', async () => {
    const without = refused(await server.client.post(claims, claim('a', '1Gi')), 403, 'Forbidden');
    assert.match(without.message, /is forbidden: insufficient quota to consume: requests\.storage$/);
    await quota('storage', { 'requests.storage': '3Gi' }, { 'requests.storage': '0' });
    expectCode(201, await server.client.post(claims, claim('a', '2Gi')));
    const beyond = refused(await server.client.post(claims, claim('b', '2Gi')), 403, 'Forbidden');
    assert.equal(
      beyond.message,
      'persistentvolumeclaims "b" is forbidden: exceeded quota: storage, requested: requests.storage=2Gi, used: requests.storage=2Gi, limited: requests.storage=3Gi',
    );
    const { json } = expectCode(200, await server.client.get(`${quotas}/storage`));
    assert.deepEqual((json as { readonly status: object }).status, {
      hard: { 'requests.storage': '3Gi' },
      used: { 'requests.storage': '2Gi' },
    });
  });

  it('pods without amounts that a quota limits are refused until a limit range provides them', async () => {
    await quota('compute', { 'limits.cpu': '1' }, { 'limits.cpu': '0' });
    const { message } = refused(await server.client.post(`${ns}/pods`, podObject('p')), 403, 'Forbidden');
    assert.equal(message, 'pods "p" is forbidden: failed quota: compute: must specify limits.cpu for: main');
    const limits = [{ type: 'Container', default: { cpu: '600m' } }];
    const range = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits } };
    expectCode(201, await server.client.post(`${ns}/limitranges`, range));
    expectCode(201, await server.client.post(`${ns}/pods`, podObject('p')));
    const second = refused(await server.client.post(`${ns}/pods`, podObject('q')), 403, 'Forbidden');
    assert.match(
      second.message,
      /requested: limits\.cpu=600m, used: limits\.cpu=600m, limited: limits\.cpu=1$/,
    );
  });

  const used = async (name: string): Promise<unknown> => {
    const { json } = expectCode(200, await server.client.get(`${quotas}/${name}`));
    return (json as { readonly status: { readonly used: unknown } }).status.used;
  };

  it('a hundred creations that end in 409 leave the usage of the quota as it was', async () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'taken' } };
    expectCode(201, await server.client.post(`${ns}/configmaps`, map));
    await quota('maps', { configmaps: '5' }, { configmaps: '1' });
    const conflict = async (): Promise<void> =>
      void refused(await server.client.post(`${ns}/configmaps`, map), 409, 'AlreadyExists');
    for (let i = 0; i < 20; i++) await conflict();
    for (let i = 0; i < 20; i++) await Promise.all([conflict(), conflict(), conflict(), conflict()]);
    assert.deepEqual(await used('maps'), { configmaps: '1' });
    expectCode(201, await server.client.post(`${ns}/configmaps`, { ...map, metadata: { name: 'free' } }));
    assert.deepEqual(await used('maps'), { configmaps: '2' });
  });

  it('a write that is refused after it took quota releases it, and an update keeps no more than it raises', async () => {
    const service = (name: string, spec: object): object => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { ports: [{ port: 80 }], ...spec },
    });
    const services = `${ns}/services`;
    expectCode(201, await server.client.post(services, service('a', {})));
    const created = expectCode(201, await server.client.post(services, service('b', { type: 'NodePort' })));
    const [{ nodePort }] = (created.json as { spec: { ports: [{ nodePort: number }] } }).spec.ports;
    const hard = { services: '9', 'services.nodeports': '9' };
    const before = { services: '2', 'services.nodeports': '1' };
    await quota('services', hard, before);
    const patch = (spec: object) =>
      server.client.send('PATCH', `${services}/a`, { body: { spec }, ...merge });
    const taken = { type: 'NodePort', ports: [{ port: 80, nodePort }] };
    refused(await server.client.post(services, service('c', taken)), 422, 'Invalid');
    refused(await patch(taken), 422, 'Invalid');
    assert.deepEqual(await used('services'), before);
    expectCode(
      200,
      await server.client.send('PATCH', `${services}/a?dryRun=All`, {
        body: { spec: { type: 'NodePort' } },
        ...merge,
      }),
    );
    assert.deepEqual(await used('services'), before);
    expectCode(200, await patch({ type: 'NodePort' }));
    const raised = { services: '2', 'services.nodeports': '2' };
    assert.deepEqual(await used('services'), raised);
    // Usage that an update lowers is calculated by the controller of quotas.
    expectCode(200, await patch({ type: 'ClusterIP' }));
    assert.deepEqual(await used('services'), raised);
  });

  it('creations with generated names take quota once for each object', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { generateName: 's-' } };
    await quota('secrets', { secrets: '20' }, { secrets: '0' });
    for (let i = 0; i < 10; i++) expectCode(201, await server.client.post(`${ns}/secrets`, secret));
    assert.deepEqual(await used('secrets'), { secrets: '10' });
  });
});
