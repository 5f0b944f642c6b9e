import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinTypes } from '@orch/apis';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const types = builtinTypes.filter(({ group }) => ['', 'apps', 'batch'].includes(group));
const open = (release: string): Promise<RegistryFixture> => RegistryFixture.open({ release, types });

const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const workload = (apiVersion: string, kind: string, spec: object = {}): object => ({
  kind,
  apiVersion,
  metadata: { name: 'x' },
  spec: { template, ...spec },
});
const at = (groupVersion: string, resource: string): string =>
  `/apis/${groupVersion}/namespaces/default/${resource}`;

describe('workloads of release 1.15', () => {
  it('a workload is one object in all of its versions', async () => {
    await using api = await open('1.15');
    const path = at('extensions/v1beta1', 'deployments');
    const made = await api.post(path, workload('extensions/v1beta1', 'Deployment', { rollbackTo: {} }));
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(made.json.spec.selector, { matchLabels: labels });
    assert.deepEqual(made.json.spec.rollbackTo, {});
    for (const version of ['apps/v1', 'apps/v1beta2']) {
      const { json } = await api.get(`${at(version, 'deployments')}/x`);
      assert.equal(json.apiVersion, version);
      assert.deepEqual(json.metadata.annotations, { 'deprecated.deployment.rollback.to': '0' });
      assert.equal('rollbackTo' in json.spec, false);
    }
    const list = await api.get(at('apps/v1beta1', 'deployments'));
    assert.deepEqual(list.json.items[0].spec.rollbackTo, {});
    assert.equal(list.json.items[0].metadata.annotations, undefined);
  });

  it('scale is served in the Scale version of each workload version', async () => {
    await using api = await open('1.15');
    await api.post(
      at('apps/v1beta1', 'deployments'),
      workload('apps/v1beta1', 'Deployment', { replicas: 2 }),
    );
    const status = { replicas: 0 };
    const older = { ...status, selector: labels, targetSelector: 'a=b' };
    for (const [version, scale, expected] of [
      ['apps/v1', 'autoscaling/v1', { ...status, selector: 'a=b' }],
      ['apps/v1beta2', 'apps/v1beta2', older],
      ['apps/v1beta1', 'apps/v1beta1', older],
      ['extensions/v1beta1', 'extensions/v1beta1', older],
    ] as const) {
      const { json } = await api.get(`${at(version, 'deployments')}/x/scale`);
      assert.deepEqual([json.kind, json.apiVersion, json.spec], ['Scale', scale, { replicas: 2 }]);
      assert.deepEqual(json.status, expected);
    }
    const scale = await api.get(`${at('extensions/v1beta1', 'deployments')}/x/scale`);
    scale.json.spec.replicas = 5;
    const put = await api.put(`${at('extensions/v1beta1', 'deployments')}/x/scale`, scale.json);
    assert.equal(put.status, 200, put.text);
    const { json } = await api.get(`${at('apps/v1', 'deployments')}/x`);
    assert.deepEqual([json.spec.replicas, json.metadata.generation], [5, 2]);
  });

  it('rollback is served by the versions with that subresource', async () => {
    await using api = await open('1.15');
    await api.post(at('apps/v1beta1', 'deployments'), workload('apps/v1beta1', 'Deployment'));
    const path = `${at('apps/v1beta1', 'deployments')}/x/rollback`;
    const body = {
      kind: 'DeploymentRollback',
      apiVersion: 'apps/v1beta1',
      name: 'x',
      updatedAnnotations: { why: 'broken' },
      rollbackTo: { revision: 3 },
    };
    const asked = await api.post(path, body);
    assert.deepEqual([asked.status, asked.json.kind, asked.json.status], [200, 'Status', 'Success']);
    const { json } = await api.get(`${at('apps/v1', 'deployments')}/x`);
    assert.deepEqual(json.metadata.annotations, { 'deprecated.deployment.rollback.to': '3', why: 'broken' });
    assert.equal(json.metadata.generation, 2);
    assert.equal((await api.post(path, { ...body, name: 'y' })).status, 400);
    assert.equal((await api.post(`${at('apps/v1', 'deployments')}/x/rollback`, body)).status, 404);
  });

  it('replication controllers in extensions have only scale', async () => {
    await using api = await open('1.15');
    const core = '/api/v1/namespaces/default/replicationcontrollers';
    const made = await api.post(core, {
      kind: 'ReplicationController',
      apiVersion: 'v1',
      metadata: { name: 'x' },
      spec: { template },
    });
    assert.equal(made.status, 201, made.text);
    const path = at('extensions/v1beta1', 'replicationcontrollers');
    const scale = await api.get(`${path}/x/scale`);
    assert.deepEqual([scale.json.apiVersion, scale.json.spec], ['extensions/v1beta1', { replicas: 1 }]);
    assert.deepEqual(scale.json.status, { replicas: 0, selector: labels, targetSelector: 'a=b' });
    assert.equal((await api.patch(`${path}/x/scale`, { spec: { replicas: 4 } })).status, 200);
    assert.equal((await api.get(`${core}/x`)).json.spec.replicas, 4);
    assert.equal((await api.get(`${path}/x`)).status, 405);
  });

  it('deletion through older workload versions orphans pods by default', async () => {
    await using api = await open('1.15');
    for (const [version, orphan] of [
      ['extensions/v1beta1', true],
      ['apps/v1', false],
    ] as const) {
      const made = await api.post(
        at('apps/v1', 'replicasets'),
        workload('apps/v1', 'ReplicaSet', { selector: { matchLabels: labels } }),
      );
      assert.equal(made.status, 201, made.text);
      const path = `${at(version, 'replicasets')}/x`;
      await api.delete(path);
      const after = await api.get(path);
      if (!orphan) assert.equal(after.status, 404);
      else {
        assert.deepEqual(after.json.metadata.finalizers, ['orphan']);
        await api.patch(path, { metadata: { finalizers: null } });
      }
    }
  });
});

