import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Substitution } from './substitution.ts';
import { bool, int, list, map, param, string } from './type.ts';

describe('bindings of type parameters', () => {
  it('an attempt that fails leaves the bindings as they were', () => {
    const substitution = new Substitution();
    const [a, b] = [param('A'), param('B')];
    assert.ok(substitution.assignable(int, a));
    assert.ok(!substitution.allAssignable([string, int], [b, list(a)]));
    assert.deepEqual(substitution.apply(b), b);
    assert.ok(
      !substitution.attempt(() => {
        assert.ok(substitution.allAssignable([list(string)], [list(b)]));
        assert.deepEqual(substitution.apply(b), string);
        return false;
      }),
    );
    assert.deepEqual(substitution.apply(map(a, b)), map(int, b));
  });

  it('an attempt within another one is undone with it', () => {
    const substitution = new Substitution();
    const a = param('A');
    const failed = substitution.attempt(
      () => substitution.assignable(bool, a) && substitution.assignable(int, a),
    );
    assert.ok(!failed);
    assert.deepEqual(substitution.apply(a), a);
    assert.ok(substitution.assignable(int, a));
    assert.deepEqual(substitution.apply(a), int);
  });
});
