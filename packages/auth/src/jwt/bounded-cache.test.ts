import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { BoundedCache } from './bounded-cache.ts';

describe('bounded token cache', () => {
  const open = (maxEntries: number) => {
    const clock = new FakeClock();
    return { clock, cache: new BoundedCache<number>({ maxEntries, ttlMs: 1000, clock }) };
  };
  const values = (cache: BoundedCache<number>, ...keys: readonly string[]) =>
    keys.map((key) => cache.get(key));

  it('the token cache evicts the entry that was set first when it is full', () => {
    const { cache } = open(2);
    for (const [index, key] of ['a', 'b', 'a', 'c'].entries()) cache.set(key, index);
    assert.deepEqual(values(cache, 'a', 'b', 'c'), [2, undefined, 3]);
  });

  it('an entry expires after the TTL of the monotonic clock, whatever the wall clock does', () => {
    const { clock, cache } = open(2);
    cache.set('a', 1);
    clock.setWallTime(clock.now() + 1e9);
    clock.advance(999);
    assert.deepEqual(values(cache, 'a'), [1]);
    clock.advance(1);
    assert.deepEqual(values(cache, 'a'), [undefined]);
  });

  it('an entry that is replaced has the whole TTL again', () => {
    const { clock, cache } = open(2);
    cache.set('a', 1);
    clock.advance(600);
    cache.set('a', 2);
    clock.advance(600);
    assert.deepEqual(values(cache, 'a'), [2]);
  });
});
