import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namings } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { representativeKubectls, run } from '@orch/testkit';
import { expectCode, ns, podObject, pods } from '../api/fixture.ts';
import { type Controlled, controlled } from './roles-fixture.ts';

const claims = `${ns}/persistentvolumeclaims`;
const volumes = '/api/v1/persistentvolumes';
const merge = { contentType: 'application/merge-patch+json' };

interface Held {
  readonly metadata: {
    readonly uid: string;
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
  };
}

for (const naming of namings) {
  describe(`protection of claims and volumes in use, ${naming}`, { timeout: 60_000 }, () => {
    let cluster: Controlled;
    let finalizers: Controlled['names']['finalizers'];

    const get = async (path: string): Promise<Held | undefined> => {
      const { status, json } = await cluster.client.get(path);
      return status === 404 ? undefined : (json as Held);
    };
    const held = (seen: Held | undefined): readonly string[] => seen?.metadata.finalizers ?? [];
    const isGone = (seen: Held | undefined): boolean => seen === undefined;
    const isHeld = (seen: Held | undefined): boolean => seen?.metadata.deletionTimestamp !== undefined;

    const createClaim = async (name: string, metadata: object = {}): Promise<void> => {
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
      const body = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, ...metadata }, spec };
      expectCode(201, await cluster.client.post(claims, body));
      await eventually(
        () => get(`${claims}/${name}`),
        (seen) => held(seen).includes(finalizers.pvcProtection),
      );
    };
    const createPod = async (name: string, claim: string, nodeName = 'here'): Promise<void> => {
      const spec = {
        ...(nodeName && { nodeName }),
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: claim } }],
      };
      expectCode(201, await cluster.client.post(pods, podObject(name, {}, spec)));
    };
    const remove = async (path: string): Promise<void> => {
      const { status } = await cluster.client.delete(`${path}?gracePeriodSeconds=0`);
      assert.ok(status === 200 || status === 202, String(status));
    };

    before(async () => {
      cluster = await controlled({ naming });
      ({ finalizers } = cluster.names);
      await cluster.run('pvc-protection');
      await cluster.run('pv-protection');
    });
    after(() => cluster[Symbol.asyncDispose]());

    it('the protection finalizer is removed from a deleted claim that no pod uses', async () => {
      await createClaim('free', { finalizers: ['example.com/other'] });
      await remove(`${claims}/free`);
      const left = await eventually(
        () => get(`${claims}/free`),
        (seen) => held(seen).length === 1,
      );
      assert.deepEqual(held(left), ['example.com/other']);
      expectCode(
        200,
        await cluster.client.send('PATCH', `${claims}/free`, {
          ...merge,
          body: { metadata: { finalizers: null } },
        }),
      );
      assert.ok(isGone(await get(`${claims}/free`)));
    });

    it('a deleted claim is kept until the last scheduled pod that uses it is deleted', async () => {
      await createClaim('used');
      await createPod('one', 'used');
      await createPod('two', 'used');
      await createPod('waiting', 'used', '');
      await remove(`${claims}/used`);
      assert.ok(isHeld(await get(`${claims}/used`)));
      await remove(`${pods}/one`);
      // An unused claim that was deleted later has been processed and removed.
      await createClaim('witness');
      await remove(`${claims}/witness`);
      await eventually(() => get(`${claims}/witness`), isGone);
      assert.ok(isHeld(await get(`${claims}/used`)));
      await remove(`${pods}/two`);
      await eventually(() => get(`${claims}/used`), isGone);
    });

    it('a deleted claim is kept while a terminated pod that uses it exists', async () => {
      await createClaim('ended');
      await createPod('done', 'ended');
      expectCode(
        200,
        await cluster.client.send('PATCH', `${pods}/done/status`, {
          ...merge,
          body: { status: { phase: 'Succeeded' } },
        }),
      );
      await remove(`${claims}/ended`);
      await createClaim('witness-2');
      await remove(`${claims}/witness-2`);
      await eventually(() => get(`${claims}/witness-2`), isGone);
      assert.ok(isHeld(await get(`${claims}/ended`)));
      await remove(`${pods}/done`);
      await eventually(() => get(`${claims}/ended`), isGone);
    });

    it('many claims with pods are all removed after their pods, and none while it is in use', async () => {
      const names = Array.from({ length: 20 }, (_, i) => `m-${i}`);
      await Promise.all(names.map((name) => createClaim(name)));
      await Promise.all(names.map((name) => createPod(`pod-${name}`, name)));
      await Promise.all(names.map((name) => remove(`${claims}/${name}`)));
      for (const name of names) assert.ok(isHeld(await get(`${claims}/${name}`)), name);
      await Promise.all(names.map((name) => remove(`${pods}/pod-${name}`)));
      for (const name of names) await eventually(() => get(`${claims}/${name}`), isGone);
    });

    it('a deleted volume is kept until no claim is bound to it', async () => {
      const body = {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'disk' },
        spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
      };
      expectCode(201, await cluster.client.post(volumes, body));
      await eventually(
        () => get(`${volumes}/disk`),
        (seen) => held(seen).includes(finalizers.pvProtection),
      );
      const phase = async (value: string): Promise<void> =>
        void expectCode(
          200,
          await cluster.client.send('PATCH', `${volumes}/disk/status`, {
            ...merge,
            body: { status: { phase: value } },
          }),
        );
      await phase('Bound');
      await remove(`${volumes}/disk`);
      assert.ok(isHeld(await get(`${volumes}/disk`)));
      await phase('Released');
      await eventually(() => get(`${volumes}/disk`), isGone);
    });
  });
}

