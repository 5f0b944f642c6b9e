import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namings } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { findKubectls, run } from '@orch/testkit';
import { type ApiItem, configMap, create, expectCode, item, list, podObject } from '../api/fixture.ts';
import { type Controlled, controlled } from './roles-fixture.ts';

/** The tests wait for the controller, not for the delay that it grants to other servers. */
const settled = { namespace: { resyncMs: 300_000, finalizeDelayMs: 100 } };

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const path = (namespace: string): string => `/api/v1/namespaces/${namespace}`;

async function makeNamespace(cluster: Controlled, name: string, rest: object = {}): Promise<ApiItem> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, ...rest };
  return create(cluster.client, '/api/v1/namespaces', namespace);
}

const statusOf = async (cluster: Controlled, name: string): Promise<number> =>
  (await cluster.client.get(path(name))).status;

const gone = (cluster: Controlled, name: string, deadlineMs?: number): Promise<number> =>
  eventually(
    () => statusOf(cluster, name),
    (code) => code === 404,
    deadlineMs,
  );

async function release(cluster: Controlled, target: string): Promise<void> {
  const body = { metadata: { finalizers: null } };
  const contentType = 'application/merge-patch+json';
  expectCode(200, await cluster.client.send('PATCH', target, { body, contentType }));
}

/** The conditions of a namespace, once one of them is as wanted. */
async function conditions(
  cluster: Controlled,
  name: string,
  type: string,
  status: string,
): Promise<Readonly<Record<string, Condition>>> {
  const seen = await eventually(
    async () => item(expectCode(200, await cluster.client.get(path(name)))),
    (namespace) =>
      ((namespace.status['conditions'] ?? []) as readonly Condition[]).some(
        (condition) => condition.type === type && condition.status === status,
      ),
  );
  const all = seen.status['conditions'] as readonly Condition[];
  return Object.fromEntries(all.map((condition) => [condition.type, condition]));
}

