import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { testOf } from './pattern-test.ts';
import { StatesMemory } from './states-memory.ts';

const MAX_BYTES = 100_000;
const STATES_BYTES = 8_000;
const PATTERNS = 200;

describe('memory for the states of patterns', () => {
  it('memory for the states of patterns is bounded for all patterns together, whose answers stay right', () => {
    const memory = new StatesMemory(MAX_BYTES);
    const tests = Array.from({ length: PATTERNS }, (_, n) =>
      testOf(`a[ab]{3}${n}$|b{${1 + (n % 7)}}c`, STATES_BYTES, memory),
    );
    let [most, drops, before] = [0, 0, 0];
    for (let round = 0; round < 3; round++)
      for (const [n, { test }] of tests.entries()) {
        assert.equal(test(`abbabaabb${n}`), true);
        assert.equal(test(`xbbbbbbbc${n}`), true);
        assert.equal(test(`abababab${n}x`), false);
        most = Math.max(most, memory.bytes);
        if (memory.bytes < before) drops += 1;
        before = memory.bytes;
      }
    assert.ok(most > MAX_BYTES / 2 && most <= MAX_BYTES, `${most} bytes`);
    assert.ok(drops > 1, `${drops} times`);
  });

  it('the memory for the states of patterns counts the states of a pattern once, also after they were dropped', () => {
    const memory = new StatesMemory(MAX_BYTES);
    const pattern = testOf('a[ab]{3}c$', STATES_BYTES, memory);
    pattern.test('abababc');
    const once = memory.bytes;
    pattern.test('abababc');
    assert.equal(memory.bytes, once);
    const other = testOf('x[xy]{12}z', 2 * MAX_BYTES, memory);
    const random = seededRandom(5);
    const letters = Array.from({ length: 4096 }, () => (random.int(2) === 0 ? 'x' : 'y')).join('');
    for (let length = 64; memory.bytes >= once && length <= letters.length; length *= 2)
      other.test(letters.slice(0, length));
    assert.equal(memory.bytes, 0);
    pattern.test('abababc');
    assert.equal(memory.bytes, once);
  });
});
