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
});
