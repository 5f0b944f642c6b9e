import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { settle, testEnv } from '@orch/machinery/testing';
import { failsWith } from '../conformance/fixture.ts';
import { WatchRecorder } from '../conformance/watch-recorder.ts';
import type { SideWrites } from '../extensions/write-extensions.ts';
import { prefixRange } from '../keys.ts';
import { type Revision, type Store, StoreError, type Write } from '../store.ts';
import { eventKey } from '../store-values.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { type EmbeddedStoreOptions, openEmbeddedStore } from './open-embedded-store.ts';
import { SharedWriterThread } from './writer/shared-writer-thread.ts';

const { signal } = new AbortController();
const KIBIBYTE = 1024;

const program = (name: string) => new URL(`./testing/${name}.ts`, import.meta.url);
const create = (key: string, value: string | Buffer = 'x') =>
  ({ op: 'create', key, value: Buffer.from(value) }) as const;

async function opened(options: Partial<EmbeddedStoreOptions> = {}) {
  const dir = await tempDir('orch-failures-');
  const env = testEnv();
  const store = await openEmbeddedStore({ dir: dir.path, env, ...options });
  return {
    store,
    env,
    path: dir.path,
    async [Symbol.asyncDispose]() {
      await store.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Updates one key until the store refuses; returns the last revision and the error. */
async function fill(store: Store, key: string): Promise<{ rev: Revision; refusal: unknown }> {
  const value = Buffer.alloc(4 * KIBIBYTE, 'v');
  let { rev } = await store.commit({ op: 'create', key, value }, signal);
  for (let i = 0; i < 10_000; i++) {
    try {
      rev = (await store.commit({ op: 'update', key, value, expected: rev }, signal)).rev;
    } catch (refusal) {
      return { rev, refusal };
    }
  }
  return assert.fail('the store never became full');
}

describe('a full embedded store', () => {
  it('a full embedded store refuses writes with `full`, serves reads, and accepts writes after compaction has freed space', async () => {
    await using f = await opened({ maxBytes: 512 * KIBIBYTE });
    const { rev, refusal } = await fill(f.store, '/a');
    failsWith('full')(refusal);
    assert.equal((await f.store.get('/a', signal)).kv?.modRevision, rev);
    await assert.rejects(
      f.store.commit(create('/b', Buffer.alloc(64 * KIBIBYTE)), signal),
      failsWith('full'),
    );
    await f.store.compact(rev, signal);
    const value = Buffer.alloc(64 * KIBIBYTE);
    for (let attempt = 0; ; attempt++) {
      assert.ok(attempt < 100, 'compaction freed nothing');
      const free = await f.store
        .commit({ op: 'update', key: '/a', value, expected: rev }, signal)
        .catch(() => undefined);
      if (free?.ok) break;
    }
    assert.equal(await f.store.currentRevision(signal), rev + 1);
  });

  it('a full embedded store accepts a deletion with further keys, and leaves out those that have values', async () => {
    await using f = await opened({ maxBytes: 512 * KIBIBYTE });
    await f.store.commit(create('/obsolete'), signal);
    const { rev: expected } = await fill(f.store, '/a');
    await using watch = new WatchRecorder(f.store, prefixRange('/'), { after: expected, signal });
    const also = [{ key: '/history/a', value: Buffer.alloc(100) }, { key: '/obsolete' }];
    const write: Write & SideWrites = { op: 'delete', key: '/a', expected, also };
    const deletion = await f.store.commit(write, signal);
    assert.ok(deletion.ok);
    assert.deepEqual((await watch.received(2)).map(eventKey), ['/a', '/obsolete']);
    for (const key of ['/a', '/history/a', '/obsolete'])
      assert.equal((await f.store.get(key, signal)).kv, undefined, key);
  });

  it('a full embedded store keeps acknowledged writes and drops refused ones when its files cannot grow', {
    skip: process.platform === 'linux' ? false : 'needs file size limits as Linux has them',
  }, async () => {
    await using dir = await tempDir('orch-limited-');
    const script = fileURLToPath(program('limited-writer'));
    // In units of 512 bytes: the write-ahead log reaches the limit several times before the database does.
    const limited = ['-c', `ulimit -f 4096; exec "${process.execPath}" "${script}" "${dir.path}"`];
    const { stdout } = await promisify(execFile)('/bin/sh', limited, { maxBuffer: 1 << 20 });
    const report = JSON.parse(stdout) as { outcomes: Record<string, string>; readable: boolean };
    assert.ok(report.readable);
    const store = await openEmbeddedStore({ dir: dir.path, env: testEnv() });
    const counts: Record<string, number> = {};
    for (const [key, outcome] of Object.entries(report.outcomes)) {
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      const { kv } = await store.get(key, signal);
      if (outcome === 'ok') assert.ok(kv !== undefined, `${key} was acknowledged and is missing`);
      else if (outcome === 'unavailable') assert.equal(kv, undefined, `${key} was refused and is there`);
      else assert.equal(outcome, 'outcomeUnknown');
    }
    await store.close();
    assert.ok((counts.ok ?? 0) > 100 && (counts.unavailable ?? 0) > 100, JSON.stringify(counts));
  });
});

describe('the embedded store with a failing writer thread', () => {
  it('the embedded store with a failing writer thread rejects unanswered commits as unknown, restarts the thread, and watches stay complete', async () => {
    await using f = await opened({ workerUrl: program('dying-writer') });
    const { store, env } = f;
    await using watch = new WatchRecorder(store, prefixRange('/'), { after: 1, signal });
    await store.commit(create('/a'), signal);
    await assert.rejects(store.commit(create('/b', 'die-before'), signal), failsWith('outcomeUnknown'));
    await assert.rejects(store.commit(create('/c'), signal), failsWith('unavailable'));
    env.clock.advance(1000);
    await store.commit(create('/c'), signal);
    assert.equal((await store.get('/b', signal)).kv, undefined);
    await assert.rejects(store.commit(create('/d', 'die-after'), signal), failsWith('outcomeUnknown'));
    assert.ok((await store.get('/d', signal)).kv !== undefined);
    env.clock.advance(1000);
    await store.commit(create('/e'), signal);
    const keys = (await watch.received(4)).map((event) => (event.type === 'put' ? event.kv.key : ''));
    assert.deepEqual(keys, ['/a', '/c', '/d', '/e']);
    assert.equal(env.entries.filter((entry) => entry.level === 'error').length, 2);
  });

  it('the embedded store with a failing writer thread rejects commits whose deadline passes: unsent ones with the reason, sent ones with `outcomeUnknown`', async () => {
    await using f = await opened({ workerUrl: program('stalled-writer') });
    const abort = new AbortController();
    const reason = new Error('deadline');
    const sent = f.store.commit(create('/a'), abort.signal);
    await settle();
    const unsent = f.store.commit(create('/b'), abort.signal);
    abort.abort(reason);
    f.env.clock.advance(100);
    await assert.rejects(sent, failsWith('outcomeUnknown'));
    await assert.rejects(unsent, (error) => error === reason);
    const closing = f.store.close();
    await settle();
    f.env.clock.advance(10_000);
    await closing;
  });

  it('bounds the queued bytes', async () => {
    await using f = await opened({ workerUrl: program('stalled-writer'), maxQueuedBytes: 10 * KIBIBYTE });
    const first = f.store.commit(create('/first'), signal);
    await settle();
    const waiting = ['/a', '/b'].map((key) =>
      f.store.commit(create(key, Buffer.alloc(4 * KIBIBYTE)), signal),
    );
    await assert.rejects(
      f.store.commit(create('/c', Buffer.alloc(4 * KIBIBYTE)), signal),
      failsWith('unavailable'),
    );
    const closing = f.store.close();
    for (const commit of waiting) await assert.rejects(commit, failsWith('closed'));
    await settle();
    f.env.clock.advance(10_000);
    await assert.rejects(first, failsWith('outcomeUnknown'));
    await closing;
  });
});

describe('embedded stores with a shared writer thread', () => {
  it('stores with a shared writer thread commit and close independently of each other', async () => {
    const sharedWriter = new SharedWriterThread();
    await using first = await opened({ sharedWriter });
    await using second = await opened({ sharedWriter });
    for (const { store } of [first, second]) assert.ok((await store.commit(create('/a'), signal)).ok);
    await first.store.close();
    await second.store.commit(create('/b'), signal);
    const again = await openEmbeddedStore({ dir: first.path, env: testEnv(), sharedWriter });
    await again.commit(create('/c'), signal);
    assert.equal((await again.get('/b', signal)).kv, undefined);
    await again.close();
  });

  it('stores with a shared writer thread that ends share its successor', async () => {
    const sharedWriter = new SharedWriterThread();
    await using first = await opened({ sharedWriter });
    await using second = await opened({ sharedWriter });
    const both = [first, second];
    for (const { store } of both) await store.commit(create('/a'), signal);
    await sharedWriter.terminate();
    // A store may not have seen yet that the port has closed, and does not know what became of the write then.
    const failsEither = (error: unknown): boolean =>
      error instanceof StoreError && ['unavailable', 'outcomeUnknown'].includes(error.code);
    for (const { store } of both) await assert.rejects(store.commit(create('/b'), signal), failsEither);
    for (const { store, env } of both) {
      env.clock.advance(1000);
      await store.commit(create('/b'), signal);
      assert.ok((await store.get('/a', signal)).kv !== undefined);
    }
  });

  it('stores with a shared writer thread that fails report its error', async () => {
    const sharedWriter = new SharedWriterThread(program('failing-writer'));
    await using f = await opened({ sharedWriter });
    await assert.rejects(f.store.commit(create('/a'), signal), failsWith('outcomeUnknown'));
    const [entry] = f.env.entries.filter(({ level }) => level === 'error');
    assert.match(JSON.stringify(entry), /the disk is on fire/);
  });

  it('a store that the shared writer thread cannot open does not disturb the others', async () => {
    const sharedWriter = new SharedWriterThread();
    await using first = await opened({ sharedWriter });
    await first.store.commit(create('/a'), signal);
    const settings = {
      path: join(first.path, 'absent', 'store.db'),
      maxBytes: 0,
      reserveBytes: 0,
      checkpointBytes: 1,
    };
    const failed = sharedWriter.start(settings);
    const warning = new Promise((resolve) => failed.on('message', resolve));
    assert.match(JSON.stringify(await warning), /unable to open database file/);
    assert.match((await failed.ended).message, /has closed its port/);
    await first.store.commit(create('/b'), signal);
  });
});

describe('openEmbeddedStore after failures', () => {
  it('openEmbeddedStore refuses a directory that another store has open', async () => {
    await using f = await opened();
    const again = () => openEmbeddedStore({ dir: f.path, env: testEnv() });
    await assert.rejects(again(), /is in use by another process/);
    await f.store.close();
    await (await again()).close();
  });

  it('openEmbeddedStore refuses files that are not a store, and leaves them unchanged', async () => {
    await using dir = await tempDir('orch-foreign-');
    for (const [name, prepare] of [
      ['garbage', (path: string) => writeFile(path, Buffer.alloc(8192, 'garbage'))],
      ['foreign', async (path: string) => new DatabaseSync(path).exec('CREATE TABLE t (x)')],
      [
        'future',
        async (path: string) =>
          new DatabaseSync(path).exec(
            'PRAGMA application_id = 1869767528; PRAGMA user_version = 99; CREATE TABLE t (x)',
          ),
      ],
    ] as const) {
      const path = join(dir.path, name);
      await mkdir(path);
      await prepare(join(path, 'store.db'));
      await assert.rejects(openEmbeddedStore({ dir: path, env: testEnv() }), failsWith('corrupt'), name);
      await assert.rejects(
        openEmbeddedStore({ dir: path, env: testEnv() }),
        failsWith('corrupt'),
        `${name} again`,
      );
    }
  });

  it('openEmbeddedStore reports why a directory cannot be used', async () => {
    await using dir = await tempDir('orch-unusable-');
    const file = join(dir.path, 'file');
    await writeFile(file, '');
    await assert.rejects(
      openEmbeddedStore({ dir: join(file, 'sub'), env: testEnv() }),
      failsWith('unavailable'),
    );
    const workerUrl = new URL('./testing/no-such-program.ts', import.meta.url);
    await assert.rejects(openEmbeddedStore({ dir: dir.path, env: testEnv(), workerUrl }), /does not exist/);
    assert.ok(!existsSync(join(dir.path, 'store.db')));
  });

  it('openEmbeddedStore expires keys whose ttl ended while the store was closed', async () => {
    await using dir = await tempDir('orch-expiry-');
    const env = testEnv();
    const first = await openEmbeddedStore({ dir: dir.path, env });
    await first.commit({ ...create('/short'), ttlSeconds: 60 }, signal);
    const { rev } = await first.commit({ ...create('/long'), ttlSeconds: 600 }, signal);
    await first.close();
    env.clock.advance(120_000);
    const store = await openEmbeddedStore({ dir: dir.path, env });
    await using watch = new WatchRecorder(store, prefixRange('/'), { after: rev, signal });
    assert.deepEqual(await watch.received(1), [{ type: 'delete', key: '/short', modRevision: rev + 1 }]);
    assert.ok((await store.get('/long', signal)).kv !== undefined);
    await watch.stop();
    await store.close();
  });
});
