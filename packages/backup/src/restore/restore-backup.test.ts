import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { seededRandom, testEnv } from '@orch/machinery/testing';
import {
  currentStore,
  ModelStore,
  newStoreRecord,
  prefixRange,
  readStoreRecord,
  type Store,
  StoreError,
  storeRecordKey,
  type Write,
  writeStoreRecord,
} from '@orch/storage';
import { openEmbeddedStore } from '@orch/storage/embedded';
import { openEtcdStore } from '@orch/storage/etcd';
import { type EtcdCluster, startEtcd, tempDir } from '@orch/storage/testing';
import { BackupError } from '../backup-error.ts';
import { openBackup } from '../decode-backup.ts';
import { backupOf, chunked } from '../testing/backups.ts';
import { DyingStore } from '../testing/dying-store.ts';
import { beginRestores, type RestoreOptions, type RestoreReport, restoreBackup } from './restore-backup.ts';

const { signal } = new AbortController();
const env = { clock: systemClock, random: systemRandom, log: silentLogger };
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

interface Opened extends AsyncDisposable {
  readonly store: Store;
  readonly prefix: string;
}

let etcd: EtcdCluster;
let etcdPrefixes = 0;
before(async () => {
  etcd = await startEtcd();
});
after(() => etcd[Symbol.asyncDispose]());

const stores: Readonly<Record<string, () => Promise<Opened>>> = {
  async model() {
    const store = new ModelStore({ clock: systemClock });
    return { store, prefix: '/registry/', [Symbol.asyncDispose]: () => store.close() };
  },
  async embedded() {
    const dir = await tempDir('orch-restore-');
    const store = await openEmbeddedStore({ dir: dir.path, env });
    return {
      store,
      prefix: '/registry/',
      async [Symbol.asyncDispose]() {
        await store.close();
        await dir[Symbol.asyncDispose]();
      },
    };
  },
  async etcd() {
    const store = await openEtcdStore({ endpoints: etcd.endpoints, env });
    return { store, prefix: `/registry${etcdPrefixes++}/`, [Symbol.asyncDispose]: () => store.close() };
  },
};

async function put(store: Store, key: string, value: string, ttlSeconds?: number): Promise<number> {
  const { kv } = await store.get(key, signal);
  const content = { key, value: Buffer.from(value), ...(ttlSeconds === undefined ? {} : { ttlSeconds }) };
  const write: Write =
    kv === undefined ? { op: 'create', ...content } : { op: 'update', ...content, expected: kv.modRevision };
  const committed = await store.commit(write, signal);
  assert.ok(committed.ok);
  return committed.rev;
}

async function remove(store: Store, key: string): Promise<void> {
  const { kv } = await store.get(key, signal);
  if (kv !== undefined) await store.commit({ op: 'delete', key, expected: kv.modRevision }, signal);
}

/** Keys without the prefix, and values. */
async function contentOf(
  store: Store,
  prefix: string,
  at?: number,
): Promise<Readonly<Record<string, string>>> {
  const { items } = await store.list(prefixRange(prefix), at === undefined ? {} : { at }, signal);
  return Object.fromEntries(items.map(({ key, value }) => [key.slice(prefix.length), String(value)]));
}

async function restore(
  bytes: Buffer,
  { store, prefix }: Pick<Opened, 'store' | 'prefix'>,
  options: Partial<RestoreOptions> = {},
): Promise<RestoreReport> {
  await using backup = await openBackup(chunked(bytes, 4096), undefined);
  const all = {
    prefix,
    serverKeys: '~internal/replicas/',
    isShared: true,
    replace: false,
    replaceMoved: false,
    env,
    ...options,
    store,
  };
  return restoreBackup(backup, all, signal);
}

const refused = (pattern: RegExp) => (error: unknown) =>
  error instanceof BackupError && error.code === 'refused' && pattern.test(error.message);

/** A store with a hundred keys, and its backup. */
async function backedUp(source: Opened): Promise<Buffer> {
  for (let i = 0; i < 100; i++) await put(source.store, `${source.prefix}k${i}`, `value ${i}`);
  return backupOf(source.store, { ...source, env, signal });
}

