import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { PatternSearch } from './pattern-search.ts';
import { testOf } from './pattern-test.ts';

/** Counts work, up to a limit. */
class Meter {
  units = 0;
  readonly #limit: number;
  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }
  begin(_cost: number, work: number): void {
    this.work(work);
  }
  work(units: number): void {
    this.units += units;
    if (this.units > this.#limit) throw new RangeError('too much work');
  }
}

const random = seededRandom(11);
const letters = (count: number): string =>
  Array.from({ length: count }, () => (random.int(2) === 0 ? 'a' : 'b')).join('');

/** Patterns whose automata have far more states than fit their memory. */
const explosive = ['(a|b)*a(a|b){18}$', '[ab]*a[ab]{60}c', 'a.{100}c', '(\\pL|a)*a(\\pL|b){40}c'];

describe('the work of matching', () => {
  for (const pattern of explosive) {
    it(`the work of matching counts a match of ${pattern} that does without states, before it begins`, () => {
      const { size, test } = testOf(pattern);
      const meter = new Meter();
      test(letters(20_000), meter);
      assert.ok(meter.units >= 20_000 * size, `${meter.units} of ${20_000 * size}`);
      assert.throws(() => test(letters(20_000), new Meter(20_000 * size)), /too much work/);
    });

    it(`the work of matching counts new states of ${pattern} for each of many short strings`, () => {
      const { test } = testOf(pattern);
      const meter = new Meter();
      for (let i = 0; i < 200; i += 1) test(letters(60), meter);
      assert.ok(meter.units >= 200_000, `${meter.units}`);
    });
  }

  it('the work of matching counts nothing more for states that are known', () => {
    const { test } = testOf('^[a-z]([-a-z0-9]*[a-z0-9])?$');
    const text = letters(5_000);
    test(text);
    const meter = new Meter();
    assert.equal(test(text, meter), true);
    assert.equal(meter.units, 0);
  });

  it('the work of matching leaves a pattern usable after a match that took too much work', () => {
    const { test } = testOf('[ab]*a[ab]{60}c');
    const text = `${letters(3_000)}a${letters(60)}c`;
    assert.throws(() => test(text, new Meter(5_000)), /too much work/);
    assert.equal(test(text, new Meter()), true);
    assert.equal(test(letters(3_000), new Meter()), false);
  });
});

describe('the work of finding', () => {
  /** Each match is known at the end of the text only. */
  const lookahead = 'a.*c|a';

  for (const length of [1_000, 20_000])
    it(`the work of finding counts a string of ${length} characters that is gone through for each match`, () => {
      const meter = new Meter();
      const next = new PatternSearch(lookahead).matches('a'.repeat(length), meter);
      const before = meter.units;
      for (let i = 0; i < 20; i += 1) assert.equal(next(), 'a');
      assert.ok(meter.units - before >= 10 * length, `${meter.units - before}`);
    });

  it('the work of finding ends a search for the next match at the limit', () => {
    const search = new PatternSearch(lookahead);
    const next = search.matches('a'.repeat(20_000), new Meter(1_000_000));
    assert.throws(() => {
      while (next() !== undefined);
    }, /too much work/);
    assert.equal(search.matches('bab', new Meter())(), 'a');
  });

  it('the work of finding counts one pass, and a little for each match, where matches are known at once', () => {
    const meter = new Meter();
    const search = new PatternSearch('[a-z]+=');
    const next = search.matches('key=value;'.repeat(500), meter);
    const once = meter.units;
    let found = 0;
    while (next() !== undefined) found += 1;
    assert.equal(found, 500);
    assert.ok(meter.units < 4 * once + 500 * 60, `${meter.units} after ${once}`);
  });

  it('the work of finding does not look for literals in all of the text before each match', () => {
    const search = new PatternSearch('z|a');
    const meter = new Meter();
    const next = search.matches('a'.repeat(200_000), meter);
    for (let i = 0; i < 1000; i += 1) assert.equal(next(), 'a');
  });
});
