import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, seededRandom } from '@orch/machinery/testing';
import { ModelStore } from '@orch/storage';
import { contentOfStores } from './stores-content.ts';

const { signal } = new AbortController();

describe('the content of several stores', () => {
  it('the content of several stores has the keys that each of them owns, in order, and the highest revision', async () => {
    const clock = new FakeClock();
    const random = seededRandom(1);
    const stores = [0, 1, 2].map(() => new ModelStore({ clock }));
    const owner = (key: string): number => Number(key.slice(-1)) % 3;
    const keys = Array.from({ length: 60 }, () => `/r/${random.int(26).toString(36)}/${random.int(1000)}`);
    for (const key of new Set(keys))
      for (const store of stores)
        await store.commit({ op: 'create', key, value: Buffer.alloc(100_000) }, signal);
    await stores[2]?.commit({ op: 'create', key: '/r/later/2', value: Buffer.from('2') }, signal);
    const { origin, entries } = await contentOfStores(
      stores.map((store, i) => ({ store, owns: (key) => owner(key) === i })),
      { prefix: '/r/', env: { clock, random } },
      signal,
    );
    assert.equal(origin.revision, await stores[2]?.currentRevision(signal));
    const found: string[] = [];
    let parts = 0;
    for await (const part of entries) {
      parts++;
      found.push(...part.map(({ key }) => `/r/${key}`));
    }
    assert.deepEqual(found, [...new Set(keys), '/r/later/2'].sort());
    assert.ok(parts > 1, 'parts have a bounded size');
  });
});
