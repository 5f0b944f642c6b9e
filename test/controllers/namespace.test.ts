import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namings } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { findKubectls, run } from '@orch/testkit';
import { type ApiItem, configMap, create, expectCode, item, list, podObject } from '../api/fixture.ts';
import { type Controlled, controlled } from './roles-fixture.ts';

/** What the tests wait for is the controller, not the time that it gives to other servers. */
const settled = { namespace: { resyncMs: 300_000, finalizeDelayMs: 100 } };

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const path = (namespace: string): string => `/api/v1/namespaces/${namespace}`;

async function makeNamespace(world: Controlled, name: string, rest: object = {}): Promise<ApiItem> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, ...rest };
  return create(world.client, '/api/v1/namespaces', namespace);
}

const statusOf = async (world: Controlled, name: string): Promise<number> =>
  (await world.client.get(path(name))).status;

const gone = (world: Controlled, name: string, deadlineMs?: number): Promise<number> =>
  eventually(
    () => statusOf(world, name),
    (code) => code === 404,
    deadlineMs,
  );

async function release(world: Controlled, target: string): Promise<void> {
  const body = { metadata: { finalizers: null } };
  const contentType = 'application/merge-patch+json';
  expectCode(200, await world.client.send('PATCH', target, { body, contentType }));
}

/** The conditions of a namespace, once one of them is as wanted. */
async function conditions(
  world: Controlled,
  name: string,
  type: string,
  status: string,
): Promise<Readonly<Record<string, Condition>>> {
  const seen = await eventually(
    async () => item(expectCode(200, await world.client.get(path(name)))),
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
    let world: Controlled;

    before(async () => {
      world = await controlled({ naming });
      await world.run('namespace', settled);
    });
    after(() => world?.[Symbol.asyncDispose]());

    it('the content of a deleted namespace is deleted for every kind, and then the namespace', async () => {
      await makeNamespace(world, 'full');
      await create(world.client, `${path('full')}/configmaps`, configMap('a'));
      await create(world.client, `${path('full')}/pods`, podObject('p'));
      const service = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 's' },
        spec: { ports: [{ port: 80 }] },
      };
      await create(world.client, `${path('full')}/services`, service);
      const leases = `/apis/${world.names.group('coordination')}/v1/namespaces/full/leases`;
      const lease = { metadata: { name: 'l' }, spec: {} };
      await create(world.client, leases, lease);
      expectCode(200, await world.client.delete(path('full')));
      await gone(world, 'full');
      for (const at of [`${path('full')}/configmaps`, `${path('full')}/services`, leases])
        assert.deepEqual(list(expectCode(200, await world.client.get(at))).items, [], at);
    });

    it('the conditions of a terminating namespace report remaining content and finalizers until they are removed', async () => {
      await makeNamespace(world, 'held');
      const finalizers = ['example.com/a'];
      const maps = `${path('held')}/configmaps`;
      await create(world.client, maps, configMap('x', {}, { finalizers }));
      await create(world.client, maps, configMap('y', {}, { finalizers: [...finalizers, 'example.com/b'] }));
      await create(world.client, maps, configMap('z'));
      expectCode(200, await world.client.delete(path('held')));
      const found = await conditions(world, 'held', 'NamespaceFinalizersRemaining', 'True');
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
      await release(world, `${maps}/x`);
      assert.equal(await statusOf(world, 'held'), 200);
      await release(world, `${maps}/y`);
      await gone(world, 'held');
    });

    it('the pods of a deleted namespace end before its other content is deleted', async () => {
      await makeNamespace(world, 'graceful');
      const pods = `${path('graceful')}/pods`;
      await create(
        world.client,
        pods,
        podObject('p', {}, { nodeName: 'n', terminationGracePeriodSeconds: 3 }),
      );
      await create(world.client, `${path('graceful')}/configmaps`, configMap('a'));
      expectCode(200, await world.client.delete(path('graceful')));
      const found = await conditions(world, 'graceful', 'NamespaceContentRemaining', 'True');
      assert.match(found['NamespaceContentRemaining']?.message ?? '', /pods has 1 resource instances/);
      const pod = item(expectCode(200, await world.client.get(`${pods}/p`)));
      assert.equal(pod.metadata.deletionGracePeriodSeconds, 3);
      expectCode(200, await world.client.get(`${path('graceful')}/configmaps/a`));
      // What a node agent does when the containers have ended.
      expectCode(200, await world.client.delete(`${pods}/p?gracePeriodSeconds=0`));
      await gone(world, 'graceful');
    });

    it('the namespace controller removes only its own finalizer from a namespace', async () => {
      await makeNamespace(world, 'shared', { spec: { finalizers: ['example.com/other'] } });
      expectCode(200, await world.client.delete(path('shared')));
      const left = await eventually(
        async () => item(expectCode(200, await world.client.get(path('shared')))),
        ({ spec }) => (spec['finalizers'] as readonly string[]).length === 1,
      );
      assert.deepEqual(left.spec, { finalizers: ['example.com/other'] });
      expectCode(200, await world.client.put(`${path('shared')}/finalize`, { ...left, spec: {} }));
      await gone(world, 'shared');
    });

    it('a namespace deletion is completed by another controller after a restart', async () => {
      await makeNamespace(world, 'moved');
      const maps = `${path('moved')}/configmaps`;
      await create(world.client, maps, configMap('x', {}, { finalizers: ['example.com/a'] }));
      expectCode(200, await world.client.delete(path('moved')));
      await conditions(world, 'moved', 'NamespaceContentRemaining', 'True');
      await world.stop();
      await release(world, `${maps}/x`);
      await world.run('namespace', settled);
      await gone(world, 'moved');
    });
  });
}

describe('namespace with 5,000 objects', () => {
  it('kubectl delete removes a namespace with 5,000 objects within its timeout', async (t) => {
    await using world = await controlled({ naming: 'kubernetes' });
    const kubectl = (await findKubectls(`${import.meta.dirname}/../..`)).at(-1);
    if (kubectl === undefined) return t.skip('no kubectl on this machine');
    await world.run('namespace', settled);
    await makeNamespace(world, 'big');
    const numbers = Array.from({ length: 5000 }, (_, i) => i).values();
    const writer = async (): Promise<void> => {
      for (const i of numbers) await create(world.client, `${path('big')}/configmaps`, configMap(`c-${i}`));
    };
    await Promise.all(Array.from({ length: 16 }, writer));
    const args = ['--kubeconfig', world.server.adminConfig, 'delete', 'ns', 'big', '--timeout=50s'];
    const began = performance.now();
    const deleted = await run(kubectl.path, args);
    t.diagnostic(`gone after ${Math.round(performance.now() - began)} ms`);
    assert.equal(deleted.code, 0, deleted.stderr);
    assert.equal(await statusOf(world, 'big'), 404);
    const left = list(expectCode(200, await world.client.get(`${path('big')}/configmaps`)));
    assert.deepEqual(left.items, []);
  });
});
