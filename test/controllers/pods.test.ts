import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namings } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { expectCode, podObject, pods } from '../api/fixture.ts';
import { type Controlled, controlled } from './roles-fixture.ts';

interface PodList {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

const merge = { contentType: 'application/merge-patch+json' };
const rules = { terminatedThreshold: 0, intervalMs: 100, quarantineMs: 400 };

for (const naming of namings) {
  describe(`pod garbage collection, ${naming}`, { timeout: 60_000 }, () => {
    let cluster: Controlled;
    const present = async (prefix: string): Promise<readonly string[]> =>
      (expectCode(200, await cluster.client.get(pods)).json as PodList).items
        .map(({ metadata }) => metadata.name)
        .filter((name) => name.startsWith(prefix));
    const create = async (
      name: string,
      spec: object = {},
      metadata: Record<string, unknown> = {},
    ): Promise<void> =>
      void expectCode(
        201,
        await cluster.client.post(
          pods,
          podObject(name, metadata, { terminationGracePeriodSeconds: 30, ...spec }),
        ),
      );
    const phase = async (name: string, value: string): Promise<void> =>
      void expectCode(
        200,
        await cluster.client.send('PATCH', `${pods}/${name}/status`, {
          ...merge,
          body: { status: { phase: value } },
        }),
      );
    const node = (name: string): object => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
    const addNode = async (name: string): Promise<void> =>
      void expectCode(201, await cluster.client.post('/api/v1/nodes', node(name)));
    const run = (podGc: Partial<typeof rules>): Promise<void> =>
      cluster.run('podgc', { podGc: { ...rules, ...podGc } });

    before(async () => {
      cluster = await controlled({ naming });
      await addNode('here');
    });
    after(() => cluster[Symbol.asyncDispose]());

    it('terminated pods above the threshold are deleted, the oldest first', async () => {
      for (const i of [1, 2, 3, 4, 5]) await create(`t-${i}`, { nodeName: 'here' });
      await create('t-run', { nodeName: 'here' });
      for (const i of [2, 4, 1]) await phase(`t-${i}`, 'Failed');
      await run({ terminatedThreshold: 3 });
      // Pods of equal age are in the order of their names: creation times are whole seconds.
      for (const i of [5, 3]) await phase(`t-${i}`, 'Succeeded');
      const left = await eventually(
        () => present('t-'),
        (seen) => seen.length === 4,
      );
      assert.deepEqual(left, ['t-3', 't-4', 't-5', 't-run']);
      await cluster.stop();
    });

    it('pods of a node that does not exist are deleted after the quarantine', async () => {
      await addNode('leaving');
      await create('o-here', { nodeName: 'here' });
      await create('o-leaving', { nodeName: 'leaving' });
      await create('o-never', { nodeName: 'never-was' });
      await create('o-none');
      await run({});
      assert.deepEqual(
        await eventually(
          () => present('o-'),
          (seen) => !seen.includes('o-never'),
        ),
        ['o-here', 'o-leaving', 'o-none'],
      );
      expectCode(200, await cluster.client.delete('/api/v1/nodes/leaving'));
      assert.deepEqual(
        await eventually(
          () => present('o-'),
          (seen) => !seen.includes('o-leaving'),
        ),
        ['o-here', 'o-none'],
      );
      await cluster.stop();
    });

    it('pods are kept when their node is created within the quarantine', async () => {
      await create('b-back', { nodeName: 'coming' });
      await create('b-probe', { nodeName: 'never' });
      await run({ quarantineMs: 1500 });
      await addNode('coming');
      await eventually(
        () => present('b-'),
        (seen) => !seen.includes('b-probe'),
      );
      assert.deepEqual(await present('b-'), ['b-back']);
      await cluster.stop();
    });

    it('terminating pods without a node are deleted without a grace period', async () => {
      await create('u-unscheduled', {}, { finalizers: ['example.com/hold'] });
      await create('u-scheduled', { nodeName: 'here' });
      await create('u-fine');
      for (const name of ['u-unscheduled', 'u-scheduled'])
        await cluster.client.delete(`${pods}/${name}?gracePeriodSeconds=30`);
      await run({});
      const grace = async (name: string): Promise<unknown> =>
        ((await cluster.client.get(`${pods}/${name}`)).json as { metadata: Record<string, unknown> })
          .metadata['deletionGracePeriodSeconds'];
      await eventually(
        () => grace('u-unscheduled'),
        (seen) => seen === 0,
      );
      assert.equal(await grace('u-scheduled'), 30);
      assert.deepEqual(await present('u-'), ['u-fine', 'u-scheduled', 'u-unscheduled']);
      await cluster.client.send('PATCH', `${pods}/u-unscheduled`, {
        ...merge,
        body: { metadata: { finalizers: null } },
      });
      await eventually(
        () => present('u-'),
        (seen) => !seen.includes('u-unscheduled'),
      );
      await cluster.stop();
    });

    it('terminating pods of an out-of-service node are deleted when the feature gate is on', async () => {
      const taints = [{ key: cluster.names.taints.outOfService, effect: 'NoExecute' }];
      const body = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'dead' }, spec: { taints } };
      expectCode(201, await cluster.client.post('/api/v1/nodes', body));
      for (const name of ['s-dead', 's-dead-too', 's-here']) {
        await create(name, { nodeName: name === 's-here' ? 'here' : 'dead' });
      }
      for (const name of ['s-dead', 's-here'])
        await cluster.client.delete(`${pods}/${name}?gracePeriodSeconds=30`);
      await cluster.run('podgc', {
        podGc: rules,
        featureGate: (gate) => (gate === 'NodeOutOfServiceVolumeDetach' ? true : undefined),
      });
      const left = await eventually(
        () => present('s-'),
        (seen) => !seen.includes('s-dead'),
      );
      assert.deepEqual(left, ['s-dead-too', 's-here']);
      await cluster.stop();
    });
  });
}

describe('node TTL annotation', { timeout: 60_000 }, () => {
  it('the TTL annotation of a node is restored when it is changed, and other annotations are kept', async () => {
    await using cluster = await controlled();
    const path = '/api/v1/nodes/one';
    const key = cluster.names.annotations.nodeTtl;
    const ttl = async (): Promise<unknown> =>
      ((await cluster.client.get(path)).json as { metadata: { annotations?: Record<string, string> } })
        .metadata.annotations?.[key];
    const body = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'one', annotations: { mine: 'stays' } },
    };
    expectCode(201, await cluster.client.post('/api/v1/nodes', body));
    await cluster.run('ttl');
    await eventually(ttl, (seen) => seen === '0');
    const change = { metadata: { annotations: { [key]: '77' } } };
    expectCode(200, await cluster.client.send('PATCH', path, { ...merge, body: change }));
    await eventually(ttl, (seen) => seen === '0');
  });
});