describe('storeContent of a store that is written to', () => {
  for (const [name, open] of Object.entries(stores)) {
    it(`storeContent of a store that is written to is the state of ${name} at the revision of the backup, seed ${SEED}`, async () => {
      await using source = await open();
      const { store, prefix } = source;
      const random = seededRandom(SEED);
      for (let i = 0; i < 300; i++) await put(store, `${prefix}k${i}`, 'x'.repeat(random.int(20_000)));
      let isOver = false;
      const writer = async () => {
        while (!isOver) {
          await new Promise((resolve) => setImmediate(resolve));
          const key = `${prefix}k${random.int(600)}`;
          await (random.int(3) === 0 ? remove(store, key) : put(store, key, `new ${random.int(1000)}`));
        }
      };
      const writing = writer();
      const bytes = await backupOf(store, { prefix, env, signal });
      isOver = true;
      await writing;
      await using backup = await openBackup(chunked(bytes, 65536), undefined);
      assert.ok(
        (await store.currentRevision(signal)) > backup.header.revision,
        'nothing was written meanwhile',
      );
      const found: Record<string, string> = {};
      for await (const entries of backup.entries)
        for (const { key, value } of entries) found[key] = value.toString();
      assert.deepEqual(found, await contentOf(store, prefix, backup.header.revision));
    });
  }
});

