import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { settle } from '@orch/machinery/testing';
import { informerFactory } from '../informer/factory.ts';
import type { Resource } from '../rest/types.ts';
import { configMap, configMaps, testClient } from '../testing/index.ts';
import { indexSource, informerSource, ownerSource, periodicSource } from './sources.ts';
import type { Source } from './types.ts';

const secrets: Resource = { ...configMaps, resource: 'secrets', kind: 'Secret' };

function open() {
  const test = testClient();
  const informers = informerFactory({ ...test, freeze: true });
  const added: string[] = [];
  const place = (name: string, resource = 'configmaps') => ({
    collection: `/${resource}`,
    namespace: 'default',
    name,
  });
  return {
    ...test,
    informers,
    added,
    place,
    run(source: Source<string>) {
      void source.run((key, delayMs) => added.push(delayMs ? `${key}+${delayMs}` : key), test.stop.signal);
    },
    create: (name: string, object: ApiObject, resource?: string) =>
      test.api.objects.create(place(name, resource), object, '2024-01-01T00:00:00Z'),
    /** Keys since the last call. */
    async keys(): Promise<string[]> {
      for (let i = 0; i < 5; i++) await settle();
      return added.splice(0);
    },
  };
}

describe('sources of keys', () => {
  it('an informer source adds the keys of changed objects, with its delay and filter', async () => {
    const test = open();
    const informer = test.informers.informer(configMaps);
    test.run(informerSource(informer, { delayMs: 100, filter: ({ type }) => type !== 'deleted' }));
    void test.informers.run(test.stop.signal);
    test.create('a', configMap('a'));
    assert.deepEqual(await test.keys(), ['default/a+100']);
    test.api.objects.delete(test.place('a'), {}, '');
    assert.deepEqual(await test.keys(), []);
    test.stop.abort();
  });

  it('an informer source adds the keys of both versions of an updated object', async () => {
    const test = open();
    const value = ({ data }: ApiObject): string[] => [(data as { value: string }).value];
    test.run(informerSource(test.informers.informer(configMaps), { keys: value }));
    void test.informers.run(test.stop.signal);
    test.create('a', configMap('a', 'x'));
    await test.keys();
    test.api.objects.update(test.place('a'), configMap('a', 'y'));
    assert.deepEqual(await test.keys(), ['x', 'y']);
    test.api.objects.update(test.place('a'), { ...configMap('a', 'y'), immutable: true });
    assert.deepEqual(await test.keys(), ['y']);
    test.stop.abort();
  });

  it('an owner source adds the controlling owners of its kind and group, in any version', async () => {
    const test = open();
    const sets = { group: 'apps', kind: 'ReplicaSet', namespaced: true };
    test.run(ownerSource(test.informers.informer(configMaps), sets));
    void test.informers.run(test.stop.signal);
    const owned = (name: string, apiVersion: string, kind: string, controller = true): ApiObject => {
      const object = configMap(name);
      object.metadata.ownerReferences = [{ apiVersion, kind, name: `of-${name}`, uid: 'u', controller }];
      return object;
    };
    test.create('a', owned('a', 'apps/v1', 'ReplicaSet'));
    test.create('b', owned('b', 'apps/v1beta2', 'ReplicaSet'));
    test.create('c', owned('c', 'other/v1', 'ReplicaSet'));
    test.create('d', owned('d', 'apps/v1', 'Deployment'));
    test.create('e', owned('e', 'apps/v1', 'ReplicaSet', false));
    assert.deepEqual(await test.keys(), ['default/of-a', 'default/of-b']);
    test.stop.abort();
  });

  it('an index source adds the objects that refer to a changed object', async () => {
    const test = open();
    const refers = ({ data }: ApiObject): string[] => [(data as { value: string }).value];
    const referring = test.informers.informer(configMaps, { indexes: { secret: refers } });
    test.run(
      indexSource(test.informers.informer(secrets), {
        informer: referring,
        index: 'secret',
        values: ({ metadata }) => [metadata.name ?? ''],
      }),
    );
    void test.informers.run(test.stop.signal);
    test.create('a', configMap('a', 'mine'));
    test.create('b', configMap('b', 'other'));
    test.create('c', configMap('c', 'mine'));
    assert.deepEqual(await test.keys(), []);
    test.create('mine', { metadata: {} }, 'secrets');
    assert.deepEqual(await test.keys(), ['default/a', 'default/c']);
    test.stop.abort();
  });

  it('an interval that is not positive, and a delay that is not finite, are refused', () => {
    const test = open();
    for (const intervalMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      assert.throws(() => periodicSource(test.env, intervalMs, () => []), {
        name: 'RangeError',
        message: /^intervalMs: must be/,
      });
    const informer = test.informers.informer(configMaps);
    assert.throws(() => informerSource(informer, { delayMs: Number.NaN }), /^RangeError: delayMs: must be/);
  });

  it('a periodic source adds its keys at the start and at intervals', async () => {
    const test = open();
    const source = periodicSource(test.env, 1000, () => ['all']);
    test.run(source);
    await source.synced(test.stop.signal);
    assert.deepEqual(await test.keys(), ['all']);
    await test.env.clock.advanceAsync(999);
    assert.deepEqual(await test.keys(), []);
    await test.env.clock.advanceAsync(101);
    assert.deepEqual(await test.keys(), ['all']);
    test.stop.abort();
    await settle();
    assert.equal(test.env.clock.pending, 0);
  });
});

describe('informer factories', () => {
  it('an informer factory shares informers of the same resource and options, with all their indexes', () => {
    const { informers } = open();
    const first = informers.informer(configMaps, { indexes: { a: () => [] } });
    assert.equal(informers.informer(configMaps, { indexes: { b: () => [] } }), first);
    assert.deepEqual([first.store.byIndex('a', ''), first.store.byIndex('b', '')], [[], []]);
    const others = [
      informers.informer(configMaps, { namespace: 'x' }),
      informers.informer(configMaps, { labelSelector: 'x' }),
      informers.informer(configMaps, { fieldSelector: 'metadata.name=x' }),
      informers.informer(configMaps, { metadataOnly: true }),
      informers.informer(configMaps, { transform: (object) => object }),
      informers.informer(secrets),
    ];
    assert.equal(new Set([first, ...others]).size, 7);
  });

  it('an informer factory runs informers that are requested later, and ends all of them', async () => {
    const test = open();
    const run = test.informers.run(test.stop.signal);
    test.create('a', configMap('a'));
    const late = test.informers.informer(configMaps);
    await late.synced(test.stop.signal);
    assert.equal(late.store.size, 1);
    test.stop.abort();
    await run;
    assert.deepEqual([test.api.watches.size, test.env.clock.pending], [0, 0]);
  });
});
