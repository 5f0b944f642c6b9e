import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLogger, systemRandom } from '@orch/machinery/env';
import { FakeClock } from '@orch/machinery/testing';
import {
  type Backend,
  changeRecord,
  ForwardingStore,
  ModelStore,
  MovableStore,
  prefixRange,
  readStoreRecord,
  storeRecordKey,
} from '@orch/storage';
import { abandonMigration } from './abandon-migration.ts';
import { migrateStore } from './migrate-store.ts';

const prefix = '/registry/';
const key = storeRecordKey(prefix);
const { signal } = new AbortController();

/** A store with one key, opened by servers under different names, and an empty target. */
class World {
  readonly clock = new FakeClock();
  readonly env = { clock: this.clock, random: systemRandom, log: silentLogger };
  readonly target = new ModelStore({ clock: this.clock });

  async filled(): Promise<ModelStore> {
    const store = new ModelStore({ clock: this.clock });
    await store.commit({ op: 'create', key: `${prefix}maps/a`, value: Buffer.from('x') }, signal);
    return store;
  }

  server(store: ModelStore, name: string): Promise<MovableStore> {
    const openMoved = async () => assert.fail('no other server moves the content');
    const backend = { store: new ForwardingStore(store), isShared: true, name };
    return MovableStore.open(backend, { prefix, openMoved, env: this.env }, signal);
  }

  backend(): Backend {
    return { store: new ForwardingStore(this.target), isShared: true, name: 'the target' };
  }

  /** Stopped before anything was copied. */
  async stopped(source: MovableStore): Promise<void> {
    const checkServers = async (): Promise<void> => {
      throw new Error('stopped');
    };
    await assert.rejects(this.migrated(source, { checkServers }), /stopped/);
  }

  migrated(source: MovableStore, more: { readonly checkServers?: () => Promise<void> } = {}) {
    return migrateStore({ source, target: this.backend(), prefix, env: this.env, ...more }, signal);
  }

  undone(source: MovableStore) {
    return abandonMigration({ source, target: this.backend(), prefix, id: 'undone' }, signal);
  }

  /** Writes the record of the target as an earlier version did. */
  async forgetIdentifier(): Promise<void> {
    const from = await readStoreRecord(this.target, key, signal);
    const { fromStore: _, ...migration } = from.record.migration ?? assert.fail();
    await changeRecord(this.target, key, { from, to: { ...from.record, migration }, signal });
  }
}

describe('a migration that has not ended', () => {
  for (const by of ['continued', 'undone'] as const)
    it(`a migration that has not ended is ${by} by a server that has another name for the same store`, async () => {
      const world = new World();
      const store = await world.filled();
      await world.stopped(await world.server(store, 'etcd at x, y'));
      const other = await world.server(store, 'etcd at y, x');
      if (by === 'undone') await world.undone(other);
      else await world.migrated(other);
      const { items } = await world.target.list(prefixRange(prefix), {}, signal);
      assert.equal(items.length, by === 'undone' ? 0 : 1);
    });

  it('a migration that has not ended is neither continued nor undone from another store that has the same name', async () => {
    const world = new World();
    const name = 'the embedded store in /var/lib/orch';
    await world.stopped(await world.server(await world.filled(), name));
    const found = await readStoreRecord(world.target, key, signal);
    const other = await world.server(await world.filled(), name);
    const refused = {
      code: 'refused',
      message: /^the target is the target of migration \w+ from another store/,
    };
    await assert.rejects(world.undone(other), refused);
    await assert.rejects(world.migrated(other), refused);
    await assert.rejects(world.undone(other), refused);
    assert.deepEqual(await readStoreRecord(world.target, key, signal), found);
  });

  it('an unfinished migration of an earlier version is continued under the same name, and refused under another one', async () => {
    const world = new World();
    const store = await world.filled();
    await world.stopped(await world.server(store, 'a'));
    await world.forgetIdentifier();
    await assert.rejects(world.migrated(await world.server(store, 'b')), { code: 'refused' });
    await world.migrated(await world.server(store, 'a'));
  });
});

describe('the identifier of a store', () => {
  it('the identifier of a store stays the same over its migrations, and is not moved with the content', async () => {
    const world = new World();
    const source = await world.server(await world.filled(), 'a');
    const ids: (string | undefined)[] = [];
    for (let round = 0; round < 2; round++) {
      await world.stopped(source);
      const { record } = await readStoreRecord(world.target, key, signal);
      ids.push(record.migration?.fromStore);
    }
    assert.equal(ids[0], ids[1]);
    await world.migrated(source);
    const third = { store: new ModelStore({ clock: world.clock }), isShared: true, name: 'c' };
    const { fromStore } = await migrateStore({ source, target: third, prefix, env: world.env }, signal);
    assert.ok(fromStore !== undefined && fromStore !== ids[0]);
  });
});
