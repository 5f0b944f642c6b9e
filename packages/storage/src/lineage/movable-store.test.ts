import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLogger } from '@orch/machinery/env';
import { testEnv } from '@orch/machinery/testing';
import { describeStore } from '../conformance/index.ts';
import { ForwardingStore } from '../forwarding-store.ts';
import { compactionKeyOf, historyPrefixOf, type KeyRange, prefixRange } from '../keys.ts';
import { ModelStore } from '../model-store.ts';
import { type Store, StoreError } from '../store.ts';
import { eventKey } from '../store-values.ts';
import { carriedValue } from './carried-value.ts';
import { MovableStore } from './movable-store.ts';
import { pauseWrites } from './pause-writes.ts';
import type { Backend } from './place.ts';
import {
  newStoreRecord,
  readStoreRecord,
  type StoreRecord,
  storeRecordKey,
  writeStoreRecord,
} from './store-record.ts';

const prefix = '/registry/';
const key = storeRecordKey(prefix);
const beside = compactionKeyOf(prefix);
const { signal } = new AbortController();
const absent = { record: newStoreRecord, revision: undefined };
const migration = { id: 'm1', from: 'a', to: 'b', lastRevision: 1020, nextRevision: 2000 };

/** A store whose content a migration has copied: its revision 60 is revision 2000 for clients. */
const carried: StoreRecord = {
  ...newStoreRecord,
  state: 'ready',
  revisionOffset: 1940,
  carriedThrough: 60,
  carriedFrom: 1020,
  migration,
};

const refuseMoves = async (): Promise<Backend> => {
  throw new StoreError('unavailable', 'this server cannot open the other store');
};

describeStore('movable shared model', async () => {
  const { clock } = testEnv();
  const backend = { store: new ModelStore({ clock }), isShared: true, name: 'a' };
  const options = { prefix, openMoved: refuseMoves, env: { clock, log: silentLogger } };
  const store = await MovableStore.open(backend, options, signal);
  return {
    store,
    signal,
    advance: (ms: number) => clock.advance(ms),
    [Symbol.asyncDispose]: () => store.close(),
  };
});

describeStore('movable model that was filled by a migration', async () => {
  const { clock } = testEnv();
  const model = new ModelStore({ clock });
  model.skipRevisions(70);
  await writeStoreRecord(model, key, { from: absent, to: carried, signal });
  const options = { prefix, openMoved: refuseMoves, env: { clock, log: silentLogger } };
  const store = await MovableStore.open({ store: model, isShared: false, name: 'b' }, options, signal);
  return {
    store,
    signal,
    advance: (ms: number) => clock.advance(ms),
    [Symbol.asyncDispose]: () => store.close(),
  };
});

