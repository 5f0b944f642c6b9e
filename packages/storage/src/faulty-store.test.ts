import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, seededRandom } from '@orch/machinery/testing';
import { failsWith } from './conformance/fixture.ts';
import { describeStore } from './conformance/index.ts';
import { type Faults, FaultyStore } from './faulty-store.ts';
import { prefixRange } from './keys.ts';
import { ModelStore } from './model-store.ts';

function faulty(faults: Faults, seed = 1) {
  const clock = new FakeClock();
  const inner = new ModelStore({ clock });
  const store = new FaultyStore(inner, { clock, random: seededRandom(seed), faults });
  const { signal } = new AbortController();
  return { clock, inner, store, signal };
}

const create = (key: string) => ({ op: 'create', key, value: Buffer.from(key) }) as const;

describeStore('healthy faulty', async () => {
  const { clock, inner, store, signal } = faulty({});
  const faults = { requestLost: 0.3, replyLost: 0.3, unavailable: 0.1 };
  const client = (seed: number) => new FaultyStore(inner, { clock, random: seededRandom(seed), faults });
  return {
    store,
    signal,
    advance: (ms) => clock.advance(ms),
    lossyClients: async (seed) => ({
      stores: [client(seed), client(seed + 100)],
      [Symbol.asyncDispose]: async () => undefined,
    }),
    [Symbol.asyncDispose]: () => store.close(),
  };
});

describe('FaultyStore over a store', () => {
  it('a full FaultyStore refuses commits that need space, and accepts deletions', async () => {
    const { store, signal } = faulty({});
    const created = await store.commit(create('/a'), signal);
    store.faults = { full: 1 };
    await assert.rejects(store.commit(create('/b'), signal), failsWith('full'));
    const removed = await store.commit({ op: 'delete', key: '/a', expected: created.rev }, signal);
    assert.deepEqual([removed.ok, store.injected.full], [true, 1]);
  });

  it('FaultyStore fails calls without effect, until its faults are removed', async () => {
    const { inner, store, signal } = faulty({ unavailable: 1 });
    await assert.rejects(store.commit(create('/a'), signal), failsWith('unavailable'));
    await assert.rejects(store.get('/a', signal), failsWith('unavailable'));
    assert.equal((await inner.get('/a', signal)).kv, undefined);
    store.faults = {};
    assert.ok((await store.commit(create('/a'), signal)).ok);
    assert.equal(store.injected.unavailable, 2);
  });

  it('FaultyStore loses replies after the commit took effect, and requests before', async () => {
    const { inner, store, signal } = faulty({ replyLost: 1 });
    await assert.rejects(store.commit(create('/a'), signal), failsWith('outcomeUnknown'));
    assert.ok((await inner.get('/a', signal)).kv !== undefined);
    store.faults = { requestLost: 1 };
    await assert.rejects(store.commit(create('/b'), signal), failsWith('outcomeUnknown'));
    assert.equal((await inner.get('/b', signal)).kv, undefined);
  });

  it('FaultyStore fails watches such that one resumed from its last batch receives every event once', async () => {
    const { store, signal } = faulty({ watchCut: 0.4 });
    const expected: string[] = [];
    const seen: string[] = [];
    let position = 1;
    for (let i = 0; i < 50; i++) {
      expected.push(`/k${i}`);
      await store.commit(create(`/k${i}`), signal);
      try {
        for await (const batch of store.watch(prefixRange('/'), position, signal)) {
          for (const event of batch.events) if (event.type === 'put') seen.push(event.kv.key);
          position = batch.rev;
          break;
        }
      } catch (error) {
        failsWith('unavailable')(error);
      }
    }
    store.faults = {};
    for await (const batch of store.watch(prefixRange('/'), Math.min(position, 50), signal)) {
      for (const event of batch.events)
        if (batch.rev > position && event.type === 'put') seen.push(event.kv.key);
      break;
    }
    assert.ok(store.injected.watchCut > 5);
    assert.deepEqual(seen, expected);
  });

  it('FaultyStore fails a watch that waits for events', async () => {
    const { store, signal } = faulty({});
    const next = store.watch(prefixRange('/'), 1, signal).next();
    store.cutWatches();
    await assert.rejects(next, failsWith('unavailable'));
  });

  it('FaultyStore delays calls by the clock, and treats an abort during the delay as the contract specifies', async () => {
    const { clock, store, inner } = faulty({ delayMs: 100 });
    const abort = new AbortController();
    const reason = new Error('gone');
    const unsent = store.commit(create('/a'), abort.signal);
    abort.abort(reason);
    await assert.rejects(unsent, (error) => error === reason);
    const { signal } = new AbortController();
    const slow = store.commit(create('/b'), signal);
    for (let i = 0; i < 4; i++) await clock.advanceAsync(100);
    assert.ok((await slow).ok);
    assert.ok((await inner.get('/b', signal)).kv !== undefined);
  });

  it('FaultyStore injects the same faults for the same seed', async () => {
    const outcomes = async () => {
      const { store, signal } = faulty({ unavailable: 0.3, replyLost: 0.2, requestLost: 0.2 }, 7);
      const codes: string[] = [];
      for (let i = 0; i < 50; i++) {
        codes.push(
          await store.commit(create(`/k${i}`), signal).then(
            () => 'ok',
            (error) => error.message,
          ),
        );
      }
      return codes;
    };
    assert.deepEqual(await outcomes(), await outcomes());
  });
});