for (const naming of namings) {
  describe(`namespace controller (${naming})`, () => {
    let cluster: Controlled;

    before(async () => {
      cluster = await controlled({ naming });
      await cluster.run('namespace', settled);
    });
    after(() => cluster?.[Symbol.asyncDispose]());

    it('the content of a deleted namespace is deleted for every kind, and then the namespace', async () => {
      await makeNamespace(cluster, 'full');
      await create(cluster.client, `${path('full')}/configmaps`, configMap('a'));
      await create(cluster.client, `${path('full')}/pods`, podObject('p'));
      const service = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 's' },
        spec: { ports: [{ port: 80 }] },
      };
      await create(cluster.client, `${path('full')}/services`, service);
      const leases = `/apis/${cluster.names.group('coordination')}/v1/namespaces/full/leases`;
      const lease = { metadata: { name: 'l' }, spec: {} };
      await create(cluster.client, leases, lease);
      expectCode(200, await cluster.client.delete(path('full')));
      await gone(cluster, 'full');
      for (const at of [`${path('full')}/configmaps`, `${path('full')}/services`, leases])
        assert.deepEqual(list(expectCode(200, await cluster.client.get(at))).items, [], at);
    });

    it('the conditions of a terminating namespace report remaining content and finalizers until they are removed', async () => {
      await makeNamespace(cluster, 'held');
      const finalizers = ['example.com/a'];
      const maps = `${path('held')}/configmaps`;
      await create(cluster.client, maps, configMap('x', {}, { finalizers }));
      await create(
        cluster.client,
        maps,
        configMap('y', {}, { finalizers: [...finalizers, 'example.com/b'] }),
      );
      await create(cluster.client, maps, configMap('z'));
      expectCode(200, await cluster.client.delete(path('held')));
      const found = await conditions(cluster, 'held', 'NamespaceFinalizersRemaining', 'True');
      assert.deepEqual(
        Object.values(found).map(({ type, status, reason }) => [type, status, reason]),
        [
          ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered'],
          ['NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions'],
          ['NamespaceDeletionContentFailure', 'False', 'ContentDeleted'],
          ['NamespaceContentRemaining', 'True', 'SomeResourcesRemain'],
          ['NamespaceFinalizersRemaining', 'True', 'SomeFinalizersRemain'],
        ],
      );
      assert.match(found['NamespaceContentRemaining']?.message ?? '', /configmaps has 2 resource instances/);
      assert.match(
        found['NamespaceFinalizersRemaining']?.message ?? '',
        /example\.com\/a in 2 resource instances, example\.com\/b in 1 resource instances/,
      );
      await release(cluster, `${maps}/x`);
      assert.equal(await statusOf(cluster, 'held'), 200);
      await release(cluster, `${maps}/y`);
      await gone(cluster, 'held');
    });

    it('the pods of a deleted namespace end before its other content is deleted', async () => {
      await makeNamespace(cluster, 'graceful');
      const pods = `${path('graceful')}/pods`;
      await create(
        cluster.client,
        pods,
        podObject('p', {}, { nodeName: 'n', terminationGracePeriodSeconds: 3 }),
      );
      await create(cluster.client, `${path('graceful')}/configmaps`, configMap('a'));
      expectCode(200, await cluster.client.delete(path('graceful')));
      const found = await conditions(cluster, 'graceful', 'NamespaceContentRemaining', 'True');
      assert.match(found['NamespaceContentRemaining']?.message ?? '', /pods has 1 resource instances/);
      const pod = item(expectCode(200, await cluster.client.get(`${pods}/p`)));
      assert.equal(pod.metadata.deletionGracePeriodSeconds, 3);
      expectCode(200, await cluster.client.get(`${path('graceful')}/configmaps/a`));
      // Simulates the node agent after the containers have ended.
      expectCode(200, await cluster.client.delete(`${pods}/p?gracePeriodSeconds=0`));
      await gone(cluster, 'graceful');
    });

    it('the namespace controller removes only its own finalizer from a namespace', async () => {
      await makeNamespace(cluster, 'shared', { spec: { finalizers: ['example.com/other'] } });
      expectCode(200, await cluster.client.delete(path('shared')));
      const left = await eventually(
        async () => item(expectCode(200, await cluster.client.get(path('shared')))),
        ({ spec }) => (spec['finalizers'] as readonly string[]).length === 1,
      );
      assert.deepEqual(left.spec, { finalizers: ['example.com/other'] });
      expectCode(200, await cluster.client.put(`${path('shared')}/finalize`, { ...left, spec: {} }));
      await gone(cluster, 'shared');
    });

    it('a namespace deletion is completed by another controller after a restart', async () => {
      await makeNamespace(cluster, 'moved');
      const maps = `${path('moved')}/configmaps`;
      await create(cluster.client, maps, configMap('x', {}, { finalizers: ['example.com/a'] }));
      expectCode(200, await cluster.client.delete(path('moved')));
      await conditions(cluster, 'moved', 'NamespaceContentRemaining', 'True');
      await cluster.stop();
      await release(cluster, `${maps}/x`);
      await cluster.run('namespace', settled);
      await gone(cluster, 'moved');
    });
  });
}

describe('namespace with 5,000 objects', () => {
  it('kubectl delete removes a namespace with 5,000 objects within its timeout', async (t) => {
    await using cluster = await controlled({ naming: 'kubernetes' });
    const kubectl = (await findKubectls(`${import.meta.dirname}/../..`)).at(-1);
    if (kubectl === undefined) return t.skip('no kubectl on this machine');
    await cluster.run('namespace', settled);
    await makeNamespace(cluster, 'big');
    const numbers = Array.from({ length: 5000 }, (_, i) => i).values();
    const writer = async (): Promise<void> => {
      for (const i of numbers) await create(cluster.client, `${path('big')}/configmaps`, configMap(`c-${i}`));
    };
    await Promise.all(Array.from({ length: 16 }, writer));
    const args = ['--kubeconfig', cluster.server.adminConfig, 'delete', 'ns', 'big', '--timeout=50s'];
    const began = performance.now();
    const deleted = await run(kubectl.path, args);
    t.diagnostic(`gone after ${Math.round(performance.now() - began)} ms`);
    assert.equal(deleted.code, 0, deleted.stderr);
    assert.equal(await statusOf(cluster, 'big'), 404);
    const left = list(expectCode(200, await cluster.client.get(`${path('big')}/configmaps`)));
    assert.deepEqual(left.items, []);
  });
});
