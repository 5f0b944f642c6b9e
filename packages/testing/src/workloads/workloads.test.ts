import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createClient, type kinds, type TypedClient, typed } from '@orch/client';
import type { ControlPlane } from '../options.ts';
import { startControlPlane } from '../start-control-plane.ts';

const namespace = 'default';
const WAIT = { timeoutMs: 60_000 };
const pod = (image = 'web:1'): kinds.core.PodSpec => ({ containers: [{ name: 'main', image }] });
const labels = { app: 'web' };
const deployment = (spec: Partial<kinds.apps.DeploymentSpec> = {}): kinds.apps.Deployment => ({
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: pod() },
    ...spec,
  },
});
const template = (image: string) => ({ metadata: { labels }, spec: pod(image) });

// Older releases count the pods of jobs in another way.
const releases = [
  ['orch', '1.24'],
  ['kubernetes', '1.36'],
] as const;

for (const [naming, emulatedVersion] of releases)
  describe(`workloads of a control plane of a test (${naming} ${emulatedVersion})`, {
    timeout: 170_000,
  }, () => {
    let plane: ControlPlane;
    let api: TypedClient;
    before(async () => {
      plane = await startControlPlane({
        naming,
        emulatedVersion,
        workloads: true,
        pods: {
          readyAfter: '20ms',
          fail: [{ pods: { fails: 'always' } }, { pods: 'twice', times: 2 }, { pods: 'retried-*', times: 1 }],
        },
      });
      api = typed(createClient(plane.config), namespace);
    });
    beforeEach(() => plane.reset());
    after(() => plane?.stop());

    it('a job runs its pods until enough have succeeded, and a failed one is tried again', async () => {
      const made = await api.batch.v1.jobs.create({
        metadata: { name: 'retried' },
        spec: { completions: 3, parallelism: 2, template: { spec: { ...pod(), restartPolicy: 'Never' } } },
      });
      const ended = await plane.eventually(
        made,
        (now) => now?.status?.conditions?.some(({ type }) => type === 'Complete') === true,
        WAIT,
      );
      assert.deepEqual([ended?.status?.succeeded, ended?.status?.failed], [3, 1]);
      await plane.quiescent(WAIT);
      const { items } = await api.core.v1.pods.list();
      assert.deepEqual(
        items.flatMap(({ metadata }) => metadata.finalizers ?? []),
        [],
      );
    });

    it('a StatefulSet starts its pods in order, each with its claim, and replaces them in reverse', async () => {
      const made = await api.apps.v1.statefulsets.create({
        metadata: { name: 'db' },
        spec: {
          replicas: 2,
          serviceName: 'db',
          selector: { matchLabels: labels },
          template: template('db:1'),
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          ],
        },
      });
      await plane.eventually(made, (now) => now?.status?.readyReplicas === 2, WAIT);
      await api.apps.v1.statefulsets.patch.merge('db', { spec: { template: template('db:2') } });
      await plane.eventually(
        made,
        ({ status, metadata }: kinds.apps.StatefulSet = made) =>
          status?.observedGeneration === metadata.generation &&
          status?.updatedReplicas === 2 &&
          status?.currentRevision === status?.updateRevision &&
          status?.readyReplicas === 2,
        WAIT,
      );
      const writes = (await plane.history()).filter(({ kind }) => kind === 'Pod');
      const created = writes.filter(({ change }) => change === 'created').map(({ name }) => name);
      assert.deepEqual(created, ['db-0', 'db-1', 'db-1', 'db-0']);
      const { items } = await api.core.v1.persistentvolumeclaims.list();
      assert.deepEqual(items.map(({ metadata }) => metadata.name).sort(), ['data-db-0', 'data-db-1']);
    });

    const takesClaimsAlong = async (): Promise<void> => {
      const made = await api.apps.v1.statefulsets.create({
        metadata: { name: 'cache' },
        spec: {
          replicas: 2,
          serviceName: 'cache',
          selector: { matchLabels: labels },
          template: template('cache:1'),
          persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Delete' },
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          ],
        },
      });
      const claims = api.core.v1.persistentvolumeclaims;
      await plane.eventually(made, (now) => now?.status?.readyReplicas === 2, WAIT);
      const [first, second] = [await claims.get('data-cache-0'), await claims.get('data-cache-1')];
      await api.apps.v1.statefulsets.patch.merge('cache', { spec: { replicas: 1 } });
      await plane.eventually(second, (now) => now === undefined, WAIT);
      await api.apps.v1.statefulsets.delete('cache');
      await plane.eventually(first, (now) => now === undefined, WAIT);
    };
    // Earlier releases have neither the field nor the permissions by default.
    if (naming === 'kubernetes')
      it(
        'a StatefulSet takes claims along, of pods that a scale removes and when it is deleted',
        takesClaimsAlong,
      );

    it('a DaemonSet has a pod on each node, also on one that is added', async () => {
      const made = await api.apps.v1.daemonsets.create({
        metadata: { name: 'agent' },
        spec: { selector: { matchLabels: labels }, template: template('agent:1') },
      });
      await plane.eventually(made, (now) => now?.status?.numberAvailable === 3, WAIT);
      await api.core.v1.nodes.create({ metadata: { name: 'added' } });
      await plane.eventually(made, (now) => now?.status?.numberAvailable === 4, WAIT);
      const { items } = await api.core.v1.pods.list();
      const on = items.map(({ spec }) => spec?.nodeName).sort();
      assert.deepEqual(on, ['added', 'node-1', 'node-2', 'node-3']);
      await api.apps.v1.daemonsets.patch.merge('agent', { spec: { template: template('agent:2') } });
      await plane.eventually(
        made,
        ({ status, metadata }: kinds.apps.DaemonSet = made) =>
          status?.observedGeneration === metadata.generation &&
          status?.updatedNumberScheduled === 4 &&
          status?.numberAvailable === 4,
        WAIT,
      );
    });

    // The others do not depend on the release.
    if (naming !== 'orch') return;

    it('a Deployment gets pods that are ready, and its status says so', async () => {
      const made = await api.apps.v1.deployments.create(deployment());
      const ready = await plane.eventually(made, (now) => now?.status?.availableReplicas === 3, WAIT);
      await plane.quiescent(WAIT);
      assert.equal(ready?.status?.readyReplicas, 3);
      const { items } = await api.core.v1.pods.list();
      assert.equal(items.length, 3);
      assert.equal(new Set(items.map(({ spec }) => spec?.nodeName)).size, 3, 'each is on another node');
      assert.equal(new Set(items.map(({ status }) => status?.podIP)).size, 3, 'each has its address');
    });

    it('a new template replaces the pods, and the old set stays in the history', async () => {
      const { deployments, replicasets } = api.apps.v1;
      const made = await deployments.create(deployment());
      await plane.eventually(made, (now) => now?.status?.availableReplicas === 3, WAIT);
      await deployments.patch.merge('web', { spec: { template: template('web:2') } });
      await plane.eventually(
        made,
        ({ status, metadata }: kinds.apps.Deployment = made) =>
          status?.observedGeneration === metadata.generation &&
          status?.updatedReplicas === 3 &&
          status?.replicas === 3 &&
          status?.availableReplicas === 3,
        WAIT,
      );
      await plane.quiescent(WAIT);
      const { items: pods } = await api.core.v1.pods.list();
      assert.deepEqual(new Set(pods.map(({ spec }) => spec?.containers[0]?.image)), new Set(['web:2']));
      const { items: sets } = await replicasets.list();
      assert.deepEqual(sets.map(({ spec }) => spec?.replicas).sort(), [0, 3]);
    });

    it('a template whose pods fail does not replace the pods that run', async () => {
      const made = await api.apps.v1.deployments.create(deployment());
      await plane.eventually(made, (now) => now?.status?.availableReplicas === 3, WAIT);
      const broken = template('web:broken');
      const failing = { ...broken, metadata: { labels: { ...labels, fails: 'always' } } };
      await api.apps.v1.deployments.patch.merge('web', { spec: { template: failing } });
      await plane.eventually(made, (now) => now?.status?.updatedReplicas === 1, WAIT);
      const { status } = await api.apps.v1.deployments.get('web');
      assert.equal(status?.availableReplicas, 3);
      const { items } = await api.core.v1.pods.list({ labelSelector: 'fails=always' });
      const [first] = items;
      assert.ok(first !== undefined);
      await plane.eventually(
        first,
        (now) => (now?.status?.containerStatuses?.[0]?.restartCount ?? 0) > 0,
        WAIT,
      );
    });

    it('a deleted Deployment takes its sets and pods with it', async () => {
      const made = await api.apps.v1.deployments.create(deployment());
      await plane.eventually(made, (now) => now?.status?.availableReplicas === 3, WAIT);
      await api.apps.v1.deployments.delete('web');
      const { items } = await api.core.v1.pods.list();
      for (const each of items) await plane.eventually(each, (now) => now === undefined, WAIT);
      assert.deepEqual((await api.apps.v1.replicasets.list()).items, []);
    });

    it('a pod that fails twice is restarted twice and succeeds then', async () => {
      const made = await api.core.v1.pods.create({
        metadata: { name: 'twice' },
        spec: { ...pod(), restartPolicy: 'OnFailure' },
      });
      const ended = await plane.eventually(made, (now) => now?.status?.phase === 'Succeeded', WAIT);
      assert.equal(ended?.status?.containerStatuses?.[0]?.restartCount, 2);
    });

    it('a pod that no node fits stays pending and says why', async () => {
      const spec = { ...pod(), nodeSelector: { disk: 'fast' } };
      const made = await api.core.v1.pods.create({ metadata: { name: 'picky' }, spec });
      const waiting = await plane.eventually(
        made,
        (now) => now?.status?.conditions?.some(({ reason }) => reason === 'Unschedulable') === true,
        WAIT,
      );
      const condition = waiting?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
      assert.match(condition?.message ?? '', /^0\/3 nodes are available: 3 node\(s\) didn't match/);
      await api.core.v1.nodes.patch.merge('node-2', { metadata: { labels: { disk: 'fast' } } });
      const placed = await plane.eventually(made, (now) => now?.status?.phase === 'Running', WAIT);
      assert.equal(placed?.spec?.nodeName, 'node-2');
    });

    it('a service has endpoint slices with the pods that it selects', async () => {
      await api.core.v1.services.create({
        metadata: { name: 'web' },
        spec: { selector: labels, ports: [{ port: 80 }] },
      });
      const made = await api.core.v1.pods.create({ metadata: { name: 'web', labels }, spec: pod() });
      const ready = await plane.eventually(made, (now) => now?.status?.phase === 'Running', WAIT);
      await plane.quiescent(WAIT);
      const { items } = await api.discovery.v1.endpointslices.list();
      const own = items.filter(({ metadata }) => metadata.ownerReferences?.[0]?.name === 'web');
      assert.deepEqual(
        own
          .flatMap(({ endpoints }) => endpoints ?? [])
          .map(({ addresses, targetRef }) => [addresses[0], targetRef?.name]),
        [[ready?.status?.podIP, 'web']],
      );
      assert.deepEqual(
        own[0]?.ports?.map(({ port }) => port),
        [80],
      );
    });

    it('a pod on a node that does not exist has no endpoint until it does, which then names the zone', async () => {
      await api.core.v1.services.create({
        metadata: { name: 'web' },
        spec: { selector: labels, ports: [{ port: 80 }] },
      });
      const spec = { ...pod(), nodeName: 'later' };
      await api.core.v1.pods.create({ metadata: { name: 'web', labels }, spec });
      const status = { phase: 'Running', podIP: '10.9.0.1', podIPs: [{ ip: '10.9.0.1' }] };
      await api.core.v1.pods.subresource('status').patch.merge('web', { status });
      await plane.quiescent(WAIT);
      const { items } = await api.discovery.v1.endpointslices.list();
      const [slice] = items.filter(({ metadata }) => metadata.ownerReferences?.[0]?.name === 'web');
      assert.ok(slice !== undefined);
      assert.deepEqual(slice.endpoints ?? [], []);
      const zone = { [createClient(plane.config).names.labels.topologyZone]: 'east' };
      await api.core.v1.nodes.create({ metadata: { name: 'later', labels: zone } });
      await plane.eventually(slice, (now) => now?.endpoints?.[0]?.zone === 'east', WAIT);
    });

    it('a CronJob creates the job of a time that has passed', async () => {
      // A control plane of a test does not wait for the next minute.
      const made = await api.batch.v1.cronjobs.create({
        metadata: { name: 'tick' },
        spec: {
          schedule: '@every 1s',
          concurrencyPolicy: 'Forbid',
          jobTemplate: { spec: { template: { spec: { ...pod(), restartPolicy: 'Never' } } } },
        },
      });
      const ran = await plane.eventually(made, (now) => now?.status?.lastSuccessfulTime !== undefined, WAIT);
      assert.ok(ran?.status?.lastScheduleTime !== undefined);
      const { items } = await api.batch.v1.jobs.list();
      assert.ok(items.every(({ metadata }) => metadata.ownerReferences?.[0]?.name === 'tick'));
    });

    it('a claim is bound to a new volume, and the volume is removed with it', async () => {
      const { persistentvolumeclaims, persistentvolumes } = api.core.v1;
      const claim = await persistentvolumeclaims.create({
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      });
      const bound = await plane.eventually(claim, (now) => now?.status?.phase === 'Bound', WAIT);
      const volume = await persistentvolumes.get(bound?.spec?.volumeName ?? '');
      assert.equal(volume.spec?.claimRef?.uid, claim.metadata.uid);
      await persistentvolumeclaims.delete('data');
      await plane.eventually(volume, (now) => now === undefined, WAIT);
    });
  });
