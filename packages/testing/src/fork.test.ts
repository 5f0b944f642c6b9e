import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { builtinResources, createClient, isNotFound, waitFor } from '@orch/client';
import { namings } from '@orch/machinery';
import type { ControlPlane } from './options.ts';
import { startControlPlane } from './start-control-plane.ts';

const OBJECTS = 500;
const WAIT_MS = 60_000;
const { signal } = new AbortController();

const parts = (plane: ControlPlane) => {
  const client = createClient(plane.config);
  const { configmaps, namespaces, serviceaccounts } = builtinResources(client.names).core.v1;
  return { client, configmaps, namespaces, serviceaccounts, maps: client.resource(configmaps, 'default') };
};

const versions = async (plane: ControlPlane): Promise<ReadonlyMap<string, string>> => {
  const { items } = await parts(plane).maps.list();
  return new Map(items.map(({ metadata }) => [metadata.name ?? '', metadata.resourceVersion ?? '']));
};

for (const naming of namings)
  describe(`forks of a control plane (${naming})`, { timeout: 170_000 }, () => {
    let plane: ControlPlane;
    before(async () => {
      plane = await startControlPlane({
        naming,
        forks: 1,
        seed: Array.from({ length: OBJECTS }, (_, i) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: `map-${i}` },
          data: { i: String(i) },
        })),
      });
    });
    after(() => plane?.stop());

    it('a fork has the objects of the moment with their resourceVersions', async () => {
      await parts(plane).maps.create({ metadata: { name: 'late' } });
      await using fork = await plane.fork();
      const [forked, original] = [await versions(fork), await versions(plane)];
      assert.equal(forked.size >= OBJECTS + 1, true);
      assert.deepEqual(forked, original);
    });

    it('the controllers of a fork work on its objects', async () => {
      await using fork = await plane.fork();
      const { client, namespaces, serviceaccounts } = parts(fork);
      const { env } = fork.config;
      await client.resource(namespaces).create({ metadata: { name: 'made' } });
      const account = { client, env, resource: serviceaccounts, namespace: 'made', name: 'default' };
      await waitFor({ ...account, is: (found) => found !== undefined, timeoutMs: WAIT_MS }, signal);
      await client.resource(namespaces).delete('made');
      await waitFor(
        {
          client,
          env,
          resource: namespaces,
          name: 'made',
          is: (found) => found === undefined,
          timeoutMs: WAIT_MS,
        },
        signal,
      );
      await assert.rejects(parts(plane).client.resource(namespaces).get('made'), isNotFound);
    });

    // Names matter to the objects of a control plane and to its controllers, not to its forks.
    if (naming !== 'kubernetes') return;

    it('a fork and its origin see no change of each other', async () => {
      const { maps } = parts(plane);
      await using fork = await plane.fork();
      const ofFork = parts(fork);
      await ofFork.maps.create({ metadata: { name: 'in-fork' } });
      await ofFork.maps.delete('map-0');
      await maps.create({ metadata: { name: 'in-origin' } });
      await maps.patch.merge('map-1', { data: { i: 'changed' } });
      await assert.rejects(maps.get('in-fork'), isNotFound);
      await assert.rejects(ofFork.maps.get('in-origin'), isNotFound);
      assert.equal((await maps.get('map-0')).data?.['i'], '0');
      assert.equal((await ofFork.maps.get('map-1')).data?.['i'], '1');
    });

    it('a watch that begins at a version of the origin gets the changes of the fork', async () => {
      const { metadata } = await parts(plane).maps.list();
      await using fork = await plane.fork();
      const { maps } = parts(fork);
      await maps.create({ metadata: { name: 'watched' } });
      const options = { resourceVersion: metadata.resourceVersion ?? '' };
      for await (const event of maps.watch(options, signal)) {
        if (event.type === 'BOOKMARK') continue;
        assert.deepEqual([event.type, event.object.metadata?.name], ['ADDED', 'watched']);
        break;
      }
    });

    it('a reset of a fork returns to the state of the fork, and its origin keeps its objects', async () => {
      await parts(plane).maps.create({ metadata: { name: 'before-fork' } });
      await using fork = await plane.fork();
      const { maps } = parts(fork);
      await maps.create({ metadata: { name: 'after-fork' } });
      await maps.delete('before-fork');
      await fork.reset();
      await assert.rejects(maps.get('after-fork'), isNotFound);
      assert.equal((await maps.get('before-fork')).metadata.name, 'before-fork');
      await plane.reset();
      await assert.rejects(parts(plane).maps.get('before-fork'), isNotFound);
      assert.equal((await maps.get('before-fork')).metadata.name, 'before-fork');
    });

    it('several forks, one of them of a fork, are independent', async () => {
      const forks = await Promise.all([plane.fork(), plane.fork()]);
      const nested = await forks[0].fork();
      const all = [...forks, nested];
      await Promise.all(all.map((fork, i) => parts(fork).maps.create({ metadata: { name: `own-${i}` } })));
      for (const [i, fork] of all.entries())
        assert.deepEqual(
          [...(await versions(fork)).keys()].filter((name) => name.startsWith('own-')),
          [`own-${i}`],
        );
      await Promise.all(all.map((fork) => fork.stop()));
    });
  });

describe('a fork of a control plane that ends', { timeout: 170_000 }, () => {
  it('the fork stops with its origin, and no fork can be made then', async () => {
    const plane = await startControlPlane({ controllers: false });
    const fork = await plane.fork();
    await parts(fork).maps.list();
    await plane.stop();
    await assert.rejects(parts(fork).maps.list());
    await assert.rejects(plane.fork(), /is stopped/);
    await fork.stop();
  });
});
