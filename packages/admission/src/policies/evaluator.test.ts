import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AdmissionEnvironments, compileFor, types } from '@orch/cel';
import { runSteps, Turn } from '../expressions/index.ts';
import { Evaluator } from './evaluator.ts';
import { VariablePrograms } from './variable-programs.ts';

const environments = new AdmissionEnvironments();

/** A clock by which every evaluation takes long. */
function slowClock(): { monotonic(): number } {
  let time = 0;
  return { monotonic: () => (time += 10) };
}

/** Evaluates an expression over `object`, and counts the turns of other work meanwhile. */
async function evaluated(
  expression: string,
  variables: readonly (readonly [name: string, expression: string])[],
  clock: { monotonic(): number },
) {
  const programs = new VariablePrograms(environments, { hasParams: false });
  for (const [name, source] of variables) programs.add({ name, expression: source });
  const program = compileFor(expression, programs.conditions, [types.bool]);
  const turn = new Turn(clock);
  const evaluator = new Evaluator(programs.compiled, { object: { count: 1 } }, turn);
  let steps = 0;
  const result = await runSteps(() => {
    steps += 1;
    return evaluator.evaluate(program, expression);
  }, turn);
  return { result, steps };
}

/** A list of 200 numbers. */
const many = `[${Array.from({ length: 200 }, (_, i) => i).join(', ')}]`;

describe('variables of policies', () => {
  const chain = Array.from(
    { length: 100 },
    (_, i) => [`v${i}`, i === 0 ? 'object.count' : `variables.v${i - 1} + 1`] as const,
  );
  const quick = { monotonic: () => 0 };

  it('variables are evaluated within the expression that reads them', async () => {
    const { result, steps } = await evaluated(
      'variables.b == 2',
      [
        ['a', 'object.count'],
        ['b', 'variables.a + 1'],
      ],
      quick,
    );
    assert.deepEqual([result.kind === 'value' && result.value, steps], [true, 1]);
  });

  it('variables of an evaluation that takes long are evaluated one by one, with a turn for others in between', async () => {
    const { result, steps } = await evaluated('variables.v99 == 100', chain, slowClock());
    assert.equal(result.kind === 'value' && result.value, true);
    assert.ok(steps > 100, String(steps));
  });

  it('a long chain of variables takes no deep recursion', async () => {
    const { result, steps } = await evaluated('variables.v99 == 100', chain, quick);
    assert.equal(result.kind === 'value' && result.value, true);
    assert.ok(steps > 50, String(steps));
  });

  it('an expression that takes long is evaluated in pieces, with a turn for others in between', async () => {
    const { result, steps } = await evaluated(`${many}.all(x, ${many}.exists(y, x == y))`, [], slowClock());
    assert.equal(result.kind === 'value' && result.value, true);
    assert.ok(steps >= 3, String(steps));
  });

  it('a variable that takes long is evaluated in pieces, and once', async () => {
    const long = `${many}.map(x, ${many}.exists(y, x == y))`;
    const { result, steps } = await evaluated(
      'variables.long.size() == 200 && variables.long.all(x, x)',
      [['long', long]],
      slowClock(),
    );
    assert.equal(result.kind === 'value' && result.value, true);
    assert.ok(steps >= 5 && steps < 20, String(steps));
  });

  it('a variable that takes long interrupts an expression, also on a fast machine', async () => {
    const long = `${many}.map(x, ${many}.exists(y, x == y))`;
    const { result, steps } = await evaluated('variables.long.all(x, x)', [['long', long]], quick);
    assert.equal(result.kind === 'value' && result.value, true);
    assert.ok(steps >= 5, String(steps));
  });

  it('an expression that reaches the limit in pieces uses up the budget', async () => {
    const { result, steps } = await evaluated(
      `${many}.all(x, ${many}.all(y, ${many}.all(z, x + y + z >= 0)))`,
      [],
      slowClock(),
    );
    assert.equal(result.kind === 'value', false);
    assert.ok(steps >= 15, String(steps));
  });

  it('a variable without a value is an error after an interruption too', async () => {
    const { result } = await evaluated(
      'variables.b',
      [
        ['a', 'object.none'],
        ['b', 'variables.a == 1'],
      ],
      slowClock(),
    );
    assert.equal(
      result.kind !== 'value' && result.message,
      'expression \'variables.b\' resulted in error: composited variable "b" fails to evaluate: composited variable "a" fails to evaluate: no such key: none',
    );
  });
});
