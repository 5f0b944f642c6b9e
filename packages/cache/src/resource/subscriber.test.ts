import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '@orch/machinery/testing';
import { Fixture } from '../testing/fixture.ts';
import { Writer } from '../testing/writer.ts';

/** Data derived from the cache: the revision of every object, maintained by a subscription. */
function following(f: Fixture): { readonly known: Map<string, number>; readonly stop: () => void } {
  const known = new Map<string, number>();
  const stop = f.pods.subscribe({
    changed(key, object) {
      // During the call the cache already has the change.
      assert.equal(f.pods.get(key), object);
      if (object === undefined) known.delete(key);
      else known.set(key, object.rev);
    },
    replaced: () => known.clear(),
  });
  return { known, stop };
}

describe('CacheSubscriber of a resource', () => {
  it('a subscriber is called with every change before readers see it, and not after it unsubscribed', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    const { known, stop } = following(f);
    const a = await writer.put('ns/a');
    await writer.put('ns/b');
    await writer.delete('ns/b');
    await f.synced();
    assert.deepEqual([...known], [['ns/a', a]]);
    stop();
    await writer.put('ns/c');
    await f.synced();
    assert.deepEqual([...known.keys()], ['ns/a']);
  });

  it('replaced is called when the cache was rebuilt', async () => {
    await using f = await Fixture.open();
    const writer = new Writer(f.model);
    await writer.put('ns/a');
    await f.synced();
    const { known } = following(f);
    known.set('stale', 1);
    f.store.down = true;
    await writer.put('ns/b');
    await settle();
    await writer.put('ns/b');
    await writer.delete('ns/a');
    await f.model.compact(await writer.put('ns/c'), f.signal);
    f.store.down = false;
    await f.pass(11_000);
    await f.synced();
    assert.ok(!known.has('stale'));
  });
});