describe('MovableStore over a store that a migration has filled', () => {
  async function opened(isShared = true) {
    const { clock } = testEnv();
    const model = new ModelStore({ clock });
    const value = carriedValue(Buffer.from('old'), { createRevision: 7, modRevision: 900 });
    await model.commit({ op: 'create', key: `${prefix}a`, value }, signal);
    await model.commit({ op: 'create', key: beside, value: Buffer.from('beside') }, signal);
    model.skipRevisions(60 - (await model.currentRevision(signal)));
    await writeStoreRecord(model, key, { from: absent, to: carried, signal });
    const options = { prefix, openMoved: refuseMoves, env: { clock, log: silentLogger } };
    const recorded = new RecordedReads(model);
    const store = await MovableStore.open({ store: recorded, isShared, name: 'b' }, options, signal);
    return { model, store, clock, recorded };
  }

  it('MovableStore over a store that a migration has filled returns the revisions that a key had in the earlier store, also without its value', async () => {
    const { store } = await opened();
    const { kv } = await store.get(`${prefix}a`, signal);
    assert.deepEqual([kv?.createRevision, kv?.modRevision, kv?.value?.toString()], [7, 900, 'old']);
    const { items } = await store.list(prefixRange(prefix), { keysOnly: true }, signal);
    assert.deepEqual([items[0]?.createRevision, items[0]?.modRevision], [7, 900]);
  });

  it('a migrated store reads and writes keys outside of the registry that the store had before the migration', async () => {
    const { store } = await opened();
    const { kv } = await store.get(beside, signal);
    const { items } = await store.list(prefixRange(beside), {}, signal);
    assert.deepEqual([items, kv?.value?.toString()], [[kv], 'beside']);
    const expected = kv?.modRevision ?? assert.fail();
    const value = Buffer.from('new');
    const guards = [{ key: beside, revision: expected }] as const;
    assert.ok((await store.commit({ op: 'create', key: `${prefix}b`, value, guards }, signal)).ok);
    const other = await store.commit({ op: 'update', key: beside, value, expected: expected + 1 }, signal);
    assert.deepEqual([other.ok, other.ok || other.current], [false, kv]);
    assert.ok((await store.commit({ op: 'update', key: beside, value, expected }, signal)).ok);
    assert.ok(!(await store.commit({ op: 'update', key: beside, value, expected }, signal)).ok);
  });

  it('a migrated store reads values for lists and scans of keys only where keys were carried, until a whole range has none', async () => {
    const { store, recorded } = await opened();
    const keys = { keysOnly: true } as const;
    const scanned = async (range: KeyRange, at?: number): Promise<void> => {
      const options = at === undefined ? keys : { ...keys, at };
      for await (const { items } of store.scan(range, options, signal)) assert.ok(items.length >= 0);
    };
    const a = `${prefix}a`;
    const all = prefixRange(prefix);
    await scanned(prefixRange(historyPrefixOf(prefix)));
    await store.list(prefixRange(beside), keys, signal);
    for (let i = 0; i < 2; i++) await scanned(all);
    await store.list(all, keys, signal);
    const value = Buffer.from('new');
    const written = await store.commit({ op: 'update', key: a, value, expected: 900 }, signal);
    assert.ok(written.ok);
    for (let i = 0; i < 2; i++) await scanned(all);
    await store.list(all, keys, signal);
    await scanned(all, written.rev - 1);
    assert.deepEqual(recorded.keysOnly, [true, true, false, false, false, false, true, true, false]);
    assert.equal((await store.get(a, signal)).kv?.modRevision, written.rev);
  });

  it('MovableStore over a store that a migration has filled accepts the earlier revision of a key as a precondition, until the key is written', async () => {
    const { store } = await opened();
    const a = `${prefix}a`;
    const guards = [{ key: a, revision: 900 }] as const;
    const value = Buffer.from('new');
    assert.ok((await store.commit({ op: 'create', key: `${prefix}b`, value, guards }, signal)).ok);
    const other = await store.commit({ op: 'update', key: a, value, expected: 899 }, signal);
    assert.deepEqual([other.ok, other.ok || other.current?.modRevision], [false, 900]);
    const written = await store.commit({ op: 'update', key: a, value, expected: 900 }, signal);
    assert.ok(written.ok && written.rev > 2000);
    const late = await store.commit({ op: 'create', key: `${prefix}c`, value, guards }, signal);
    assert.deepEqual([late.ok, late.ok || late.guardFailed], [false, true]);
    const again = await store.commit({ op: 'delete', key: a, expected: 900 }, signal);
    assert.deepEqual([again.ok, again.ok || again.current?.modRevision], [false, written.rev]);
  });

  for (const [at, isReadable] of [
    [900, false],
    [1019, false],
    [1020, true],
    [1500, true],
    [2000, true],
  ] as const)
    it(`${isReadable ? 'reads and watches' : 'refuses reads and watches'} at revision ${at}, where the earlier store ended at 1020`, async () => {
      const { store } = await opened();
      const created = await store.commit(
        { op: 'create', key: `${prefix}b`, value: Buffer.from('b') },
        signal,
      );
      const watched = store.watch(prefixRange(prefix), at, signal);
      const listed = store.list(prefixRange(prefix), { at }, signal);
      const isCompacted = (error: unknown) => error instanceof StoreError && error.compactRevision === 2000;
      if (!isReadable) {
        await assert.rejects(listed, isCompacted);
        await assert.rejects(watched.next(), isCompacted);
        return;
      }
      assert.deepEqual(
        (await listed).items.map((kv) => kv.modRevision),
        [900],
      );
      const { value: batch } = await watched.next();
      assert.ok(batch !== undefined && created.ok);
      assert.deepEqual(
        batch.events.map((event: { type: string }) => event.type),
        ['put'],
      );
      assert.equal(batch.rev, created.rev);
    });
});

