import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atOnce } from '@orch/machinery/concurrency';
import { deepFreeze, parseJson } from '@orch/machinery/json';
import * as decl from './decl/build.ts';
import type { DeclType } from './decl/decl-type.ts';
import { environmentOf } from './environment-of.ts';
import { type Library, member } from './functions/overload.ts';
import { compile, compileInPieces } from './program.ts';
import { CelSyntaxError } from './syntax/source.ts';
import { failureOfExpression, valueOfExpression } from './testing/evaluate.ts';
import * as types from './types/type.ts';
import { OpaqueValue } from './values/value.ts';

const {
  boolDecl,
  doubleDecl,
  dynDecl,
  intDecl,
  listDecl,
  mapDecl,
  objectDecl,
  resourceProperties,
  stringDecl,
} = decl;

const of = (properties: Record<string, DeclType>): DeclType =>
  objectDecl('self', Object.fromEntries(Object.entries(properties).map(([name, type]) => [name, { type }])));

describe('an evaluation over JSON', () => {
  for (const [what, type, self, source, value] of [
    [
      'an int beyond 2^53 is exact',
      of({ n: intDecl }),
      '{"n":9007199254740993}',
      'self.n + 1',
      '9007199254740994n',
    ],
    [
      'an exact int equals its literal',
      of({ n: intDecl }),
      '{"n":9223372036854775807}',
      'self.n == 9223372036854775807',
      true,
    ],
    ['a whole number of a double field is a double', of({ n: doubleDecl }), '{"n":2}', 'self.n / 4.0', 0.5],
    [
      'an int or string is either',
      of({ p: dynDecl() }),
      '{"p":80}',
      'type(self.p) == int && self.p == 80',
      true,
    ],
    ['an int or string is a string too', of({ p: dynDecl() }), '{"p":"80%"}', "self.p.endsWith('%')", true],
    [
      'names with dashes, dots and slashes are escaped',
      of({ 'a-b.c/d': intDecl }),
      '{"a-b.c/d":1}',
      'self.a__dash__b__dot__c__slash__d',
      1,
    ],
    ['double underscores are escaped', of({ a__b: intDecl }), '{"a__b":1}', 'self.a__underscores__b', 1],
    ['reserved words are escaped', of({ if: intDecl }), '{"if":1}', 'self.__if__', 1],
    [
      'a reserved word is also understood as it is',
      of({ namespace: intDecl }),
      '{"namespace":1}',
      'self.namespace',
      1,
    ],
    ['an absent field is not there', of({ a: intDecl }), '{}', 'has(self.a)', false],
    ['a field that is null is absent', of({ a: intDecl }), '{"a":null}', 'has(self.a)', false],
    ['a null in a map is there', of({ m: mapDecl(intDecl) }), '{"m":{"a":null}}', "'a' in self.m", true],
    [
      'inherited names are absent from maps',
      of({ m: mapDecl(intDecl) }),
      '{"m":{}}',
      "has(self.m.constructor) || '__proto__' in self.m",
      false,
    ],
    [
      'a member __proto__ is an entry',
      of({ m: mapDecl(intDecl) }),
      '{"m":{"__proto__":1}}',
      "self.m['__proto__']",
      1,
    ],
    [
      'sets are equal in any order',
      of({ s: listDecl(stringDecl(), 9, { type: 'set' }) }),
      '{"s":["a","b"]}',
      "self.s == ['b', 'a']",
      true,
    ],
    [
      'sets of other elements differ',
      of({ s: listDecl(stringDecl(), 9, { type: 'set' }) }),
      '{"s":["a","b"]}',
      "self.s == ['b', 'c']",
      false,
    ],
    [
      'a sum of sets has no element twice',
      of({ s: listDecl(stringDecl(), 9, { type: 'set' }) }),
      '{"s":["a","b"]}',
      "self.s + ['c', 'a']",
      ['a', 'b', 'c'],
    ],
    [
      'lists have an order',
      of({ s: listDecl(stringDecl()) }),
      '{"s":["a","b"]}',
      "self.s == ['b', 'a']",
      false,
    ],
  ] as const)
    it(`values: ${what}, in the rule ${source}`, () => {
      const data = deepFreeze(parseJson(Buffer.from(self)));
      assert.deepEqual(valueOfExpression(source, type, data), value);
    });

  const keyed = of({
    a: listDecl(objectDecl('self.a', { k: { type: stringDecl() }, v: { type: intDecl } }), 9, {
      type: 'map',
      keys: ['k'],
    }),
    b: listDecl(objectDecl('self.a', { k: { type: stringDecl() }, v: { type: intDecl } }), 9, {
      type: 'map',
      keys: ['k'],
    }),
  });
  const lists = {
    a: [
      { k: 'x', v: 1 },
      { k: 'y', v: 2 },
    ],
    b: [
      { k: 'y', v: 3 },
      { k: 'z', v: 4 },
    ],
  };

  it('lists of objects with keys are equal in any order', () => {
    const self = { a: lists.a, b: [...lists.a].reverse() };
    assert.equal(valueOfExpression('self.a == self.b', keyed, self), true);
  });

  it('a sum of lists with keys replaces elements of the same key', () => {
    assert.deepEqual(valueOfExpression('self.a + self.b', keyed, lists), [
      { k: 'x', v: 1 },
      { k: 'y', v: 3 },
      { k: 'z', v: 4 },
    ]);
  });

  it('an embedded resource has its type and names whatever its schema says', () => {
    const resource = objectDecl('self', resourceProperties('self', { spec: { type: of({ on: boolDecl }) } }));
    const self = { apiVersion: 'v1', kind: 'A', metadata: { name: 'n', labels: {} } };
    const source =
      "self.kind + self.apiVersion + self.metadata.name == 'Av1n' && !has(self.metadata.generateName)";
    assert.equal(valueOfExpression(source, resource, self), true);
  });

  it('fields that are not declared cannot be read, but count in comparisons', () => {
    const pair = of({ a: of({ n: intDecl }), b: of({ n: intDecl }) });
    assert.equal(
      valueOfExpression('self.a == self.b', pair, { a: { n: 1, x: 1 }, b: { n: 1, x: 2 } }),
      false,
    );
    assert.equal(
      valueOfExpression('self.a == self.b', pair, { a: { n: 1, x: [1] }, b: { n: 1, x: [1] } }),
      true,
    );
  });

  it('data that does not fit its declaration is an error of the expression', () =>
    assert.match(failureOfExpression('self.n > 1', of({ n: intDecl }), { n: 'x' }), /expected int/));

  it('a variable without a value is an error where it is used', () => {
    const environment = environmentOf('1.34').extend({ self: intDecl, oldSelf: intDecl });
    const outcome = compile('self == oldSelf', environment).evaluate({ self: 1 });
    assert.equal(outcome.kind, 'error');
    assert.deepEqual(compile('self == 1 || oldSelf == 1', environment).evaluate({ self: 1 }).kind, 'value');
  });

  it('an optional variable without a value is none', () => {
    const environment = environmentOf('1.34').extend({ self: intDecl, oldSelf: decl.optionalDecl(intDecl) });
    const program = compile('oldSelf.orValue(0) < self', environment, types.bool);
    assert.deepEqual(
      [{ self: 1 }, { self: 1, oldSelf: 0 }, { self: 1, oldSelf: 5 }].map((values) =>
        program.evaluate(values),
      ),
      [true, true, false].map((value) => ({ kind: 'value', value, cost: 3, work: 0 })),
    );
  });

  it('functions of an additional library are called with its own values', () => {
    class Permission extends OpaqueValue {
      readonly typeName = 'test.Permission';
      readonly verb: string;
      constructor(verb: string) {
        super();
        this.verb = verb;
      }
      equals(other: OpaqueValue): boolean {
        return other instanceof Permission && other.verb === this.verb;
      }
    }
    const permission = types.opaque('test.Permission');
    const cost = { cost: () => 1000, estimate: () => ({ cost: { min: 1000, max: 1000 } }) };
    const allows = (given: Permission, verb: string): boolean => given.verb === verb;
    const library: Library = {
      name: 'permissions',
      functions: {
        allows: [member('permission_allows', [[permission, types.string], types.bool], allows, cost)],
      },
    };
    const environment = environmentOf('1.34', [library]).extend({ caller: decl.valueDecl(permission) });
    const program = compile("caller.allows('get')", environment, types.bool);
    assert.deepEqual(program.estimateCost(), { min: 1001, max: 1001 });
    const outcome = program.evaluate({ caller: new Permission('get') });
    assert.deepEqual(outcome, { kind: 'value', value: true, cost: 1001, work: 2 });
  });

  it('an outcome states the work that its cost leaves out', () => {
    const environment = environmentOf('1.34').extend({ self: decl.stringDecl() });
    const outcome = compile('isIP(self)', environment).evaluate({ self: '192.0.2.1' });
    assert.ok(outcome.work >= 100 && outcome.cost < 10, JSON.stringify(outcome));
  });

  it('a program gives the same outcome each time, also after an error', () => {
    const environment = environmentOf('1.34').extend({ self: intDecl });
    const program = compile('10 / self', environment);
    assert.deepEqual(
      [5, 0, 5].map((self) => program.evaluate({ self }).kind),
      ['value', 'error', 'value'],
    );
  });

  it('an expression is compiled in pieces, to the same program or error as at once', () => {
    const environment = environmentOf('1.34').extend({ self: intDecl });
    const work = compileInPieces('self > 1 && self < 9', environment, types.bool);
    let pieces = 1;
    let step = work.next();
    for (; step.done !== true; step = work.next()) pieces += 1;
    assert.ok(pieces >= 4, `${pieces} pieces`);
    assert.deepEqual(step.value.evaluate({ self: 5 }), {
      kind: 'value',
      value: true,
      cost: compile('self > 1 && self < 9', environment).evaluate({ self: 5 }).cost,
      work: 0,
    });
    for (const wrong of ['self +', 'self.field', 'self', 'timestamp("x") != null'])
      assert.throws(() => atOnce(compileInPieces(wrong, environment, types.bool)), CelSyntaxError, wrong);
  });
});
