import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { dynDecl, intDecl, listDecl, mapDecl, objectDecl, stringDecl } from '../decl/build.ts';
import { environmentOf } from '../environment-of.ts';
import { EVALUATION_COST_LIMIT } from '../limits.ts';
import { compile } from '../program.ts';

const environment = environmentOf('1.99').extend({
  self: objectDecl('self', {
    ints: { type: listDecl(intDecl) },
    text: { type: stringDecl() },
    short: { type: stringDecl() },
    letters: { type: stringDecl() },
    texts: { type: listDecl(stringDecl()) },
    map: { type: mapDecl(stringDecl()) },
    set: { type: listDecl(stringDecl(), undefined, { type: 'set' }) },
    any: { type: dynDecl() },
    anyText: { type: dynDecl() },
  }),
});

const random = seededRandom(3);
const many = Array.from({ length: 100_000 }, (_, index) => index);
const names = Array.from({ length: 5_000 }, (_, index) => `name-${index}`);
const self = {
  ints: many,
  text: 'x'.repeat(1_000_000),
  short: 'x'.repeat(10_000),
  letters: many.map(() => (random.int(2) === 0 ? 'a' : 'b')).join(''),
  texts: Array.from({ length: 100 }, (_, index) => 'é'.repeat(10_000) + index),
  map: Object.fromEntries(names.map((name) => [name, name])),
  set: names,
  any: many.map((value) => [value]),
  anyText: 'x'.repeat(1_000_000),
};

/** Expressions that would run for seconds or much longer. */
const endless = [
  'self.ints.all(x, self.ints.all(y, self.ints.all(z, x + y + z >= 0)))',
  'self.ints.map(x, self.ints.map(y, [x, y])).size() > 0',
  'self.ints.all(x, self.map.all(k, v, k == v))',
  'self.ints.all(x, (self.text + self.text).size() > x)',
  'self.texts.map(a, self.texts.map(b, a + b + a + b)).size() > 0',
  "self.ints.all(x, !self.text.matches('(x+x+)+y'))",
  "self.ints.all(x, self.text.findAll('x').size() > 0)",
  "self.text.matches('((x?){50}x{50}){10}y')",
  "self.letters.matches('[ab]*a[ab]{60}c')",
  "self.texts.all(x, !self.letters.matches('a.{100}c'))",
  "self.short.findAll('x.*y|x').size() > 0",
  "self.short.findAll('(?:x*y)?x').size() > 0",
  'self.texts.all(a, self.texts.all(b, a.matches(b) || true))',
  'self.ints.exists(x, x / 0 == 1)',
  'self.ints.exists(x, self.any.missing == x)',
  'self.ints.all(x, self.any == self.any)',
  "self.ints.all(x, (self.set + ['a']).size() > 0)",
  "self.ints.all(x, '%s'.format([self.ints]) != '')",
  "self.ints.all(x, self.text.replace('', 'ab') != '')",
  "self.ints.all(x, self.text.split('').size() > 0)",
  "self.ints.all(x, self.texts.join(',').size() > 0)",
  'self.ints.all(x, self.ints.sort().size() > 0)',
  'self.ints.distinct().size() > 0',
  'lists.range(9223372036854775807).size() > 0',
  'self.ints.all(x, sets.equivalent(self.ints, self.ints))',
  "self.ints.all(x, self.ints.all(y, timestamp('2024-01-01T00:00:00Z').getHours('America/New_York') < 24))",
  "self.ints.all(x, self.ints.all(y, ip('::1') == ip('::1')))",
  'self.ints.all(x, (self.anyText + self.anyText).size() > x)',
  'self.ints.all(x, self.anyText <= self.anyText)',
  'self.ints.all(x, bytes(self.anyText).size() > x)',
  'self.ints.all(x, self.anyText + string(x) in self.map || true)',
  'self.ints.all(x, self.text.substring(500000).size() > 0 && self.text.lastIndexOf("y") < 0)',
  'self.ints.all(x, self.ints.sum() > 0 && self.ints.min() == 0 && self.ints.indexOf(99999) > 0)',
  'self.ints.transformList(i, v, self.ints.transformList(j, w, w)).size() > 0',
  'self.ints.sortBy(x, -x).size() > 0',
  'self.set.all(x, self.set.exists_one(y, x == y))',
  'self.ints.all(x, sets.contains(self.set, self.set))',
  'self.ints.all(x, sets.intersects(self.texts, self.set) || true)',
  "self.ints.all(x, '%s %s'.format([self.text, self.text]) != '')",
  "self.ints.all(x, {'a': self.any} == {'a': self.any})",
  'self.ints.all(x, self.any[?0].orValue([]) == [0])',
  'self.ints.all(x, isURL(self.text) || isIP(self.text) || isCIDR(self.text) || true)',
  'self.ints.all(x, isQuantity(self.text) || isSemver(self.text) || true)',
  'self.ints.all(x, format.uri().validate(self.text).hasValue() || true)',
  'self.ints.all(x, int(self.text) == 0 || true)',
  'self.ints.all(x, self.text.upperAscii() != strings.quote(self.text))',
];

/** Expressions whose elements take longer to copy than their cost says. */
const copying = [
  'self.ints.all(x, self.ints.slice(0, 90000).size() > 0)',
  'self.ints.all(x, self.ints.reverse().size() > 0)',
  'self.ints.all(x, self.any.flatten().size() > 0)',
  'self.ints.all(x, [self.any].flatten(2).size() > 0)',
];

describe('the cost limit', () => {
  for (const source of endless)
    it(`the cost limit cuts off ${source}`, () => {
      const program = compile(source, environment);
      const outcome = program.evaluate({ self });
      assert.equal(outcome.kind, 'limit', outcome.kind === 'error' ? outcome.message : '');
      if (outcome.kind === 'limit') assert.match(outcome.message, /actual cost limit exceeded/);
    });

  for (const source of copying)
    it(`the copies of elements count beyond their cost in ${source}`, () => {
      const { kind, cost } = compile(source, environment).evaluate({ self });
      assert.equal(kind, 'limit');
      assert.ok(cost < EVALUATION_COST_LIMIT / 3, `cost ${cost}`);
    });

  it('the cost limit is not absorbed by logical operators', () => {
    const outcome = compile('self.ints.all(x, self.ints.all(y, true)) || true', environment).evaluate({
      self,
    });
    assert.equal(outcome.kind, 'limit');
  });

  it('the cost limit is not absorbed by a logical operator that has absorbed another error', () => {
    const source = '1 / self.ints[0] == 1 || self.ints.all(x, self.ints.all(y, true)) || true';
    assert.equal(compile(source, environment).evaluate({ self }).kind, 'limit');
  });

  it('the cost limit cuts off where the cost passes it, and not before', () => {
    const program = compile('self.ints.exists(x, x == 99)', environment);
    const { kind, cost } = program.evaluate({ self });
    assert.equal(kind, 'value');
    assert.ok(cost < EVALUATION_COST_LIMIT);
    assert.equal(program.evaluate({ self }, cost - 1).kind, 'limit');
  });

  it('a string that grows to hundreds of megabytes is never built', () => {
    const doubled = `self.text${'.replace("x", "xxxxxxxx")'.repeat(9)}.size()`;
    assert.notEqual(compile(doubled, environment).evaluate({ self }).kind, 'value');
  });
});
