import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { environmentOf } from '../environment-of.ts';
import { compile } from '../program.ts';
import { CelSyntaxError } from '../syntax/source.ts';
import { bindings } from './bindings.ts';

const environment = environmentOf('1.35', [bindings]);

const compiled = (source: string) => compile(source, environment);

describe('names that expressions bind', () => {
  for (const [source, value] of [
    ["cel.bind(x, 'a' + 'b', x + x) == 'abab'", true],
    ['cel.bind(x, 1, cel.bind(y, x + 1, x + y)) == 3', true],
    ['cel.bind(x, 1, cel.bind(x, x + 1, x)) == 2', true],
    ['[1, 2].map(x, cel.bind(y, x * 2, y + 1)) == [3, 5]', true],
    ['cel.bind(x, [1, 2], x.all(i, i > 0))', true],
  ] as const)
    it(`the expression ${source} is ${value}`, () => {
      const outcome = compiled(source).evaluate({});
      assert.equal(outcome.kind === 'value' && outcome.value, value);
    });

  for (const [source, message] of [
    ['cel.bind(a.b, 1, 2)', /cel.bind\(\) variable names must be simple identifiers/],
    ['cel.bind(x, 1, x + "a")', /no matching overload/],
    ['cel.bind(x, 1, y)', /undeclared reference to 'y'/],
    ['cel.bind(x, x, 1)', /undeclared reference to 'x'/],
    ['[1].bind(x, 1, x)', /undeclared reference/],
  ] as const)
    it(`the expression ${source} is refused`, () => {
      assert.throws(
        () => compiled(source),
        (error) => error instanceof CelSyntaxError && message.test(error.message),
      );
    });

  it('an expression with a bound name costs as much as its parts, and the empty list of the reference', () => {
    const [plain, bound] = ['1 + 2 == 3', 'cel.bind(x, 1 + 2, x == 3)'].map(
      (source) => compiled(source).estimateCost().max,
    );
    assert.equal(bound, (plain ?? 0) + 11);
  });

  it('names are bound only where the environment has the macro', () => {
    assert.throws(() => compile('cel.bind(x, 1, x)', environmentOf('1.35')), CelSyntaxError);
  });
});
