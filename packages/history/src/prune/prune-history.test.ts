import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, settle, testEnv } from '@orch/machinery/testing';
import { historyPrefixOf, ModelStore, prefixRange, type Store } from '@orch/storage';
import { encodeChangeKey } from '../record/change-key.ts';
import { pruneHistory } from './prune-history.ts';
import { runPruner } from './run-pruner.ts';

const { signal } = new AbortController();
const prefix = historyPrefixOf('/registry/');
const HOUR_MS = 3_600_000;
const NOW_MS = 1000 * HOUR_MS;
const limits = { prefix, nowMs: NOW_MS, retentionMs: 24 * HOUR_MS, maxBytes: 1_000_000 };

/** Stores a change of an object as a recorder does. */
async function record(
  store: Store,
  object: string,
  { ageMs, bytes, base }: { readonly ageMs: number; readonly bytes: number; readonly base: number },
): Promise<void> {
  const own = encodeChangeKey({ base, timeMs: NOW_MS - ageMs, bytes, kind: 'updated' }, '');
  const write = {
    op: 'create',
    key: `${prefix}configmaps/default/${object}/${own}`,
    value: Buffer.alloc(1),
  } as const;
  assert.ok((await store.commit(write, signal)).ok);
}

const left = async (store: Store): Promise<readonly string[]> =>
  (await store.list(prefixRange(prefix), {}, signal)).items.map(({ key }) =>
    key.split('/').slice(-2).join('/'),
  );

const modelStore = () => new ModelStore({ clock: new FakeClock() });

describe('pruning of the history', () => {
  it('deletes the changes that are older than the retention, many in one transaction', async () => {
    const store = modelStore();
    for (let i = 0; i < 250; i++)
      await record(store, `o${i % 8}`, { ageMs: (i % 2 === 0 ? 30 : 20) * HOUR_MS, bytes: 100, base: i + 1 });
    const before = await store.currentRevision(signal);
    const { deleted } = await pruneHistory(store, limits, signal);
    assert.equal(deleted, 125);
    assert.equal((await left(store)).length, 125);
    assert.equal((await store.currentRevision(signal)) - before, 2);
    assert.equal((await pruneHistory(store, limits, signal)).deleted, 0);
  });

  it('deletes the oldest changes of all objects when they exceed the size', async () => {
    const store = modelStore();
    for (let i = 0; i < 200; i++)
      await record(store, `o${i}`, { ageMs: (i + 1) * 60_000, bytes: 10_000, base: i + 1 });
    const { keptBytes } = await pruneHistory(store, limits, signal);
    assert.ok(keptBytes <= limits.maxBytes && keptBytes > limits.maxBytes / 2, String(keptBytes));
    const kept = (await left(store)).map((name) => Number(name.slice(1, name.indexOf('/'))));
    assert.equal(kept.length, keptBytes / 10_000);
    assert.deepEqual(
      kept.toSorted((a, b) => a - b),
      [...kept.keys()],
    );
  });

  it('limits what one object may use, so that it does not displace the history of the others', async () => {
    const store = modelStore();
    await record(store, 'quiet', { ageMs: 20 * HOUR_MS, bytes: 500, base: 1 });
    for (let i = 0; i < 100; i++)
      await record(store, 'busy', { ageMs: (100 - i) * 1000, bytes: 10_000, base: i + 2 });
    await pruneHistory(store, limits, signal);
    const names = (await left(store)).map((name) => name.split('/')[0]);
    assert.ok(names.includes('quiet'));
    assert.equal(names.filter((name) => name === 'busy').length, 6);
  });

  it('leaves keys of other programs, and is not disturbed by another server that does the same', async () => {
    const store = modelStore();
    await store.commit(
      { op: 'create', key: `${prefix}configmaps/default/a/other`, value: Buffer.alloc(1) },
      signal,
    );
    for (let i = 0; i < 150; i++) await record(store, 'a', { ageMs: 30 * HOUR_MS, bytes: 100, base: i + 1 });
    await Promise.all([pruneHistory(store, limits, signal), pruneHistory(store, limits, signal)]);
    assert.deepEqual(await left(store), ['a/other']);
  });

  it('runs at its interval, and early on a server that has recorded much', async () => {
    const env = testEnv();
    const store = new ModelStore({ clock: env.clock });
    const stop = new AbortController();
    let bytes = 0;
    const own = encodeChangeKey({ base: 1, timeMs: 1, bytes: 1, kind: 'updated' }, '');
    const old = {
      op: 'create',
      key: `${prefix}configmaps/default/a/${own}`,
      value: Buffer.alloc(1),
    } as const;
    const running = runPruner(store, {
      storePrefix: '/registry/',
      env,
      retentionMs: HOUR_MS,
      maxBytes: 1_000_000,
      recordedBytes: () => bytes,
      signal: stop.signal,
    });
    const isPrunedWithin = async (ms: number): Promise<boolean> => {
      await store.commit(old, signal);
      for (let passed = 0; passed < ms; passed += 15_000) {
        env.clock.advance(15_000);
        for (let turn = 0; turn < 5; turn++) await settle();
      }
      return (await left(store)).length === 0;
    };
    assert.equal(await isPrunedWithin(4 * 60_000), false);
    assert.equal(await isPrunedWithin(2 * 60_000), true);
    bytes += 100_000;
    assert.equal(await isPrunedWithin(60_000), true);
    stop.abort();
    await running;
  });
});
