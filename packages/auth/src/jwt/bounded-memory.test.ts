import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { BoundedMemory } from './bounded-memory.ts';

describe('a bounded memory', () => {
  const open = (most: number) => {
    const clock = new FakeClock();
    return { clock, memory: new BoundedMemory<number>({ most, ttlMs: 1000, clock }) };
  };
  const held = (memory: BoundedMemory<number>, ...keys: readonly string[]) =>
    keys.map((key) => memory.get(key));

  it('forgets what was set longest ago when there is no more room', () => {
    const { memory } = open(2);
    for (const [index, key] of ['a', 'b', 'a', 'c'].entries()) memory.set(key, index);
    assert.deepEqual(held(memory, 'a', 'b', 'c'), [2, undefined, 3]);
  });

  it('forgets when the time has come, whatever the wall clock says', () => {
    const { clock, memory } = open(2);
    memory.set('a', 1);
    clock.setWallTime(clock.now() + 1e9);
    clock.advance(999);
    assert.deepEqual(held(memory, 'a'), [1]);
    clock.advance(1);
    assert.deepEqual(held(memory, 'a'), [undefined]);
  });

  it('gives a value its whole time when it is set anew', () => {
    const { clock, memory } = open(2);
    memory.set('a', 1);
    clock.advance(600);
    memory.set('a', 2);
    clock.advance(600);
    assert.deepEqual(held(memory, 'a'), [2]);
  });
});
