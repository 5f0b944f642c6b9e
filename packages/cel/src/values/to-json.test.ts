import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AdmissionEnvironments, compileAny } from '../admission/index.ts';
import { EvaluationError } from './evaluation-error.ts';
import { toJson } from './to-json.ts';

const environment = new AdmissionEnvironments().ofMutations({});

function resultOf(expression: string, object: unknown = { a: [1, { b: null }], t: 'x' }): unknown {
  const program = compileAny(expression, environment);
  assert.ok(typeof program !== 'string', String(program));
  const outcome = program.evaluate({ object });
  assert.ok(outcome.kind === 'value', outcome.kind === 'value' ? '' : outcome.message);
  return toJson(outcome.value);
}

describe('results of expressions as JSON', () => {
  for (const [expression, json] of [
    ['Object{spec: Object.spec{replicas: 3, paused: true}}', { spec: { replicas: 3, paused: true } }],
    ["Object{metadata: Object.metadata{labels: {'a/b': 'c'}}}", { metadata: { labels: { 'a/b': 'c' } } }],
    ["Object{?spec: optional.none(), ?name: optional.of('x')}", { name: 'x' }],
    [
      "[JSONPatch{op: 'add', path: '/a', value: [dyn(1), dyn(2.5), dyn(null)]}]",
      [{ op: 'add', path: '/a', value: [1, 2.5, null] }],
    ],
    ['object', { a: [1, { b: null }], t: 'x' }],
    ["timestamp('2020-01-02T03:04:05Z')", '2020-01-02T03:04:05Z'],
    ["duration('90s')", '90s'],
    ["b'ab'", 'YWI='],
    ['7u', 7],
  ] as const)
    it(`${expression} is the JSON ${JSON.stringify(json)}`, () =>
      assert.deepEqual(resultOf(expression), json));

  for (const [expression, why] of [
    ["{1: 'a'}", 'keys of objects must be strings'],
    ['9223372036854775807', 'the result contains an integer that is too large'],
    ['1.0 / 0.0', 'the result contains a number that is not JSON'],
    ['type(1)', 'the result contains a value that is not JSON'],
  ] as const)
    it(`${expression} has no JSON: ${why}`, () =>
      assert.throws(
        () => resultOf(expression),
        (error) => error instanceof EvaluationError && error.message === why,
      ));

  it('a value that contains the same large value many times is refused', () => {
    const list = `[${Array.from({ length: 200 }, () => 'object.a').join()}]`;
    const object = { a: Array.from({ length: 10_000 }, () => 'x') };
    assert.throws(
      () => resultOf(list, object),
      (error) => error instanceof EvaluationError && error.message === 'the result is too large',
    );
  });
});