/** Counts reads of keys, and notes which lists and scans need no values. */
class RecordedReads extends ForwardingStore {
  readonly keysOnly: boolean[] = [];
  gets = 0;

  override get(...args: Parameters<Store['get']>): ReturnType<Store['get']> {
    this.gets++;
    return super.get(...args);
  }

  override list(...args: Parameters<Store['list']>): ReturnType<Store['list']> {
    this.keysOnly.push(args[1].keysOnly === true);
    return super.list(...args);
  }

  override scan(...args: Parameters<Store['scan']>): ReturnType<Store['scan']> {
    this.keysOnly.push(args[1].keysOnly === true);
    return super.scan(...args);
  }
}

/** Two servers that use the same store. */
async function twoServers() {
  const { clock } = testEnv();
  const model = new ModelStore({ clock });
  const options = { prefix, openMoved: refuseMoves, env: { clock, log: silentLogger } };
  const open = () =>
    MovableStore.open({ store: new Uncloseable(model), isShared: true, name: 'a' }, options, signal);
  return { model, clock, first: await open(), second: await open() };
}

class Uncloseable extends ForwardingStore {
  override async close(): Promise<void> {}
}

describe('MovableStore with two servers', () => {
  const write = { op: 'create', key: `${prefix}a`, value: Buffer.from('a') } as const;

  it('MovableStore with two servers keeps the writes of all servers waiting during a pause, also of one that has not noticed it, and continues them', async () => {
    const { first, second, clock } = await twoServers();
    const stop = new AbortController();
    const running = second.run(stop.signal);
    const paused = await pauseWrites(first, migration, { clock, signal });
    let isWritten = false;
    const writing = second.commit(write, signal).then((committed) => {
      isWritten = true;
      return committed;
    });
    const given = new AbortController();
    const late = assert.rejects(second.commit({ ...write, key: `${prefix}b` }, given.signal), /given up/);
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
    given.abort(new Error('given up'));
    await late;
    assert.ok(!isWritten);
    assert.equal(await second.currentRevision(signal), paused.lastRevision);
    await paused.resume();
    assert.ok((await writing).ok);
    assert.ok((await first.commit({ ...write, key: `${prefix}c` }, signal)).ok);
    stop.abort();
    await running;
  });

  it('MovableStore with two servers reports conflicts and failed guards without another read, also when the store does not answer later', async () => {
    const { model, clock } = await twoServers();
    const recorded = new RecordedReads(model);
    const options = { prefix, openMoved: refuseMoves, env: { clock, log: silentLogger } };
    const store = await MovableStore.open({ store: recorded, isShared: true, name: 'a' }, options, signal);
    const created = await store.commit(write, signal);
    assert.ok(created.ok);
    recorded.gets = 0;
    const conflict = await store.commit(write, signal);
    assert.deepEqual([conflict.ok, conflict.ok || conflict.current?.modRevision], [false, created.rev]);
    const guards = [{ key: write.key, revision: created.rev + 1 }] as const;
    const guarded = await store.commit({ ...write, key: `${prefix}b`, guards }, signal);
    assert.deepEqual([guarded.ok, guarded.ok || guarded.guardFailed], [false, true]);
    assert.equal(recorded.gets, 0);
  });

  it('MovableStore with two servers fails all writes and reads of a server that cannot open the next store', async () => {
    const { model, first, second, clock } = await twoServers();
    const paused = await pauseWrites(first, migration, { clock, signal });
    const running = second.run(signal);
    const failed = assert.rejects(running, /cannot open the other store/);
    const target = new ModelStore({ clock });
    const to = { ...carried, state: 'filling', carriedFrom: 1020 } as const;
    await writeStoreRecord(target, key, { from: absent, to, signal });
    await paused.move({ store: target, isShared: true, name: 'b' }, migration);
    assert.ok((await first.commit(write, signal)).ok);
    const refused = assert.rejects(second.commit(write, signal), /cannot open the other store/);
    const unread = assert.rejects(second.currentRevision(signal), /cannot open the other store/);
    for (let i = 0; i < 200; i++) {
      clock.advance(200);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([failed, refused, unread]);
    assert.equal((await model.get(write.key, signal)).kv, undefined);
  });
});

/** A store that can hold back its replies to writes, and that counts how often it was closed. */
class LateStore extends Uncloseable {
  held: Promise<void> | undefined;
  closes = 0;

  override async commit(...args: Parameters<Store['commit']>): ReturnType<Store['commit']> {
    const committed = await super.commit(...args);
    await this.held;
    return committed;
  }

  override async close(): Promise<void> {
    this.closes++;
  }
}

describe('MovableStore of a server that runs a migration and follows the record', () => {
  it('the server moves once when it follows before its migration has the reply: a watch yields each event once, and the other connection is closed', async () => {
    const { clock } = testEnv();
    const source = new LateStore(new ModelStore({ clock }));
    const content = new ModelStore({ clock });
    content.skipRevisions(60);
    const followed = new LateStore(content);
    const openMoved = async () => ({ store: followed, isShared: true, name: 'b' });
    const options = { prefix, openMoved, env: { clock, log: silentLogger } };
    const store = await MovableStore.open({ store: source, isShared: false, name: 'a' }, options, signal);
    const stop = new AbortController();
    const running = store.run(stop.signal);
    const create = async (name: string, by: Store = store): Promise<void> => {
      const write = { op: 'create', key: `${prefix}${name}`, value: Buffer.from(name) } as const;
      assert.ok((await by.commit(write, signal)).ok);
    };
    const seen: string[] = [];
    const revisions: number[] = [];
    const watching = (async () => {
      for await (const { rev, events } of store.watch(prefixRange(prefix), 0, stop.signal)) {
        revisions.push(rev);
        for (const event of events) seen.push(eventKey(event));
      }
    })();
    await create('x');
    const paused = await pauseWrites(store, migration, { clock, signal });
    const { lastRevision } = paused;
    const moved = { ...migration, lastRevision, nextRevision: lastRevision + 1000 };
    const revisionOffset = moved.nextRevision - 60;
    const to = { ...carried, state: 'filling', revisionOffset, carriedFrom: lastRevision } as const;
    await writeStoreRecord(content, key, { from: absent, to: { ...to, migration: moved }, signal });
    const { promise, resolve } = Promise.withResolvers<void>();
    source.held = promise;
    const target = new LateStore(content);
    const moving = paused.move({ store: target, isShared: true, name: 'b' }, moved);
    while (store.place.backend.name !== 'b') await new Promise((next) => setImmediate(next));
    // Another server does not wait for the reply.
    await create('y', content);
    while (!seen.includes(`${prefix}y`)) await new Promise((next) => setImmediate(next));
    resolve();
    await moving;
    await create('z');
    while (!seen.includes(`${prefix}z`)) await new Promise((next) => setImmediate(next));
    assert.deepEqual(seen, [`${prefix}x`, `${prefix}y`, `${prefix}z`]);
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => a - b),
    );
    assert.equal(store.place.backend.store, followed);
    assert.deepEqual([followed.closes, target.closes], [0, 1]);
    stop.abort();
    await Promise.all([running, watching]);
  });
});

