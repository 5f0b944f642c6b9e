import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { type Committed, ForwardingStore, type Store, StoreError, type Write } from '@orch/storage';
import { createRegistry, type ServerContext } from '../index.ts';
import { noConnections, RegistryFixture, servedParts } from '../testing/index.ts';

const { signal } = new AbortController();

/** A store whose commits take effect, and whose answers to them can be lost. */
class LosingAnswers extends ForwardingStore {
  areLost = false;

  override async commit(write: Write, until: AbortSignal): Promise<Committed> {
    const committed = await super.commit(write, until);
    if (this.areLost) throw new StoreError('outcomeUnknown', 'the connection is lost');
    return committed;
  }
}

describe('objects for other parts of the server', () => {
  it('objects for other parts of the server are read from the store one after another, those that cannot be read with empty metadata', async () => {
    let internal: ServerContext | undefined;
    await using fixture = await RegistryFixture.assembled({}, (options) => {
      const registry = createRegistry({ ...options, connector: noConnections });
      internal = registry.internal;
      return servedParts(registry);
    });
    const classes = internal?.objects.resource('scheduling', 'priorityclasses');
    assert.ok(classes !== undefined);
    for (const name of ['b', 'a']) {
      const fresh: ApiObject = { ...classes.typeMeta, metadata: {}, value: 1 };
      assert.equal(await classes.create({ namespace: '', name }, fresh, signal), true);
    }
    const key = `${classes.cache.resource.prefix}broken`;
    await fixture.store.commit({ op: 'create', key, value: Buffer.from('{') }, signal);
    const found: unknown[] = [];
    for await (const [name, { object, revision }] of classes.readEach(signal))
      found.push([name, object.metadata.name, revision > 0]);
    assert.deepEqual(found, [
      ['a', 'a', true],
      ['b', 'b', true],
      ['broken', undefined, true],
    ]);
    assert.equal((await classes.readAll(signal)).size, 3);
  });

  it('some fields of an object for other parts of the server are read without the others, and an error names an object that cannot be read', async () => {
    let internal: ServerContext | undefined;
    await using fixture = await RegistryFixture.assembled({}, (options) => {
      const registry = createRegistry({ ...options, connector: noConnections });
      internal = registry.internal;
      return servedParts(registry);
    });
    const maps = internal?.objects.resource('', 'configmaps');
    assert.ok(maps !== undefined);
    const name = { namespace: 'default', name: 'wide' };
    const data = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key-${i}`, 'v']));
    await maps.create(name, { ...maps.typeMeta, metadata: { finalizers: ['a.io/b'] }, data }, signal);
    const paths = ['kind', 'metadata.name', 'metadata.finalizers', 'status.conditions'];
    assert.deepEqual(await maps.readFields(name, paths, signal), {
      kind: 'ConfigMap',
      metadata: { name: 'wide', finalizers: ['a.io/b'] },
    });
    assert.equal(await maps.readFields({ ...name, name: 'absent' }, paths, signal), undefined);
    const key = `${maps.cache.resource.prefix}default/broken`;
    await fixture.store.commit({ op: 'create', key, value: Buffer.from('{') }, signal);
    await assert.rejects(
      maps.readFields({ ...name, name: 'broken' }, paths, signal),
      /the stored object broken of configmaps cannot be read/,
    );
  });

  it('objects for other parts of the server are replaced only at the revision that was read, and a conflict has the current state', async () => {
    let internal: ServerContext | undefined;
    let answers: LosingAnswers | undefined;
    const wrap = (store: Store): Store => {
      answers = new LosingAnswers(store);
      return answers;
    };
    await using _fixture = await RegistryFixture.assembled({ wrap }, (options) => {
      const registry = createRegistry({ ...options, connector: noConnections });
      internal = registry.internal;
      return servedParts(registry);
    });
    const quotas = internal?.objects.resource('', 'resourcequotas');
    assert.ok(quotas !== undefined && answers !== undefined);
    const name = { namespace: 'default', name: 'q' };
    await quotas.create(name, { ...quotas.typeMeta, metadata: {}, spec: { hard: { pods: '1' } } }, signal);
    const first = await quotas.read(name, signal);
    assert.ok(first !== undefined);
    const object = { ...first.object, status: { hard: { pods: '1' }, used: { pods: '1' } } };
    const replaced = await quotas.replace(name, { object, revision: first.revision }, signal);
    assert.equal(replaced.outcome, 'replaced');
    const second = await quotas.read(name, signal);
    assert.deepEqual(second?.object, object);
    assert.deepEqual(await quotas.replace(name, first, signal), { outcome: 'conflict', current: second });
    answers.areLost = true;
    assert.deepEqual(await quotas.replace(name, second ?? first, signal), { outcome: 'unknown' });
    answers.areLost = false;
    await quotas.delete(name, signal);
    const gone = await quotas.replace(name, second ?? first, signal);
    assert.deepEqual(gone, { outcome: 'conflict', current: undefined });
  });
});