describe('restoreBackup of a backup', () => {
  for (const [from, openSource] of Object.entries(stores)) {
    for (const [to, openTarget] of Object.entries(stores)) {
      it(`restoreBackup restores a backup of ${from} into an empty ${to}, with later revisions, of which earlier ones are compacted`, async () => {
        await using source = await openSource();
        const { store, prefix } = source;
        await put(store, `${prefix}pods/a`, 'one');
        await put(store, `${prefix}pods/b`, 'two');
        await put(store, `${prefix}events/c`, 'three', 500);
        await put(store, `${prefix}~internal/replicas/10.0.0.1`, 'server', 500);
        await remove(store, `${prefix}pods/b`);
        const bytes = await backupOf(store, { prefix, env, signal });
        const seen = await put(store, `${prefix}pods/a`, 'changed after the backup');

        await using target = await openTarget();
        const report = await restore(bytes, target);
        assert.deepEqual([report.created, report.updated, report.deleted], [2, 0, 0]);
        const current = await currentStore(target.store, target.prefix, signal);
        assert.deepEqual(await contentOf(current, target.prefix), { 'pods/a': 'one', 'events/c': 'three' });
        const { items } = await current.list(prefixRange(target.prefix), {}, signal);
        for (const { modRevision, createRevision } of items)
          assert.ok(createRevision > seen && modRevision > seen);
        for await (const part of current.scan(prefixRange(target.prefix), { withTtl: true }, signal)) {
          const ttls = part.items.map(({ key }) => [
            key.slice(target.prefix.length),
            part.ttls?.has(key) === true,
          ]);
          assert.deepEqual(ttls, [
            ['events/c', true],
            ['pods/a', false],
          ]);
        }
        for (const rev of [1, seen, report.revision - 1]) {
          const watch = current.watch(prefixRange(target.prefix), rev, signal)[Symbol.asyncIterator]();
          const isCompacted = (error: unknown) => error instanceof StoreError && error.code === 'compacted';
          await assert.rejects(watch.next(), isCompacted, `watch from ${rev}`);
        }
        assert.ok((await put(current, `${target.prefix}new`, 'x')) > report.revision);
      });
    }
  }

  for (const [name, open] of Object.entries(stores)) {
    it(`restoreBackup continues in ${name} after it was killed at any commit, seed ${SEED}`, async () => {
      await using source = await open();
      const bytes = await backedUp(source);
      await using target = await open();
      const random = seededRandom(SEED);
      let kills = 0;
      let report: RestoreReport | undefined;
      while (report === undefined) {
        const dying = new DyingStore(target.store, random.int(40));
        report = await restore(bytes, { ...target, store: dying }).catch((error: unknown) => {
          assert.ok(error instanceof StoreError && error.message === 'killed', String(error));
          kills++;
          return undefined;
        });
        if (report !== undefined) continue;
        const { record } = await readStoreRecord(target.store, storeRecordKey(target.prefix), signal);
        if (record.state === 'restoring')
          await assert.rejects(
            currentStore(target.store, target.prefix, signal),
            /has not ended: run "orch restore"/,
          );
      }
      assert.ok(kills > 1, 'the restore was not interrupted');
      const expected = await contentOf(source.store, source.prefix);
      assert.deepEqual(await contentOf(target.store, target.prefix), expected);
      const { items } = await target.store.list(prefixRange(target.prefix), {}, signal);
      assert.ok(
        items.every(({ createRevision, modRevision }) => createRevision === modRevision),
        'a key was written twice',
      );
    });

    it(`restoreBackup replaces the content of ${name} only when asked, and does not write what is equal`, async () => {
      await using opened = await open();
      const { store, prefix } = opened;
      const bytes = await backedUp(opened);
      await remove(store, `${prefix}k5`);
      await put(store, `${prefix}k6`, 'other');
      await put(store, `${prefix}later`, 'x');
      await put(store, `${prefix}k7`, 'value 7', 1000);
      const before = await store.currentRevision(signal);
      await assert.rejects(restore(bytes, opened), refused(/the store already has 100 keys/));
      assert.equal(await store.currentRevision(signal), before);
      const { created, updated, deleted, unchanged } = await restore(bytes, opened, { replace: true });
      assert.deepEqual([created, updated, deleted, unchanged], [1, 2, 1, 97]);
      const expected = Array.from({ length: 100 }, (_, i) => [`k${i}`, `value ${i}`]);
      const current = await currentStore(store, prefix, signal);
      assert.deepEqual(await contentOf(current, prefix), Object.fromEntries(expected));
    });
  }

  it('restoreBackup never moves revisions back when a second backup is restored', async () => {
    await using opened = await (stores['model'] as () => Promise<Opened>)();
    const bytes = await backedUp(opened);
    let last = await opened.store.currentRevision(signal);
    for (let round = 0; round < 3; round++) {
      const { revision } = await restore(bytes, opened, { replace: true });
      assert.ok(revision > last);
      last = revision;
      const current = await currentStore(opened.store, opened.prefix, signal);
      assert.ok((await put(current, `${opened.prefix}k1`, `round ${round}`)) > last);
    }
  });

  it('restoreBackup never moves revisions back when an earlier backup is restored into another store', async () => {
    const { clock } = testEnv();
    const open = stores['model'] as () => Promise<Opened>;
    await using source = await open();
    const first = await backedUp(source);
    let newest = first;
    let last = 0;
    for (const isFirst of [true, true, false, true]) {
      await using next = await open();
      const { prefix } = next;
      const { revision } = await restore(isFirst ? first : newest, next, { env: { clock } });
      assert.ok(revision > last, `${revision} after ${last}`);
      const current = await currentStore(next.store, prefix, signal);
      for (let i = 0; i < 20; i++) last = await put(current, `${prefix}k${i}`, 'later');
      newest = await backupOf(current, { prefix, env: { clock, random: systemRandom }, signal });
      clock.advance(1000);
    }
  });

  it('restoreBackup reserves more revisions when the backup is old', async () => {
    const year = 365 * 24 * 3_600_000;
    await using source = await (stores['model'] as () => Promise<Opened>)();
    const clock = testEnv().clock;
    await put(source.store, `${source.prefix}a`, 'x');
    const bytes = await backupOf(source.store, { ...source, env: { clock, random: systemRandom }, signal });
    clock.advance(year);
    await using target = await (stores['model'] as () => Promise<Opened>)();
    const { revision } = await restore(bytes, target, { env: { clock } });
    assert.ok(revision > (50_000 * year) / 1000 && Number.isSafeInteger(revision));
  });

  it('restoreBackup is refused while servers use the store, and for another backup than the one that was begun', async () => {
    const open = stores['model'] as () => Promise<Opened>;
    await using source = await open();
    const bytes = await backedUp(source);
    await put(source.store, `${source.prefix}k1`, 'other');
    const other = await backupOf(source.store, { ...source, env, signal });
    await using target = await open();
    await put(target.store, `${target.prefix}~internal/replicas/a`, 'x');
    await assert.rejects(restore(bytes, target, { replace: true }), refused(/a server uses the store/));
    await remove(target.store, `${target.prefix}~internal/replicas/a`);
    await assert.rejects(restore(bytes, { ...target, store: new DyingStore(target.store, 50) }));
    await assert.rejects(restore(other, target), refused(/another backup.*has not ended/));
    await restore(other, target, { replace: true });
    assert.equal((await contentOf(target.store, target.prefix))['k1'], 'other');
  });

  for (const isEmpty of [true, false])
    it(`restoreBackup is refused for ${isEmpty ? 'an empty store' : 'a store'} whose content was moved, with the name of the other store, until it is permitted by its own flag`, async () => {
      const open = stores['model'] as () => Promise<Opened>;
      await using source = await open();
      const bytes = await backedUp(source);
      await using target = await open();
      const { store, prefix } = target;
      if (!isEmpty) await put(store, `${prefix}left`, 'x');
      const key = storeRecordKey(prefix);
      const migration = { id: 'm1', from: 'a', to: 'etcd at b', lastRevision: 9, nextRevision: 20 };
      const from = { record: newStoreRecord, revision: undefined };
      const moved = { ...newStoreRecord, state: 'moved', migration } as const;
      await writeStoreRecord(store, key, { from, to: moved, signal });
      const before = await store.currentRevision(signal);
      for (const replace of [true, false])
        await assert.rejects(
          restore(bytes, target, { replace }),
          refused(/was moved to etcd at b \(migration m1\), which servers use: .*--replace-moved/),
        );
      assert.equal(await store.currentRevision(signal), before);
      await restore(bytes, target, { replaceMoved: true });
      const { record } = await readStoreRecord(store, key, signal);
      assert.deepEqual([record.state, record.migration], ['ready', undefined]);
      assert.deepEqual(await contentOf(store, prefix), await contentOf(source.store, source.prefix));
    });

  it('restoreBackup leaves keys outside of the prefix unchanged', async () => {
    const open = stores['model'] as () => Promise<Opened>;
    await using source = await open();
    const bytes = await backedUp(source);
    await using target = await open();
    await put(target.store, '/other/key', 'kept');
    await restore(bytes, target);
    assert.equal((await target.store.get('/other/key', signal)).kv?.value?.toString(), 'kept');
  });
});

