import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { builtinResources, createClient, hasCondition } from '@orch/client';
import type { ControlPlane } from './options.ts';
import { startControlPlane } from './start-control-plane.ts';

/** Longer than every delay of the controllers, which the clock of the control plane passes at once. */
const LATER_MS = 3_600_000;

const finalizers = ['example.com/kept'];

const parts = (plane: ControlPlane) => {
  const client = createClient(plane.config);
  return { client, ...builtinResources(client.names).core.v1 };
};

/** What has happened to the config maps of a test since the reset. */
const writesOfMaps = async (plane: ControlPlane): Promise<readonly string[]> =>
  (await plane.history()).filter(({ name }) => name === 'map').map(({ kind, change }) => `${kind} ${change}`);

describe('controllers after a reset', { timeout: 170_000 }, () => {
  let plane: ControlPlane;
  before(async () => {
    plane = await startControlPlane({ port: false });
  });
  after(() => plane?.stop());

  it('a namespace that waited for its content before a reset keeps the objects of a new one with its name', async () => {
    const { client, namespaces, configmaps } = parts(plane);
    const team = { metadata: { name: 'team' } };
    const maps = client.resource(configmaps, 'team');
    const namespace = await client.resource(namespaces).create(team);
    await maps.create({ metadata: { name: 'map', finalizers } });
    await client.resource(namespaces).delete('team');
    // The controller has counted what remains, and its key is due again later.
    await plane.eventually(namespace, (now) => hasCondition(now, 'NamespaceContentRemaining'));
    await plane.reset();
    await client.resource(namespaces).create(team);
    await maps.create({ metadata: { name: 'map' } });
    await plane.quiescent();
    await plane.advance(LATER_MS);
    await plane.quiescent();
    assert.deepEqual(await writesOfMaps(plane), ['ConfigMap created']);
    assert.equal((await client.resource(namespaces).get('team')).status?.phase, 'Active');
  });

  it('an owner whose deletion was in work before a reset does not take dependents of afterwards with it', async () => {
    const { client, configmaps } = parts(plane);
    const maps = client.resource(configmaps, 'default');
    const owned = (uid: string) => ({
      name: 'map',
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, blockOwnerDeletion: true },
      ],
    });
    const first = await maps.create({ metadata: { name: 'owner' } });
    await maps.create({ metadata: { ...owned(first.metadata.uid), finalizers } });
    await maps.delete('owner', { propagationPolicy: 'Foreground' });
    const dependent = { ...first, metadata: { ...first.metadata, name: 'map' } };
    await plane.eventually(dependent, (now) => now?.metadata.deletionTimestamp !== undefined);
    await plane.reset();
    const second = await maps.create({ metadata: { name: 'owner' } });
    await maps.create({ metadata: owned(second.metadata.uid) });
    await plane.quiescent();
    await plane.advance(LATER_MS);
    await plane.quiescent();
    assert.deepEqual(await writesOfMaps(plane), ['ConfigMap created']);
  });

  it('a definition that a reset removes can be made again, and has no object of before', async () => {
    const { client } = parts(plane);
    const { customresourcedefinitions } = builtinResources(client.names).apiextensions.v1;
    const versions = [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' as const } } },
    ];
    const names = { plural: 'boxes', singular: 'box', kind: 'Box', listKind: 'BoxList' };
    const spec = { group: 'example.com', scope: 'Namespaced', names, versions } as const;
    const boxes = { group: spec.group, version: 'v1', resource: 'boxes', kind: 'Box', namespaced: true };
    for (const name of ['first', 'second']) {
      const made = { metadata: { name: 'boxes.example.com' }, spec };
      const definition = await client.resource(customresourcedefinitions).create(made);
      await plane.eventually(definition, (now) => hasCondition(now, 'Established'));
      await client.resource(boxes, 'default').create({ metadata: { name } });
      // The garbage collector follows the objects of a new definition after its next discovery.
      await plane.advance(LATER_MS);
      await plane.quiescent();
      const { items } = await client.resource(boxes, 'default').list();
      assert.deepEqual(
        items.map(({ metadata }) => metadata.name),
        [name],
      );
      await plane.reset();
    }
  });

  it('work that a reset interrupts leaves no object in a namespace that is gone', async () => {
    const { client, namespaces, configmaps, serviceaccounts } = parts(plane);
    for (let round = 0; round < 8; round++) {
      const names = Array.from({ length: 8 }, (_, i) => `gone-${i}`);
      await Promise.all(names.map((name) => client.resource(namespaces).create({ metadata: { name } })));
      await Promise.all(names.slice(4).map((name) => client.resource(namespaces).delete(name)));
      await plane.reset();
    }
    await plane.quiescent();
    const lists = await Promise.all([
      client.resource(namespaces).list(),
      client.resource(configmaps).list(),
      client.resource(serviceaccounts).list(),
    ]);
    const found = lists.flatMap(({ items }) =>
      items.map(({ metadata: { name, namespace = '' } }) => `${namespace}/${name}`),
    );
    assert.deepEqual(
      found.filter((one) => one.includes('gone')),
      [],
    );
  });
});

describe('the first reset', { timeout: 170_000 }, () => {
  const accountOf = (plane: ControlPlane) => {
    const { client, serviceaccounts } = parts(plane);
    return client.resource(serviceaccounts, 'default').get('default');
  };

  it('the first reset keeps what the controllers have made after the start, and writes nothing', async () => {
    await using plane = await startControlPlane({ port: false });
    await plane.quiescent();
    const before = await accountOf(plane);
    await plane.reset();
    await plane.quiescent();
    assert.deepEqual(await accountOf(plane), before);
    assert.deepEqual(await plane.history(), []);
  });

  it('a reset at once waits for what the controllers make after the start', async () => {
    await using plane = await startControlPlane({ port: false });
    await plane.reset();
    const first = await accountOf(plane);
    await plane.reset();
    assert.deepEqual(await accountOf(plane), first);
  });

  it('what a test writes while the controllers begin is not part of the state of resets', async () => {
    for (const port of [undefined, false] as const) {
      await using plane = await startControlPlane(port === undefined ? {} : { port });
      const { client, configmaps, namespaces } = parts(plane);
      await client.resource(configmaps, 'default').create({ metadata: { name: 'map' } });
      const team = await client.resource(namespaces).create({ metadata: { name: 'team' } });
      await plane.quiescent();
      await plane.reset();
      const account = await accountOf(plane);
      const { items } = await client.resource(configmaps).list();
      assert.deepEqual(
        items.filter(({ metadata }) => metadata.name === 'map' || metadata.namespace === 'team'),
        [],
      );
      await plane.eventually(team, (now) => now === undefined);
      await plane.reset();
      assert.deepEqual(await accountOf(plane), account);
    }
  });
});
