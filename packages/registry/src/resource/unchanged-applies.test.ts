import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnchangedApplies } from './unchanged-applies.ts';

describe('unchanged applies', () => {
  it('an apply is known at the revision at which it changed nothing, and at no other', () => {
    const applies = new UnchangedApplies();
    applies.add('a', 7);
    assert.deepEqual([applies.hasAny(7), applies.has('a', 7), applies.has('b', 7)], [true, true, false]);
    assert.deepEqual([applies.hasAny(8), applies.has('a', 8)], [false, false]);
  });

  it('the last applies of several managers at one revision are known', () => {
    const applies = new UnchangedApplies();
    for (const apply of ['a', 'b', 'c', 'd', 'd', 'e']) applies.add(apply, 7);
    const known = ['a', 'b', 'c', 'd', 'e'].filter((apply) => applies.has(apply, 7));
    assert.deepEqual(known, ['b', 'c', 'd', 'e']);
  });
});