describe('a backup that is restored into two stores', () => {
  it('a backup that is restored into two stores is continued in both after one has ended, and in none before', async () => {
    await using source = (await stores['model']?.()) ?? assert.fail();
    const bytes = await backedUp(source);
    const targets = [new ModelStore({ clock: systemClock }), new ModelStore({ clock: systemClock })];
    const [odd, even] = targets;
    const optionsOf = (store: Store): RestoreOptions => ({
      ...{ store, prefix: '/registry/', serverKeys: '~internal/replicas/', isShared: true, env },
      ...{ replace: false, replaceMoved: false },
      owns: (key) => (Number(key.slice(-1)) % 2 === 1) === (store === odd),
    });
    const begin = async (): Promise<void> => {
      await using backup = await openBackup(chunked(bytes, 4096), undefined);
      await beginRestores(backup.header, targets.map(optionsOf), signal);
    };
    const isUsable = async (store: Store): Promise<boolean> =>
      currentStore(store, '/registry/', signal).then(
        () => true,
        () => false,
      );
    assert.ok(odd !== undefined && even !== undefined);
    await begin();
    assert.deepEqual(await Promise.all(targets.map(isUsable)), [false, false]);
    await restore(bytes, { store: odd, prefix: '/registry/' }, optionsOf(odd));
    assert.deepEqual(await Promise.all(targets.map(isUsable)), [true, false]);
    // The command was interrupted, and runs again.
    await begin();
    assert.deepEqual(await Promise.all(targets.map(isUsable)), [false, false]);
    for (const store of targets) await restore(bytes, { store, prefix: '/registry/' }, optionsOf(store));
    assert.deepEqual(await Promise.all(targets.map(isUsable)), [true, true]);
    const contents = await Promise.all(targets.map((store) => contentOf(store, '/registry/')));
    assert.deepEqual(
      contents.map((content) => Object.keys(content).length),
      [50, 50],
    );
    assert.deepEqual({ ...contents[0], ...contents[1] }, await contentOf(source.store, source.prefix));
    await assert.rejects(begin(), refused(/already has 50 keys/));
  });
});
