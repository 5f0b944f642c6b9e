import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLogger, systemRandom } from '@orch/machinery/env';
import { FakeClock } from '@orch/machinery/testing';
import {
  type Backend,
  ForwardingStore,
  type KeyRange,
  ModelStore,
  MovableStore,
  newStoreRecord,
  prefixRange,
  RecordGuardedStore,
  type ScanOptions,
  type ScanPart,
  type Store,
  storeRecordKey,
  type Write,
  writeStoreRecord,
} from '@orch/storage';
import { openBackup } from '../decode-backup.ts';
import { abandonMigration } from '../migrate/abandon-migration.ts';
import { migrateStore } from '../migrate/migrate-store.ts';
import { TargetWriter } from '../migrate/target-writer.ts';
import { backupOf, chunked } from '../testing/backups.ts';
import { commitUnlessExpired } from './commit-unless-expired.ts';
import { restoreBackup } from './restore-backup.ts';

const prefix = '/registry/';
const event = `${prefix}events/e`;
const TTL_SECONDS = 10;
const { signal } = new AbortController();

/** Reads a store; what it has read has expired when the caller receives it. */
class SlowReader extends ForwardingStore {
  readonly #clock: FakeClock;

  constructor(inner: Store, clock: FakeClock) {
    super(inner);
    this.#clock = clock;
  }

  override async get(key: string, stop: AbortSignal): ReturnType<Store['get']> {
    const found = await super.get(key, stop);
    if (key === event) this.#clock.advance(TTL_SECONDS * 1000 + 1);
    return found;
  }

  override async *scan(range: KeyRange, options: ScanOptions, stop: AbortSignal): AsyncGenerator<ScanPart> {
    for await (const part of super.scan(range, options, stop)) {
      this.#clock.advance(TTL_SECONDS * 1000 + 1);
      yield part;
    }
  }
}

/** Two stores: the first one has keys, one of which expires. */
async function twoStores() {
  const clock = new FakeClock();
  const env = { clock, random: systemRandom, log: silentLogger };
  const stores = { a: new ModelStore({ clock }), b: new ModelStore({ clock }) };
  for (let i = 0; i < 3; i++) await put(stores.a, `${prefix}maps/${i}`, 'value');
  await put(stores.a, event, 'event', TTL_SECONDS);
  return { clock, env, ...stores };
}

const put = (store: Store, key: string, text: string, ttlSeconds?: number) =>
  store.commit(
    { op: 'create', key, value: Buffer.from(text), ...(ttlSeconds === undefined ? {} : { ttlSeconds }) },
    signal,
  );

async function keysOf(store: Store): Promise<readonly string[]> {
  const { items } = await store.list(prefixRange(prefix), {}, signal);
  return items.map(({ key }) => key.slice(prefix.length));
}

/** A migration from `a` to `b` that was stopped after the content was copied. */
async function stoppedMigration() {
  const world = await twoStores();
  const { clock, env, a, b } = world;
  const openMoved = async () => assert.fail('no other server moves the content');
  const backend = { store: a, isShared: true, name: 'a' };
  const source = await MovableStore.open(backend, { prefix, openMoved, env }, signal);
  const target: Backend = { store: new ForwardingStore(b), isShared: true, name: 'b' };
  const stop = new AbortController();
  const onProgress = ({ phase }: { readonly phase: string }): void => {
    if (phase === 'follow') stop.abort();
  };
  await assert.rejects(migrateStore({ source, target, prefix, env, onProgress }, stop.signal));
  assert.deepEqual(await keysOf(b), ['events/e', 'maps/0', 'maps/1', 'maps/2']);
  const slow: Backend = { ...target, store: new SlowReader(b, clock) };
  return { ...world, source, slow };
}

