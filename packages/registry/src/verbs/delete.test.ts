import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreError } from '@orch/storage';
import { configMap, pod } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;
const pods = `${ns}/pods`;
const finalizers = ['example.com/a', 'example.com/b'];

/** A pod on a node, running: one that a delete gives its grace period to. */
async function runningPod(
  api: RegistryFixture,
  name: string,
  spec: object = {},
  metadata: object = {},
): Promise<void> {
  assert.equal((await api.post(pods, pod(name, { nodeName: 'n', ...spec }, metadata))).status, 201);
}

describe('deletion (spec 3.1)', () => {
  it('an object with finalizers is removed after all of them are removed, in any order', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a', {}, { finalizers }));
    const first = await api.delete(`${cms}/a`);
    assert.equal(first.status, 200);
    assert.equal(first.json.kind, 'ConfigMap');
    assert.equal(first.json.metadata.deletionTimestamp, '2024-01-01T00:00:00Z');
    assert.equal(first.json.metadata.deletionGracePeriodSeconds, 0);
    assert.deepEqual(first.json.metadata.finalizers, finalizers);

    const again = await api.delete(`${cms}/a`);
    assert.equal(again.json.metadata.resourceVersion, first.json.metadata.resourceVersion);

    const watching = await api.watch(`${cms}?watch=1&resourceVersion=${first.json.metadata.resourceVersion}`);
    await api.patch(`${cms}/a`, { metadata: { finalizers: [finalizers[1]] } });
    assert.equal((await api.get(`${cms}/a`)).status, 200);
    const last = await api.patch(`${cms}/a`, { metadata: { finalizers: null } });
    assert.equal(last.status, 200);
    assert.equal(last.json.metadata.finalizers, undefined);
    assert.equal((await api.get(`${cms}/a`)).status, 404);
    await watching.until(2);
    assert.deepEqual(
      watching.events.map((event) => event.type),
      ['MODIFIED', 'DELETED'],
    );
    watching.stop();
  });

  it('the deletion of a definition of custom resources sets its time, and leaves its generation', async () => {
    await using api = await RegistryFixture.open();
    const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object' } },
    };
    const created = await api.post(definitions, {
      metadata: { name: 'foos.a.io' },
      spec: {
        ...{ group: 'a.io', scope: 'Namespaced', versions: [version] },
        names: { plural: 'foos', kind: 'Foo' },
      },
    });
    assert.equal(created.status, 201, JSON.stringify(created.json));
    const { metadata } = (await api.delete(`${definitions}/foos.a.io`)).json;
    assert.deepEqual(
      [metadata.deletionTimestamp, metadata.deletionGracePeriodSeconds, metadata.generation],
      ['2024-01-01T00:00:00Z', undefined, 1],
    );
  });

  it('a PUT that removes the last finalizer removes the object, and cannot add finalizers or revert the deletion', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a', {}, { finalizers }));
    await api.delete(`${cms}/a`);
    const more = await api.patch(`${cms}/a`, { metadata: { finalizers: [...finalizers, 'example.com/c'] } });
    assert.deepEqual([more.status, more.json.details.causes[0].field], [422, 'metadata.finalizers']);
    const undo = await api.patch(`${cms}/a`, { metadata: { deletionTimestamp: null } });
    assert.equal(undo.json.metadata.deletionTimestamp, '2024-01-01T00:00:00Z');
    assert.equal((await api.put(`${cms}/a`, configMap('a'))).status, 200);
    assert.equal((await api.get(`${cms}/a`)).status, 404);
  });

  it('a client cannot set a deletion timestamp by create or update', async () => {
    await using api = await RegistryFixture.open();
    const created = await api.post(cms, configMap('a', {}, { deletionTimestamp: '2001-01-01T00:00:00Z' }));
    assert.equal(created.json.metadata.deletionTimestamp, undefined);
    const { status } = await api.patch(`${cms}/a`, {
      metadata: { deletionTimestamp: '2001-01-01T00:00:00Z' },
    });
    assert.equal(status, 422);
  });

  it('the name of a removed object can be used again', async () => {
    await using api = await RegistryFixture.open();
    const first = await api.post(cms, configMap('a'));
    await api.delete(`${cms}/a`);
    const second = await api.post(cms, configMap('a'));
    assert.equal(second.status, 201);
    assert.notEqual(second.json.metadata.uid, first.json.metadata.uid);
  });

  it('a deleted running pod gets its grace period, which can only be shortened', async () => {
    await using api = await RegistryFixture.open();
    await runningPod(api, 'p');
    const first = await api.delete(`${pods}/p`);
    assert.equal(first.json.metadata.deletionTimestamp, '2024-01-01T00:00:30Z');
    assert.equal(first.json.metadata.deletionGracePeriodSeconds, 30);
    const longer = await api.delete(`${pods}/p?gracePeriodSeconds=60`);
    assert.equal(longer.json.metadata.deletionGracePeriodSeconds, 30);
    const shorter = await api.delete(`${pods}/p`, { gracePeriodSeconds: 10 });
    assert.equal(shorter.json.metadata.deletionTimestamp, '2024-01-01T00:00:10Z');
    assert.equal(shorter.json.metadata.deletionGracePeriodSeconds, 10);
    const now = await api.delete(`${pods}/p?gracePeriodSeconds=0`);
    assert.deepEqual([now.status, now.json.kind], [200, 'Pod']);
    assert.equal((await api.get(`${pods}/p`)).status, 404);
  });

  it('a pod without a node is removed immediately, regardless of the requested grace period', async () => {
    await using api = await RegistryFixture.open();
    await api.post(pods, pod('p'));
    assert.equal((await api.delete(`${pods}/p?gracePeriodSeconds=60`)).status, 200);
    assert.equal((await api.get(`${pods}/p`)).status, 404);
  });

  it('a watch shows that a pod is being deleted before it shows that the pod is gone', async () => {
    await using api = await RegistryFixture.open();
    const { metadata } = (await api.post(pods, pod('p'))).json;
    await runningPod(api, 'q');
    const watching = await api.watch(`${pods}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    await api.delete(`${pods}/p`);
    await api.delete(`${pods}/q`);
    await api.delete(`${pods}/q?gracePeriodSeconds=0`);
    await watching.until(6);
    watching.stop();
    const shown = watching.events.map(({ type, object }) => {
      const { name, deletionGracePeriodSeconds: seconds } = object.metadata;
      return [type, name, seconds];
    });
    assert.deepEqual(shown, [
      ['ADDED', 'q', undefined],
      ['MODIFIED', 'p', 0],
      ['DELETED', 'p', 0],
      ['MODIFIED', 'q', 30],
      ['MODIFIED', 'q', 0],
      ['DELETED', 'q', 0],
    ]);
  });

  it('a dry run of the deletion of a pod changes nothing', async () => {
    await using api = await RegistryFixture.open();
    const created = await api.post(pods, pod('p'));
    const dry = await api.delete(`${pods}/p?dryRun=All`);
    assert.deepEqual([dry.status, dry.json.metadata.deletionGracePeriodSeconds], [200, 0]);
    assert.deepEqual((await api.get(`${pods}/p`)).json, created.json);
  });

  it('a pod with a grace period and finalizers is removed after both', async () => {
    await using api = await RegistryFixture.open();
    await runningPod(api, 'p', {}, { finalizers });
    await api.delete(`${pods}/p`);
    const emptied = await api.patch(`${pods}/p`, { metadata: { finalizers: null } });
    assert.equal(emptied.json.metadata.deletionGracePeriodSeconds, 30);
    assert.equal((await api.get(`${pods}/p`)).status, 200);
    await api.delete(`${pods}/p?gracePeriodSeconds=0`);
    assert.equal((await api.get(`${pods}/p`)).status, 404);
  });

  for (const [title, options, finalizer, status] of [
    [
      'a delete with propagation Foreground keeps the object until its dependents are deleted',
      { propagationPolicy: 'Foreground' },
      'foregroundDeletion',
      202,
    ],
    [
      'a delete with propagation Orphan keeps the object until its dependents are orphaned',
      { propagationPolicy: 'Orphan' },
      'orphan',
      200,
    ],
    ['a delete with orphanDependents=true orphans the dependents', { orphanDependents: true }, 'orphan', 200],
    [
      'a delete with propagation Background removes the object immediately',
      { propagationPolicy: 'Background' },
      undefined,
      200,
    ],
    ['a delete without a propagation policy removes the object immediately', {}, undefined, 200],
  ] as const) {
    it(title, async () => {
      await using api = await RegistryFixture.open();
      await api.post(cms, configMap('a'));
      const { status: code, json } = await api.delete(`${cms}/a`, options);
      assert.equal(code, status);
      assert.deepEqual(json.metadata.finalizers, finalizer === undefined ? undefined : [finalizer]);
      assert.equal((await api.get(`${cms}/a`)).status, finalizer === undefined ? 404 : 200);
    });
  }

  it('the default propagation policy of a kind may be Orphan', async () => {
    await using api = await RegistryFixture.open();
    const rcs = `${ns}/replicationcontrollers`;
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const body = { metadata: { name: 'r' }, spec: { replicas: 1, selector: { a: 'b' }, template } };
    assert.equal((await api.post(rcs, body)).status, 201);
    const deleted = await api.delete(`${rcs}/r`);
    assert.deepEqual(deleted.json.metadata.finalizers, ['orphan']);
    assert.equal(deleted.json.metadata.generation, 2);
    const background = await api.delete(`${rcs}/r`, { propagationPolicy: 'Background' });
    assert.equal(background.status, 200);
    assert.equal((await api.get(`${rcs}/r`)).status, 404);
  });

  it('a dry run of a delete has the same response and changes nothing', async () => {
    await using api = await RegistryFixture.open();
    await api.post(cms, configMap('a'));
    for (const sendRequest of [
      () => api.delete(`${cms}/a?dryRun=All`),
      () => api.delete(`${cms}/a`, { dryRun: ['All'] }),
      () => api.delete(`${cms}?dryRun=All`),
    ]) {
      assert.equal((await sendRequest()).status, 200);
    }
    assert.equal((await api.get(`${cms}/a`)).status, 200);
    assert.equal((await api.delete(`${cms}/none?dryRun=All`)).status, 404);
  });

  it('a delete with matching preconditions succeeds', async () => {
    await using api = await RegistryFixture.open();
    const { uid, resourceVersion } = (await api.post(cms, configMap('a'))).json.metadata;
    assert.equal((await api.delete(`${cms}/a`, { preconditions: { uid, resourceVersion } })).status, 200);
  });

  for (const [works, retryAfter] of [
    [3, undefined],
    [0, '1'],
  ] as const) {
    it(`deletecollection that fails after ${works} of its deletes has Retry-After ${retryAfter ?? 'absent'}`, async () => {
      let left = Number.POSITIVE_INFINITY;
      await using api = await RegistryFixture.open({
        wrap: (store) => {
          const commit = store.commit.bind(store);
          store.commit = async (write, signal) => {
            if (write.op === 'delete' && left-- <= 0)
              throw new StoreError('unavailable', 'cannot be reached');
            return commit(write, signal);
          };
          return store;
        },
      });
      for (const name of 'abcdef') await api.post(cms, configMap(name));
      left = works;
      const { status, headers } = await api.delete(cms);
      assert.deepEqual([status, headers['Retry-After']], [503, retryAfter]);
    });
  }

  it('deletecollection deletes the selected objects, up to its limit', async () => {
    await using api = await RegistryFixture.open();
    for (const name of ['a', 'b', 'c'])
      await api.post(cms, configMap(name, {}, { labels: { odd: String(name !== 'b') } }));
    await api.post(cms, configMap('held', {}, { labels: { odd: 'true' }, finalizers }));
    const dry = await api.delete(`${cms}?labelSelector=odd%3Dtrue&dryRun=All`);
    assert.equal(dry.json.items.length, 3);
    const one = await api.delete(`${cms}?labelSelector=odd%3Dtrue&limit=1`);
    assert.deepEqual([one.json.kind, one.json.items.length], ['ConfigMapList', 1]);
    const rest = await api.delete(`${cms}?labelSelector=odd%3Dtrue`);
    assert.equal(rest.status, 200);
    const left = (await api.get(cms)).json.items;
    assert.deepEqual(
      left.map((item: { metadata: { name: string } }) => item.metadata.name),
      ['b', 'held'],
    );
    assert.ok(left[1].metadata.deletionTimestamp);
    assert.equal((await api.delete(`${cms}?fieldSelector=metadata.name%3Db`)).json.items.length, 1);
    assert.equal((await api.delete('/api/v1/configmaps')).status, 405);
  });
});
