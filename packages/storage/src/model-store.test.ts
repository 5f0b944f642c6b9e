import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { describeStore } from './conformance/index.ts';
import { prefixRange } from './keys.ts';
import { ModelStore } from './model-store.ts';

async function open() {
  const clock = new FakeClock();
  const store = new ModelStore({ clock });
  const abort = new AbortController();
  return {
    store,
    clock,
    signal: abort.signal,
    advance: (ms: number) => clock.advance(ms),
    async [Symbol.asyncDispose]() {
      abort.abort();
      await store.close();
    },
  };
}

describeStore('model', open);

describe('ModelStore in memory', () => {
  it('ModelStore delivers the events of one revision in one batch, however small batches are', async () => {
    const store = new ModelStore({ clock: new FakeClock(), maxBatchEvents: 2 });
    const { signal } = new AbortController();
    const value = Buffer.from('x');
    const writes = ['a', 'b', 'c', 'd'].map((key) => ({ op: 'create', key, value }) as const);
    const rev = store.commitTogether(writes);
    await store.commit({ op: 'create', key: 'e', value }, signal);
    const sizes: number[] = [];
    for await (const batch of store.watch(prefixRange(''), 0, signal)) {
      sizes.push(batch.events.length);
      if (batch.rev > rev) break;
    }
    assert.deepEqual(sizes, [4, 1]);
  });

  it('ModelStore deletes keys that expire at the same time in one revision', async () => {
    await using opened = await open();
    const { store, clock, signal } = opened;
    for (const key of ['a', 'b']) {
      await store.commit({ op: 'create', key, value: Buffer.alloc(1), ttlSeconds: 5 }, signal);
    }
    const before = await store.currentRevision(signal);
    clock.advance(5000);
    assert.equal(await store.currentRevision(signal), before + 1);
  });

  it('ModelStore reports skipped revisions as progress', async () => {
    await using opened = await open();
    const { store, signal } = opened;
    const watch = store.watch(prefixRange('/'), 1, signal);
    const next = watch.next();
    store.skipRevisions(10);
    assert.deepEqual((await next).value, { rev: 11, events: [] });
    await watch.return(undefined);
  });
});