describe('MovableStore of a server that has not noticed a change of the record', () => {
  const other = { ...newStoreRecord, revisionOffset: 5000, backupId: 'b1' };
  const write = { op: 'create', key: `${prefix}a`, value: Buffer.from('a') } as const;

  /** Changes of the store by other programs, and the reason that the server gives. */
  const changes: Readonly<Record<string, readonly [(model: ModelStore) => Promise<unknown>, RegExp]>> = {
    'a restore has replaced the content': [
      async (model) =>
        writeStoreRecord(model, key, { from: await readStoreRecord(model, key, signal), to: other, signal }),
      /the content of a was moved or replaced .*restart the server/,
    ],
    'a restore replaces the content': [
      async (model) => {
        const to = { ...other, state: 'restoring' } as const;
        await writeStoreRecord(model, key, { from: await readStoreRecord(model, key, signal), to, signal });
      },
      /the content of a was moved or replaced .*a restore of backup b1 has not ended/,
    ],
    'the record was deleted': [
      async (model) => {
        const { revision = 0 } = await readStoreRecord(model, key, signal);
        await model.commit({ op: 'delete', key, expected: revision }, signal);
      },
      /the record of the store \(key \/registry~store\) was deleted .*write the key again with the value \{"format":1,"state":"ready",/,
    ],
  };

  for (const [title, [change, reason]] of Object.entries(changes)) {
    const uses: Readonly<Record<string, (store: MovableStore) => Promise<unknown>>> = {
      'a write': (store) => store.commit({ ...write, key: `${prefix}b` }, signal),
      'a write that conflicts': (store) => store.commit(write, signal),
      'a read': (store) => store.get(write.key, signal),
      'a list': (store) => store.list(prefixRange(prefix), {}, signal),
      'a scan': (store) => store.scan(prefixRange(prefix), {}, signal)[Symbol.asyncIterator]().next(),
      'a read of the revision': (store) => store.currentRevision(signal),
    };
    for (const [what, use] of Object.entries(uses))
      it(`${what} fails, and so does all that follows, when ${title}`, async () => {
        const { model, second } = await twoServers();
        assert.ok((await second.commit(write, signal)).ok);
        await change(model);
        const before = await model.currentRevision(signal);
        await assert.rejects(use(second), reason);
        for (const again of Object.values(uses)) await assert.rejects(again(second), reason);
        await assert.rejects(second.watch(prefixRange(prefix), before, signal).next(), reason);
        await assert.rejects(second.run(signal), reason);
        assert.equal(await model.currentRevision(signal), before);
      });

    it(`a watch ends with the reason, without a later event, and so does the server when ${title}`, async () => {
      const { model, second, clock } = await twoServers();
      const after = await second.currentRevision(signal);
      const watch = second.watch(prefixRange(prefix), after, signal);
      const first = watch.next();
      assert.ok((await second.commit(write, signal)).ok);
      assert.equal((await first).value?.events.length, 1);
      const next = watch.next();
      next.catch(() => undefined);
      clock.advance(2000);
      await change(model);
      await model.commit({ ...write, key: `${prefix}c` }, signal);
      await assert.rejects(next, reason);
      await assert.rejects(second.run(signal), reason);
    });
  }

  it('a server that follows the record stops at once, without reading it again and again, when it was deleted', async () => {
    const { model, second } = await twoServers();
    const running = second.run(signal);
    const failed = assert.rejects(running, /was deleted/);
    const { revision = 0 } = await readStoreRecord(model, key, signal);
    await model.commit({ op: 'delete', key, expected: revision }, signal);
    await failed;
    await assert.rejects(second.commit(write, signal), /was deleted/);
  });
});
