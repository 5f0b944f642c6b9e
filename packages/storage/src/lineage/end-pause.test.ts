import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLogger } from '@orch/machinery/env';
import { testEnv } from '@orch/machinery/testing';
import { openEmbeddedStore } from '../embedded/index.ts';
import { ForwardingStore } from '../forwarding-store.ts';
import { ModelStore } from '../model-store.ts';
import { type Committed, StoreError, type Write } from '../store.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { endPause } from './end-pause.ts';
import { MovableStore } from './movable-store.ts';
import { pauseWrites } from './pause-writes.ts';
import type { Backend } from './place.ts';
import { readStoreRecord, storeRecordKey, writeStoreRecord } from './store-record.ts';

const prefix = '/registry/';
const key = storeRecordKey(prefix);
const { signal } = new AbortController();
const migration = { id: 'm1', from: 'a', to: 'b', lastRevision: 0, nextRevision: 0 };
const openMoved = (): Promise<Backend> => assert.fail('the store was not moved');

describe('a full embedded store', () => {
  async function filled() {
    const dir = await tempDir('orch-pause-');
    const env = testEnv();
    const open = async () => {
      const store = await openEmbeddedStore({ dir: dir.path, env, maxBytes: 512 * 1024 });
      const options = { prefix, openMoved, env: { clock: env.clock, log: silentLogger } };
      return MovableStore.open({ store, isShared: false, name: 'a' }, options, signal);
    };
    const store = await open();
    const write = { op: 'create', value: Buffer.alloc(4096) } as const;
    const isFull = { name: 'StoreError', code: 'full' };
    for (let n = 0; ; n++) {
      const committed = store.commit({ ...write, key: `${prefix}${n}` }, signal);
      if (n < 10) assert.ok((await committed).ok);
      else if (await committed.then(() => false).catch((error: unknown) => error instanceof StoreError))
        break;
    }
    await assert.rejects(store.commit({ ...write, key: `${prefix}x` }, signal), isFull);
    return { dir, env, store, open };
  }

  it('a full embedded store can be paused for a move, and its deletions continue after a pause that was ended', async () => {
    const { dir, env, store } = await filled();
    await using _ = dir;
    const paused = await pauseWrites(store, migration, { clock: env.clock, signal });
    assert.equal((await readStoreRecord(store.place.backend.store, key, signal)).record.state, 'moving');
    await paused.resume();
    const { kv } = await store.get(`${prefix}0`, signal);
    const expected = kv?.modRevision ?? 0;
    assert.ok((await store.commit({ op: 'delete', key: `${prefix}0`, expected }, signal)).ok);
    await store.close();
  });

  it('a full embedded store is opened again after its server was killed during a pause', async () => {
    const { dir, env, store, open } = await filled();
    await using _ = dir;
    await pauseWrites(store, migration, { clock: env.clock, signal });
    await store.close();
    const again = await open();
    assert.equal(again.place.known.record.state, 'ready');
    await again.close();
  });
});

/** Refuses changes of the record while `refusal` is set. */
class RecordRefusing extends ForwardingStore {
  refusal: StoreError | undefined;
  refused = 0;

  override async commit(write: Write, stop: AbortSignal): Promise<Committed> {
    if (write.key !== key || this.refusal === undefined) return super.commit(write, stop);
    this.refused++;
    throw this.refusal;
  }
}

describe('a pause whose migration has failed', () => {
  for (const code of ['full', 'unavailable'] as const)
    it(`a pause whose migration has failed is ended after ten seconds, with one attempt every 200 ms while the store answers with ${code}`, async () => {
      const { clock } = testEnv();
      const store = new RecordRefusing(new ModelStore({ clock }));
      const options = { prefix, openMoved, env: { clock, log: silentLogger } };
      const movable = await MovableStore.open({ store, isShared: true, name: 'a' }, options, signal);
      const stop = new AbortController();
      const running = movable.run(stop.signal);
      const from = await readStoreRecord(store, key, signal);
      const to = { ...from.record, state: 'moving', migration } as const;
      await writeStoreRecord(store, key, { from, to, signal });
      store.refusal = new StoreError(code, 'refused');
      const passed = async (ms: number): Promise<void> => {
        clock.advance(ms);
        for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
      };
      await passed(0);
      await passed(9_900);
      assert.equal(store.refused, 0);
      for (const attempts of [1, 2, 3]) {
        await passed(200);
        assert.equal(store.refused, attempts);
      }
      store.refusal = undefined;
      await passed(200);
      const write = { op: 'create', key: `${prefix}a`, value: Buffer.from('a') } as const;
      assert.ok((await movable.commit(write, signal)).ok);
      stop.abort();
      await running;
    });

  it('a pause whose migration has failed is found ended by another program, whose record is the result', async () => {
    const store = new ModelStore({ clock: testEnv().clock });
    const absent = await readStoreRecord(store, key, signal);
    const to = { ...absent.record, state: 'moving', migration } as const;
    const found = await writeStoreRecord(store, key, { from: absent, to, signal });
    const ended = await endPause(store, key, { found, signal });
    assert.deepEqual([ended.record.state, ended.record.migration], ['ready', undefined]);
    assert.deepEqual(await endPause(store, key, { found, signal }), ended);
  });
});