const kubectls = await representativeKubectls(join(import.meta.dirname, '..', '..'));
if (kubectls.length === 0) {
  describe('kubectl and a claim in use', () => {
    it.skip('kubectl delete waits for the pod that uses a claim: no kubectl on this machine', () => {});
  });
} else {
  describe('kubectl and a claim in use', { timeout: 120_000 }, () => {
    const home = mkdtempSync(join(tmpdir(), 'kubectl-claims-'));
    let cluster: Controlled;
    before(async () => {
      cluster = await controlled();
      await cluster.run('pvc-protection');
    });
    after(async () => {
      await cluster[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    });

    for (const kubectl of kubectls) {
      it(`kubectl ${kubectl.release} delete of a claim waits for the pod that uses it`, async () => {
        const kube = (args: readonly string[], input?: string) =>
          run(kubectl.path, args, {
            env: { KUBECONFIG: cluster.server.adminConfig, HOME: home },
            ...(input === undefined ? {} : { input }),
          });
        const claim = {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        };
        const spec = {
          nodeName: 'here',
          volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
        };
        const user = podObject('user', {}, spec);
        const both = { apiVersion: 'v1', kind: 'List', items: [claim, user] };
        const created = await kube(['create', '-f', '-'], JSON.stringify(both));
        assert.equal(created.code, 0, created.stderr);
        const finalizers = ['get', 'pvc', 'data', '-o', 'jsonpath={.metadata.finalizers[0]}'];
        await eventually(
          () => kube(finalizers),
          ({ stdout }) => stdout === 'kubernetes.io/pvc-protection',
        );
        const deletion = kube(['delete', 'pvc', 'data', '--timeout=40s']);
        await eventually(
          () => kube(['get', 'pvc', 'data', '--no-headers']),
          ({ stdout }) => /Terminating/.test(stdout),
        );
        assert.match((await kube(['describe', 'pvc', 'data'])).stdout, /Status:\s+Terminating/);
        await kube(['delete', 'pod', 'user', '--grace-period=0', '--force']);
        assert.equal((await deletion).code, 0, (await deletion).stderr);
        assert.equal((await kube(['get', 'pvc', 'data'])).code, 1);
      });
    }
  });
}
