import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient, type kinds, type TypedClient, typed } from '@orch/client';
import { poll } from '@orch/machinery/testing';
import { type ControlPlane, startControlPlane } from '@orch/testing';

const namespace = 'default';
const WAIT = { timeoutMs: 60_000 };
const labels = { app: 'web' };
const template = (spec: Partial<kinds.core.PodSpec> = {}): kinds.core.PodTemplateSpec => ({
  metadata: { labels },
  spec: { containers: [{ name: 'main', image: 'web:1' }], ...spec },
});
const selector = { matchLabels: labels };

describe('the events of workloads', { timeout: 170_000 }, () => {
  let plane: ControlPlane;
  let api: TypedClient;
  before(async () => {
    const pods = { fail: [{ pods: 'broken-*' }] };
    plane = await startControlPlane({ naming: 'kubernetes', workloads: true, nodes: 1, pods });
    api = typed(createClient(plane.config), namespace);
  });
  after(() => plane?.stop());

  /** Waits until the events about objects of a kind are these; random parts of names are question marks. */
  async function shows(kind: string, name: RegExp, expected: readonly string[]): Promise<void> {
    const texts = async (): Promise<readonly string[]> => {
      const { items } = await api.core.v1.events.list();
      return items
        .filter(({ involvedObject }) => involvedObject.kind === kind && name.test(involvedObject.name ?? ''))
        .map(({ type, reason, message, source }) => `${type} ${reason} ${source?.component}: ${message}`)
        .map((text) => text.replace(/-[bcdfghjklmnpqrstvwxz2456789]{5,}\b/g, '-?'))
        .sort();
    };
    let last: readonly string[] = [];
    const wanted = [...expected].sort();
    await poll(`the events of ${kind}`, WAIT.timeoutMs, async () => {
      last = await texts();
      return last.length >= wanted.length ? true : undefined;
    }).catch(() => undefined);
    assert.deepEqual(last, wanted);
  }

  it('a Deployment names the ReplicaSets that it scales, and a ReplicaSet its pods', async () => {
    const made = await api.apps.v1.deployments.create({
      metadata: { name: 'web' },
      spec: { replicas: 2, selector, template: template() },
    });
    await plane.eventually(made, (now) => now?.status?.availableReplicas === 2, WAIT);
    await api.apps.v1.deployments.patch.merge('web', { spec: { replicas: 1 } });
    await plane.eventually(made, (now) => now?.status?.replicas === 1, WAIT);
    await shows('Deployment', /^web$/, [
      'Normal ScalingReplicaSet deployment-controller: Scaled up replica set web-? from 0 to 2',
      'Normal ScalingReplicaSet deployment-controller: Scaled down replica set web-? from 2 to 1',
    ]);
    await shows('ReplicaSet', /^web-/, [
      'Normal SuccessfulCreate replicaset-controller: Created pod: web-?-?',
      'Normal SuccessfulCreate replicaset-controller: Created pod: web-?-?',
      'Normal SuccessfulDelete replicaset-controller: Deleted pod: web-?-?',
    ]);
    const { generation, annotations } = (await api.apps.v1.deployments.get('web')).metadata;
    assert.equal(generation, 2, 'the number of the revision does not change the generation');
    assert.equal(annotations?.[plane.config.names.annotations.deploymentRevision], '1');
  });

  it('a StatefulSet names its pods and claims, and a DaemonSet its pods', async () => {
    const data: kinds.core.PersistentVolumeClaim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    const set = await api.apps.v1.statefulsets.create({
      metadata: { name: 'db' },
      spec: { replicas: 1, serviceName: 'db', selector, template: template(), volumeClaimTemplates: [data] },
    });
    await plane.eventually(set, (now) => now?.status?.availableReplicas === 1, WAIT);
    await api.apps.v1.statefulsets.patch.merge('db', { spec: { replicas: 0 } });
    await shows('StatefulSet', /^db$/, [
      'Normal SuccessfulCreate statefulset-controller: Create Claim data-db-0 Pod db-0 in StatefulSet db success',
      'Normal SuccessfulCreate statefulset-controller: Create Pod db-0 in StatefulSet db successful',
      'Normal SuccessfulDelete statefulset-controller: Delete Pod db-0 in StatefulSet db successful',
    ]);
    await api.apps.v1.daemonsets.create({
      metadata: { name: 'agent' },
      spec: { selector, template: template() },
    });
    await shows('DaemonSet', /^agent$/, [
      'Normal SuccessfulCreate daemonset-controller: Created pod: agent-?',
    ]);
  });

  it('a job tells what happens to its pods, and how it ends', async () => {
    const jobs = api.batch.v1.jobs;
    const spec = { backoffLimit: 0, template: template({ restartPolicy: 'Never' }) };
    const made = await jobs.create({ metadata: { name: 'work' }, spec: { ...spec, suspend: true } });
    const hasCondition =
      (type: string) =>
      (now: kinds.batch.Job | undefined): boolean =>
        now?.status?.conditions?.some((each) => each.type === type) === true;
    await plane.eventually(made, hasCondition('Suspended'), WAIT);
    await jobs.patch.merge('work', { spec: { suspend: false } });
    await plane.eventually(made, hasCondition('Complete'), WAIT);
    await shows('Job', /^work$/, [
      'Normal Suspended job-controller: Job suspended',
      'Normal Resumed job-controller: Job resumed',
      'Normal SuccessfulCreate job-controller: Created pod: work-?',
      'Normal Completed job-controller: Job completed',
    ]);
    const broken = await jobs.create({ metadata: { name: 'broken' }, spec });
    await plane.eventually(broken, hasCondition('Failed'), WAIT);
    await shows('Job', /^broken$/, [
      'Normal SuccessfulCreate job-controller: Created pod: broken-?',
      'Warning BackoffLimitExceeded job-controller: Job has reached the specified backoff limit',
    ]);
  });
});
