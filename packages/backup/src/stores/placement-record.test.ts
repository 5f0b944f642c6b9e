import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { ModelStore, placementKeyOf } from '@orch/storage';
import { type Placements, readPlacements, writePlacements } from './placement-record.ts';

const { signal } = new AbortController();
const PREFIX = '/registry/';
const placed = (storeId: string): Placements => ({ events: { storeId, servers: [`http://${storeId}:1`] } });

describe('the record of the stores of resources', () => {
  it('the record of the stores of resources is read as it was written, and absent while all resources are in the main store', async () => {
    const store = new ModelStore({ clock: new FakeClock() });
    assert.equal(await writePlacements(store, PREFIX, { placements: {}, signal }), true);
    assert.deepEqual(await readPlacements(store, PREFIX, signal), {});
    assert.equal((await store.get(placementKeyOf(PREFIX), signal)).kv, undefined);
    await writePlacements(store, PREFIX, { placements: placed('a'), signal });
    assert.deepEqual(await readPlacements(store, PREFIX, signal), placed('a'));
  });

  for (const [title, other, isWritten] of [
    ['the same', 'a', true],
    ['another', 'b', false],
  ] as const)
    it(`the record of the stores of resources is ${isWritten ? 'written' : 'not replaced'} when another server writes ${title} record meanwhile`, async () => {
      const store = new ModelStore({ clock: new FakeClock() });
      const racing = {
        commit: store.commit.bind(store),
        async get(key: string) {
          const found = await store.get(key, signal);
          await writePlacements(store, PREFIX, { placements: placed(other), signal });
          return found;
        },
      };
      assert.equal(await writePlacements(racing, PREFIX, { placements: placed('a'), signal }), isWritten);
      assert.deepEqual(await readPlacements(store, PREFIX, signal), placed(other));
    });

  for (const text of [
    '{}',
    '{"format":2,"resources":{}}',
    '{"format":1,"resources":{"events":{"servers":[]}}}',
    '{"format":1,"resources":{"events":{"storeId":"a","servers":[],"from":[{}]}}}',
  ])
    it(`the record of the stores of resources is corrupt as ${text}`, async () => {
      const store = new ModelStore({ clock: new FakeClock() });
      await store.commit({ op: 'create', key: placementKeyOf(PREFIX), value: Buffer.from(text) }, signal);
      await assert.rejects(readPlacements(store, PREFIX, signal), { code: 'corrupt' });
    });
});
