import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, seededRandom } from '@orch/machinery/testing';
import {
  ForwardingStore,
  historyPrefixOf,
  ModelStore,
  prefixRange,
  type Store,
  type Write,
} from '@orch/storage';
import { encodeChangeKey } from '../record/change-key.ts';
import { pruneHistory } from './prune-history.ts';

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
  it('pruning deletes the changes that are older than the retention, many in one transaction', async () => {
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

  it('a round that loses its race to another server counts no change as deleted', async () => {
    const store = modelStore();
    await record(store, 'o', { ageMs: 30 * HOUR_MS, bytes: 100, base: 1 });
    class LateStore extends ForwardingStore {
      override async commit(write: Write) {
        await store.commit(write, signal);
        return super.commit(write, signal);
      }
    }
    assert.equal((await pruneHistory(new LateStore(store), limits, signal)).deleted, 0);
    assert.deepEqual(await left(store), []);
  });

  it('pruning deletes the oldest changes of all objects when they exceed the size', async () => {
    const store = modelStore();
    for (let i = 199; i >= 0; i--)
      await record(store, `o${i}`, { ageMs: (i + 1) * 60_000, bytes: 10_000, base: 200 - i });
    const { keptBytes } = await pruneHistory(store, limits, signal);
    assert.ok(keptBytes <= limits.maxBytes && keptBytes > limits.maxBytes / 2, String(keptBytes));
    const kept = (await left(store)).map((name) => Number(name.slice(1, name.indexOf('/'))));
    assert.equal(kept.length, keptBytes / 10_000);
    assert.deepEqual(
      kept.toSorted((a, b) => a - b),
      [...kept.keys()],
    );
  });

  it('pruning limits what one object may use, so that it does not displace the history of the others', async () => {
    const store = modelStore();
    await record(store, 'quiet', { ageMs: 20 * HOUR_MS, bytes: 500, base: 1 });
    for (let i = 0; i < 100; i++)
      await record(store, 'busy', { ageMs: (100 - i) * 1000, bytes: 10_000, base: i + 2 });
    await pruneHistory(store, limits, signal);
    const names = (await left(store)).map((name) => name.split('/')[0]);
    assert.ok(names.includes('quiet'));
    assert.equal(names.filter((name) => name === 'busy').length, 6);
  });

  it('pruning keeps the newest changes of a burst that alone exceeds the size', async () => {
    const store = modelStore();
    for (let i = 0; i < 300; i++)
      await record(store, `o${i}`, { ageMs: 540_000 - i * 1800, bytes: 4000, base: i + 1 });
    const { keptBytes } = await pruneHistory(store, { ...limits, retentionMs: 168 * HOUR_MS }, signal);
    assert.ok(keptBytes >= 0.8 * limits.maxBytes && keptBytes <= limits.maxBytes, String(keptBytes));
    const kept = (await left(store)).map((name) => Number(name.slice(1, name.indexOf('/'))));
    assert.deepEqual(
      kept.toSorted((a, b) => a - b),
      Array.from({ length: keptBytes / 4000 }, (_, i) => 300 - keptBytes / 4000 + i),
    );
  });

  it('pruning keeps the newest changes, and at least 80 % of the size, regardless of their ages and sizes', async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = seededRandom(seed);
      const store = modelStore();
      const written: { readonly name: string; readonly bytes: number }[] = [];
      const spreadMs = 10 ** random.int(8);
      const largest = 10 ** (1 + random.int(5));
      for (let total = 0; total < (1 + random.int(3)) * limits.maxBytes && written.length < 1500; ) {
        if (random.int(50) === 0) store.skipRevisions(random.int(1_000_000));
        const bytes = Math.min(60_000, Math.max(1, limits.maxBytes / 1200, random.int(largest)));
        const change = { ageMs: random.int(spreadMs), bytes: Math.ceil(bytes), base: written.length + 1 };
        const object = `o${written.length}`;
        await record(store, object, change);
        written.push({ name: object, bytes: change.bytes });
        total += change.bytes;
      }
      const total = written.reduce((sum, { bytes }) => sum + bytes, 0);
      const { keptBytes } = await pruneHistory(store, limits, signal);
      const names = new Set((await left(store)).map((name) => name.split('/')[0]));
      const kept = written.slice(-names.size);
      const title = `seed ${seed}: ${keptBytes} of ${total}`;
      assert.ok(
        kept.every(({ name }) => names.has(name)),
        title,
      );
      assert.equal(
        kept.reduce((sum, { bytes }) => sum + bytes, 0),
        keptBytes,
        title,
      );
      if (total > limits.maxBytes)
        assert.ok(keptBytes >= 0.8 * limits.maxBytes && keptBytes <= limits.maxBytes, title);
      else assert.equal(keptBytes, total, title);
    }
  });

  it('pruning keeps what was written after a change whose clock was behind, and that change', async () => {
    const store = modelStore();
    const ages = [...Array.from({ length: 100 }, (_, i) => (100 - i) * 60_000), 25 * HOUR_MS, 4, 3, 2, 1];
    for (const [i, ageMs] of ages.entries()) await record(store, 'o', { ageMs, bytes: 100, base: i + 1 });
    assert.equal((await pruneHistory(store, limits, signal)).deleted, 0);
  });

  it('a change whose clock was ahead does not keep older or later ones beyond the retention', async () => {
    const store = modelStore();
    const ages = [30, 29, -9000, 28, 20, -9000, 10].map((hours) => hours * HOUR_MS);
    for (const [i, ageMs] of ages.entries()) await record(store, 'o', { ageMs, bytes: 100, base: i + 1 });
    assert.equal((await pruneHistory(store, limits, signal)).deleted, 4);
    assert.equal((await left(store)).length, 3);
  });

  it('pruning leaves keys of other programs, and is not disturbed by another server that does the same', async () => {
    const store = modelStore();
    await store.commit(
      { op: 'create', key: `${prefix}configmaps/default/a/other`, value: Buffer.alloc(1) },
      signal,
    );
    for (let i = 0; i < 150; i++) await record(store, 'a', { ageMs: 30 * HOUR_MS, bytes: 100, base: i + 1 });
    await Promise.all([pruneHistory(store, limits, signal), pruneHistory(store, limits, signal)]);
    assert.deepEqual(await left(store), ['a/other']);
  });
});