describe('workloads of release 1.24', () => {
  it('workloads of 1.24 are created, scaled and selected', async () => {
    await using api = await open('1.24');
    const spec = { serviceName: 's', selector: { matchLabels: labels } };
    for (const [resource, kind] of [
      ['daemonsets', 'DaemonSet'],
      ['deployments', 'Deployment'],
      ['replicasets', 'ReplicaSet'],
      ['statefulsets', 'StatefulSet'],
    ] as const) {
      const path = at('apps/v1', resource);
      const made = await api.post(path, workload('apps/v1', kind, spec));
      assert.deepEqual([made.status, made.json.metadata.generation], [201, 1], made.text);
      const again = await api.put(`${path}/x`, made.json);
      assert.equal(again.json.metadata.resourceVersion, made.json.metadata.resourceVersion, kind);
      const image = [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'j' }];
      const changed = await api.patch(`${path}/x`, image, 'json');
      assert.deepEqual([changed.status, changed.json.metadata.generation], [200, 2], changed.text);
      const reported = await api.patch(`${path}/x/status`, { status: { observedGeneration: 2 } });
      assert.deepEqual(
        [reported.json.status.observedGeneration, reported.json.metadata.generation],
        [2, 2],
        reported.text,
      );
      assert.equal((await api.get(`/apis/extensions/v1beta1/${resource}`)).status, 404);
    }
  });

  it('an unchanged update of a job creates no revision', async () => {
    await using api = await open('1.24');
    const path = at('batch/v1', 'jobs');
    const pods = {
      metadata: { annotations: { z: 'y' } },
      spec: { ...template.spec, restartPolicy: 'Never' },
    };
    const made = await api.post(path, workload('batch/v1', 'Job', { template: pods }));
    assert.equal(made.status, 201, made.text);
    const { uid, labels: own } = made.json.metadata;
    assert.deepEqual(own, { 'controller-uid': uid, 'job-name': 'x' });
    const again = await api.put(`${path}/x`, made.json);
    assert.equal(again.json.metadata.resourceVersion, made.json.metadata.resourceVersion, again.text);
    await api.patch(`${path}/x/status`, { status: { succeeded: 1 } });
    await api.settled();
    for (const [selector, count] of [
      ['status.successful=1', 1],
      ['status.successful=0', 0],
    ] as const)
      assert.equal((await api.get(`${path}?fieldSelector=${selector}`)).json.items.length, count);
  });

  it('only the older version of cron jobs has the field label of jobs', async () => {
    await using api = await open('1.24');
    const selector = '?fieldSelector=status.successful%3D1';
    assert.equal((await api.get(at('batch/v1beta1', 'cronjobs') + selector)).status, 200);
    assert.equal((await api.get(at('batch/v1', 'cronjobs') + selector)).status, 400);
  });
});
