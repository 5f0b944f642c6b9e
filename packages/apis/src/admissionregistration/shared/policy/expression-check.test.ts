import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { types } from '@orch/cel';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import { ExpressionCheck } from './expression-check.ts';

const checkOf = () => new ExpressionCheck({ hasParams: false, hasNamespace: true });

/** An environment with the variables of conditions, and how often an expression was compiled in it. */
function counted(check: ExpressionCheck) {
  const { conditions } = check;
  const compiled = { times: 0 };
  const environment = Object.assign(Object.create(conditions) as typeof conditions, {
    scope() {
      compiled.times += 1;
      return conditions.scope();
    },
  });
  return { compiled, kind: { environment, results: [types.bool] } };
}

function piecesOf(work: Work<unknown>): number {
  let pieces = 1;
  while (work.next().done !== true) pieces += 1;
  return pieces;
}

describe('expressions of a policy', () => {
  it('equal expressions of a policy are compiled once', () => {
    const check = checkOf();
    const { compiled, kind } = counted(check);
    for (let i = 0; i < 100; i++) {
      assert.deepEqual(check.expression(`a[${i}]`, 'object.x == 1', kind), []);
      const [error] = check.expression(`b[${i}]`, 'object.x + 1', kind);
      assert.equal(error?.field, `b[${i}]`);
      assert.match(error.message, /must evaluate to bool/);
    }
    assert.equal(compiled.times, 2);
  });

  it('the number of compilations grows with that of different expressions', () => {
    const timesOf = (count: number): number => {
      const check = checkOf();
      const { compiled, kind } = counted(check);
      for (let i = 0; i < count; i++) check.expression('a', `object.x == ${i}`, kind);
      return compiled.times;
    };
    assert.equal(timesOf(50), 50);
    assert.equal(timesOf(100), 100);
  });

  it('an absent expression is not compiled', () => {
    const check = checkOf();
    const { compiled, kind } = counted(check);
    assert.deepEqual(check.expression('a', ' ', kind), []);
    assert.equal(compiled.times, 0);
  });

  it('equal expressions with results of other types are checked separately', () => {
    const check = checkOf();
    const { kind } = counted(check);
    assert.equal(check.expression('a', "'text'", kind).length, 1);
    assert.deepEqual(check.expression('a', "'text'", { ...kind, results: [types.string] }), []);
  });

  it('an expression over variables has the types of those before it, whatever an equal one before had', () => {
    const check = checkOf();
    const errors = atOnce(
      check.variables('variables', [
        { name: 'before', expression: 'variables.a + 1' },
        { name: 'a', expression: '1' },
        { name: 'after', expression: 'variables.a + 1' },
        { name: 'a', expression: "'text'" },
        { name: 'last', expression: 'variables.a + 1' },
      ]),
    );
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['variables[0].expression', 'variables[4].expression'],
    );
    assert.deepEqual(check.expression('a', 'variables.after == 2', counted(check).kind), []);
  });

  it('conditions beyond the limit, for which an object is refused, are not compiled', () => {
    const conditions = Array.from({ length: 200 }, (_, i) => ({ name: `c${i}`, expression: 'not valid' }));
    assert.equal(atOnce(checkOf().matchConditions('matchConditions', conditions)).length, 64);
  });

  it('each variable and each condition is a piece of the work', () => {
    const variables = Array.from({ length: 30 }, (_, i) => ({ name: `v${i}`, expression: `${i}` }));
    const conditions = variables.map(({ name }) => ({ name, expression: 'true' }));
    assert.equal(piecesOf(checkOf().variables('variables', variables)), 31);
    assert.equal(piecesOf(checkOf().matchConditions('matchConditions', conditions)), 31);
  });
});