describe('keys that expire after they were read and before they are written', () => {
  it('a repeated migration moves the content without them', async () => {
    const { a, b, source, slow, clock, env } = await stoppedMigration();
    clock.advance(5000);
    const { kv } = await a.get(event, signal);
    await a.commit({ op: 'delete', key: event, expected: kv?.modRevision ?? 0 }, signal);
    await migrateStore({ source, target: slow, prefix, env }, signal);
    assert.deepEqual(await keysOf(b), ['maps/0', 'maps/1', 'maps/2']);
  });

  it('a repeated migration creates them again when the source has a later version', async () => {
    const { a, b, source, slow, env } = await stoppedMigration();
    const { kv } = await a.get(event, signal);
    const value = Buffer.from('later');
    await a.commit({ op: 'update', key: event, value, expected: kv?.modRevision ?? 0 }, signal);
    await migrateStore({ source, target: slow, prefix, env }, signal);
    assert.deepEqual(await keysOf(b), ['events/e', 'maps/0', 'maps/1', 'maps/2']);
  });

  it('a migration is undone although they are in the list of keys to delete', async () => {
    const { b, source, slow } = await stoppedMigration();
    await abandonMigration({ source, target: slow, prefix, id: 'undone' }, signal);
    assert.deepEqual(await keysOf(b), []);
  });

  it('a restore replaces the content without them', async () => {
    const { a, b, clock, env } = await twoStores();
    const bytes = await backupOf(a, { prefix, env, signal });
    await put(b, `${prefix}events/other`, 'x', TTL_SECONDS);
    await put(b, event, 'of the store', TTL_SECONDS);
    await using backup = await openBackup(chunked(bytes, 4096), undefined);
    const store = new SlowReader(b, clock);
    const permitted = { replace: true, replaceMoved: false };
    const options = { prefix, serverKeys: '~internal/replicas/', isShared: true, ...permitted, env, store };
    await restoreBackup(backup, options, signal);
    assert.deepEqual(await keysOf(b), ['events/e', 'maps/0', 'maps/1', 'maps/2']);
  });

  it('changes that a migration copies last are written', async () => {
    const { a, clock } = await twoStores();
    const writer = new TargetWriter(new SlowReader(a, clock));
    const wanted = { value: Buffer.from('later'), createRevision: 1, modRevision: 2 };
    await writer.write([[event, undefined]], async () => wanted, signal);
    assert.ok((await keysOf(a)).includes('events/e'));
    await put(a, `${prefix}events/f`, 'x', TTL_SECONDS);
    await writer.write([[event, undefined]], async () => undefined, signal);
    assert.ok(!(await keysOf(a)).includes('events/e'));
  });
});

describe('commitUnlessExpired of a read that is out of date', () => {
  const value = Buffer.from('x');
  const key = `${prefix}maps/0`;
  const writes: readonly (readonly [string, Write])[] = [
    ['a deletion of another version', { op: 'delete', key, expected: 1000 }],
    ['an update of another version', { op: 'update', key, value, expected: 1000 }],
    ['a creation of a present key', { op: 'create', key, value }],
  ];
  for (const [title, write] of writes)
    it(`commitUnlessExpired rejects ${title}, and names neither a restore nor a migration`, async () => {
      const { a } = await twoStores();
      await assert.rejects(commitUnlessExpired(a, write, signal), {
        code: 'unavailable',
        message: `another program has written ${key} to the store that is filled`,
      });
    });

  for (const op of ['delete', 'update', 'create'] as const)
    it(`commitUnlessExpired rejects a write after the record of the store was changed: ${op}`, async () => {
      const { a } = await twoStores();
      const recordKey = storeRecordKey(prefix);
      const absent = { record: newStoreRecord, revision: undefined };
      const { revision = 0 } = await writeStoreRecord(a, recordKey, {
        from: absent,
        to: newStoreRecord,
        signal,
      });
      const { kv } = await a.get(key, signal);
      const guarded = new RecordGuardedStore(a, { key: recordKey, revision: revision + 1 });
      const expected = kv?.modRevision ?? 0;
      const write: Write =
        op === 'delete'
          ? { op, key, expected }
          : op === 'update'
            ? { op, key, value, expected }
            : { op, key: `${prefix}maps/new`, value };
      const before = await keysOf(a);
      await assert.rejects(commitUnlessExpired(guarded, write, signal), { code: 'unavailable' });
      assert.deepEqual(await keysOf(a), before);
    });

  it('commitUnlessExpired rejects an update of an expired key after the record of the store was changed', async () => {
    const { a } = await twoStores();
    const guarded = new RecordGuardedStore(a, { key: storeRecordKey(prefix), revision: 1000 });
    const gone = `${prefix}events/gone`;
    await assert.rejects(
      commitUnlessExpired(guarded, { op: 'update', key: gone, value, expected: 5 }, signal),
      { code: 'unavailable' },
    );
    assert.ok(!(await keysOf(a)).includes('events/gone'));
  });
});
