import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testEnv } from '@orch/machinery/testing';
import { describeStore } from '../conformance/index.ts';
import { prefixRange } from '../keys.ts';
import { ModelStore } from '../model-store.ts';
import { StoreError } from '../store.ts';
import { OffsetStore } from './offset-store.ts';

const OFFSET = 3_000_000_000_017;
const moved = (revisionOffset: number) => ({ revisionOffset, carriedThrough: 0, carriedFrom: 0 });
const { signal } = new AbortController();

describeStore('model with moved revisions', async () => {
  const { clock } = testEnv();
  const store = new OffsetStore(new ModelStore({ clock }), moved(OFFSET), '/');
  return {
    store,
    signal,
    advance: (ms: number) => clock.advance(ms),
    [Symbol.asyncDispose]: () => store.close(),
  };
});

describe('OffsetStore over a store with one key', () => {
  async function opened() {
    const inner = new ModelStore({ clock: testEnv().clock });
    const store = new OffsetStore(inner, moved(1000), '/');
    const { rev } = await store.commit({ op: 'create', key: '/a', value: Buffer.from('1') }, signal);
    return { inner, store, rev };
  }
  const value = Buffer.from('2');

  it('OffsetStore adds the offset to the revisions of the inner store', async () => {
    const { inner, store, rev } = await opened();
    assert.equal(rev, (await inner.currentRevision(signal)) + 1000);
    assert.equal((await store.get('/a', signal)).kv?.modRevision, rev);
  });

  for (const expected of [0, 2, 999, 1000]) {
    it(`OffsetStore reports a conflict with the current value for a write that expects revision ${expected}, before its first one`, async () => {
      const { store, rev } = await opened();
      const result = await store.commit({ op: 'update', key: '/a', value, expected }, signal);
      assert.deepEqual([result.ok, result.ok || result.current?.modRevision], [false, rev]);
      const absent = await store.commit({ op: 'update', key: '/b', value, expected }, signal);
      assert.deepEqual([absent.ok, absent.ok || absent.current], [false, undefined]);
      const guards = [{ key: '/a', revision: expected }] as const;
      const guarded = await store.commit({ op: 'create', key: '/c', value, guards }, signal);
      assert.deepEqual([guarded.ok, guarded.ok || guarded.guardFailed], [false, true]);
    });

    it(`OffsetStore fails reads and watches at revision ${expected}, before its first one, with compacted`, async () => {
      const { store, rev } = await opened();
      const isCompacted = (error: unknown) =>
        error instanceof StoreError &&
        error.code === 'compacted' &&
        (error.compactRevision ?? 0) > 1000 &&
        (error.compactRevision ?? 0) <= rev;
      await assert.rejects(store.list(prefixRange('/'), { at: expected }, signal), isCompacted);
      await assert.rejects(store.watch(prefixRange('/'), expected, signal).next(), isCompacted);
      await assert.rejects(store.scan(prefixRange('/'), { at: expected }, signal).next(), isCompacted);
    });
  }

  it('OffsetStore names its own revisions in failures', async () => {
    const { store, rev } = await opened();
    await assert.rejects(store.list(prefixRange('/'), { at: rev + 5 }, signal), new RegExp(`${rev + 5}`));
  });
});
