import assert from 'node:assert/strict';
import { type KvEvent, StoreError } from '../store.ts';
import { eventRevision } from '../store-values.ts';
import { type Case, failsWith } from './fixture.ts';

function compactedAt(through: number): (error: unknown) => boolean {
  return (error) => {
    failsWith('compacted')(error);
    assert.ok(error instanceof StoreError && error.compactRevision === through, `${error}`);
    return true;
  };
}

export const compactionCases: readonly Case[] = [
  [
    'reads at or after the compacted revision keep working, reads before it fail with compacted',
    async (f) => {
      const a1 = await f.create('a', 'a1');
      const b1 = await f.create('b', 'b1');
      const a2 = await f.update('a', a1, 'a2');
      const gone = await f.delete('b', b1);
      const a3 = await f.update('a', a2, 'a3');
      await f.store.compact(a2, f.signal);
      assert.deepEqual(await f.names(f.all, a2), ['a', 'b']);
      assert.deepEqual(await f.names(f.all, gone), ['a']);
      const then = await f.store.list(f.all, { at: a2 }, f.signal);
      assert.deepEqual(
        then.items.map((kv) => kv.value?.toString()),
        ['a2', 'b1'],
      );
      assert.equal((await f.get('a'))?.modRevision, a3);
      await assert.rejects(f.store.list(f.all, { at: b1 }, f.signal), compactedAt(a2));
    },
  ],
  [
    'compaction changes neither the current state nor the revision',
    async (f) => {
      const a1 = await f.create('a', 'a1');
      await f.create('b', 'b1');
      const a2 = await f.update('a', a1, 'a2');
      const c1 = await f.create('c');
      const last = await f.delete('c', c1);
      const before = await f.store.list(f.all, {}, f.signal);
      await f.store.compact(last, f.signal);
      const after = await f.store.list(f.all, {}, f.signal);
      assert.deepEqual({ ...after, rev: 0 }, { ...before, rev: 0 });
      assert.ok(after.rev >= last);
      assert.ok((await f.update('a', a2, 'a3')) > last);
      assert.ok((await f.create('c')) > last);
    },
  ],
  [
    'compacting the same or an older revision again has no effect',
    async (f) => {
      const a1 = await f.create('a');
      const a2 = await f.update('a', a1, 'x');
      await f.store.compact(a2, f.signal);
      await f.store.compact(a2, f.signal);
      await f.store.compact(a1, f.signal);
      assert.deepEqual(await f.names(f.all, a2), ['a']);
    },
  ],
  [
    'compacting through a revision not reached yet fails with futureRevision',
    async (f) => {
      const rev = await f.create('a');
      await assert.rejects(f.store.compact(rev + 1000, f.signal), failsWith('futureRevision'));
      assert.deepEqual(await f.names(f.all, rev), ['a']);
    },
  ],
  [
    'a watch from the compacted revision reports everything after it',
    async (f) => {
      const a1 = await f.create('a', 'a1');
      const a2 = await f.update('a', a1, 'a2');
      const gone = await f.delete('a', a2);
      const a3 = await f.create('a', 'a3');
      await f.store.compact(a2, f.signal);
      await using watch = f.watch(a2);
      assert.deepEqual((await watch.received(2)).map(eventRevision), [gone, a3]);
    },
  ],
  [
    'a watch from before the compacted revision fails with compacted and reports that revision',
    async (f) => {
      const a1 = await f.create('a', 'a1');
      const a2 = await f.update('a', a1, 'a2');
      const a3 = await f.update('a', a2, 'a3');
      await f.store.compact(a3, f.signal);
      await using watch = f.watch(a1);
      await watch.done;
      compactedAt(a3)(watch.failure);
      assert.deepEqual(watch.events, []);
    },
  ],
  [
    'a watch that is up to date continues after compactions',
    async (f) => {
      let last = await f.create('a');
      await using watch = f.watch(last);
      for (let i = 1; i <= 20; i++) {
        last = await f.update('a', last, `${i}`);
        await watch.received(i);
        await f.store.compact(last, f.signal);
      }
      last = await f.update('a', last, 'end');
      assert.equal((await watch.received(21)).at(-1)?.type, 'put');
    },
  ],
  [
    'a watch that is overtaken by compaction fails without skipping an event',
    async (f) => {
      const stop = new AbortController();
      const start = await f.revision();
      const expected: number[] = [await f.create('a')];
      const watch = f.store
        .watch(f.all, start, AbortSignal.any([f.signal, stop.signal]))
        [Symbol.asyncIterator]();
      const seen: KvEvent[] = [];
      const first = await watch.next();
      if (!first.done) seen.push(...first.value.events);
      for (let i = 0; i < 200; i++) expected.push(await f.update('a', expected.at(-1) ?? 0, `${i}`));
      await f.store.compact(expected.at(-1) ?? 0, f.signal);
      try {
        while (seen.length < expected.length) {
          const batch = await watch.next();
          if (batch.done) break;
          seen.push(...batch.value.events);
        }
        assert.equal(seen.length, expected.length);
      } catch (error) {
        compactedAt(expected.at(-1) ?? 0)(error);
      }
      assert.deepEqual(seen.map(eventRevision), expected.slice(0, seen.length));
      stop.abort();
      await watch.return?.();
    },
  ],
  [
    'the next page of a list whose revision was compacted fails with compacted',
    async (f) => {
      for (let i = 0; i < 6; i++) await f.create(`k${i}`);
      const page = await f.store.list(f.all, { limit: 3 }, f.signal);
      const last = await f.create('later');
      const rest = { at: page.rev, limit: 3 };
      await f.store.compact(page.rev, f.signal);
      assert.equal((await f.store.list(f.range('k3', 'z'), rest, f.signal)).items.length, 3);
      await f.store.compact(last, f.signal);
      await assert.rejects(f.store.list(f.range('k3', 'z'), rest, f.signal), failsWith('compacted'));
    },
  ],
];
