import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Evaluation } from '../../functions/evaluation.ts';
import { CostLimitError } from '../../values/evaluation-error.ts';
import { TextSearch } from './text-search.ts';

const unlimited = (): Evaluation => new Evaluation([], Number.POSITIVE_INFINITY);

/** Few characters, so that parts overlap and repeat. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀'), maxLength: 40 });
const part = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 8 });

describe('the search in texts', () => {
  it('text search finds the same first and last occurrence as the platform', () => {
    fc.assert(
      fc.property(text, part, fc.nat(45), (whole, sought, at) => {
        const search = new TextSearch(sought, whole, unlimited());
        assert.equal(search.first(whole), whole.indexOf(sought));
        assert.equal(search.last(whole), whole.lastIndexOf(sought));
        const offset = Math.min(at, whole.length);
        if (sought !== '') assert.equal(search.first(whole, offset), whole.indexOf(sought, offset));
        if (sought !== '') assert.equal(search.last(whole, offset), whole.lastIndexOf(sought, offset));
      }),
    );
  });

  it('a search that would exceed the limit does not start', () => {
    const whole = 'a'.repeat(100_000);
    const sought = `${'a'.repeat(1000)}b`;
    const limited = new Evaluation([], 1000);
    assert.throws(() => new TextSearch(sought, whole, limited), CostLimitError);
  });
});
