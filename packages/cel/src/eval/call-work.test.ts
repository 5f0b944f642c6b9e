import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  bytesDecl,
  doubleDecl,
  dynDecl,
  intDecl,
  listDecl,
  mapDecl,
  objectDecl,
  stringDecl,
  timestampDecl,
} from '../decl/build.ts';
import { environmentOf } from '../environment-of.ts';
import type { Outcome } from '../outcome.ts';
import { compile } from '../program.ts';

const SIZE = 10_000;

const environment = environmentOf('1.99').extend({
  self: objectDecl('self', {
    digits: { type: stringDecl() },
    letters: { type: stringDecl() },
    blanks: { type: stringDecl() },
    quotes: { type: stringDecl() },
    percents: { type: stringDecl() },
    version: { type: stringDecl() },
    url: { type: stringDecl() },
    query: { type: stringDecl() },
    host: { type: stringDecl() },
    wide: { type: stringDecl() },
    part: { type: stringDecl() },
    bytes: { type: bytesDecl() },
    ints: { type: listDecl(intDecl) },
    texts: { type: listDecl(stringDecl()) },
    long: { type: listDecl(stringDecl()) },
    times: { type: listDecl(timestampDecl) },
    doubles: { type: listDecl(doubleDecl) },
    map: { type: mapDecl(stringDecl()) },
    deep: { type: dynDecl() },
    one: { type: intDecl },
  }),
});

const self = {
  digits: '1'.repeat(SIZE),
  letters: 'aA'.repeat(SIZE / 2),
  blanks: ' '.repeat(SIZE),
  quotes: '"'.repeat(SIZE),
  percents: '%%'.repeat(SIZE / 2),
  version: `1.2.3-${'1.'.repeat(SIZE / 2)}1`,
  url: `http://a/${'%41'.repeat(SIZE / 3)}`,
  query: `http://a/?${'a=b&'.repeat(SIZE / 4)}`,
  host: `http://${'a'.repeat(SIZE)}/`,
  wide: 'é'.repeat(2 * SIZE),
  part: `${'a'.repeat(100)}b`,
  bytes: 'AAAA'.repeat(SIZE),
  ints: Array.from({ length: SIZE }, (_, i) => i),
  texts: Array.from({ length: SIZE }, () => ''),
  long: Array.from({ length: 20 }, (_, i) => `${'x'.repeat(20_000)}${String(i).padStart(2)}`),
  times: Array.from({ length: SIZE }, () => '2020-01-02T03:04:05Z'),
  doubles: Array.from({ length: SIZE }, () => 0.5),
  map: Object.fromEntries(Array.from({ length: SIZE }, (_, i) => [`key-${i}`, ''])),
  deep: Array.from({ length: SIZE }, () => [[]]),
  one: 1,
};

/** Far more than the limit: what is counted is what matters here. */
const NO_LIMIT = 1e12;

const outcomeOf = (source: string): Outcome => compile(source, environment).evaluate({ self }, NO_LIMIT);

/** Units that a call counts for an argument of some thousand characters or elements: what it takes, as measured. */
const counted: readonly (readonly [source: string, units: number])[] = [
  ['double(self.digits)', 0.5 * SIZE],
  ['self.letters.lowerAscii()', 0.3 * SIZE],
  ['self.letters.upperAscii()', 0.3 * SIZE],
  ['self.blanks.trim()', 0.3 * SIZE],
  ['strings.quote(self.quotes)', 6 * SIZE],
  ['self.percents.format([])', 15 * SIZE],
  ["'%x'.format([self.letters])", 0.5 * SIZE],
  ["'%f'.format([5e-324])", 4000],
  ['semver(self.version)', 8 * SIZE],
  ['isSemver(self.version, true)', 8 * SIZE],
  ['url(self.url)', 15 * SIZE],
  ['isURL(self.url)', 15 * SIZE],
  ['url(self.query).getQuery()', 30 * SIZE],
  ['url(self.host).getPort()', 15 * SIZE + SIZE / 4],
  ['self.letters.split("a")', 3 * SIZE],
  ['self.letters.replace("a", "b")', 3 * SIZE],
  ['self.letters.split("")', 6 * SIZE],
  ['self.letters.indexOf(self.part)', SIZE / 4],
  ['self.letters.lastIndexOf(self.part)', SIZE / 4],
  ['self.letters.contains(self.part)', SIZE / 4],
  ['self.letters.matches("b+c")', (5 * SIZE) / 7],
  // A search follows every instruction of its pattern, and clears a table whenever it begins again.
  ['self.letters.find("b+c")', 5 * SIZE],
  ['self.letters.findAll("a").size()', (30 + 10) * (SIZE / 2)],
  ['self.texts.all(x, x.find("a") == "")', 30 * SIZE],
  ['self.texts.all(x, !x.matches("a"))', 8 * SIZE],
  ['self.texts.join()', 5 * SIZE],
  ['self.times.all(x, true)', 100 * SIZE],
  ['self.doubles.all(x, true)', 10 * SIZE],
  ['self.bytes.size()', SIZE],
  ['self.map.size()', 25 * SIZE],
  ['self.deep.indexOf(1)', 16 * SIZE],
  ['self.long.sort()', 20_000],
  // Elements are found by their hashes, which the platform does not compute of long strings.
  ['self.long.all(x, !(x in self.map))', 20 * 40_000],
  ['self.wide.size()', (2 * SIZE) / 4],
  ['[self.wide].all(x, x.size() > 0 && x.size() > 0)', (2 * 2 * SIZE) / 4],
];

describe('the work of calls', () => {
  for (const [source, units] of counted)
    it(`${source} counts by the size of its argument`, () => {
      const outcome = outcomeOf(source);
      assert.equal(outcome.kind, 'value', 'message' in outcome ? outcome.message : '');
      assert.ok(outcome.cost + outcome.work >= units, `${outcome.cost} + ${outcome.work} < ${units}`);
    });

  for (const source of [
    'self.deep.flatten(-1).size() > 0 || true',
    'lists.range(-1000000).size() == 0',
    'self.ints.slice(5, 1).size() > 0 || true',
    'self.letters.split("a", -5).size() > 0',
    'self.letters.replace("a", "b", -5).size() > 0',
  ])
    it(`a negative number does not lower the cost of ${source}`, () => {
      const { cost, work } = outcomeOf(source);
      assert.ok(cost > 0 && work >= 0, `${cost} ${work}`);
    });

  it('an element of many lists that were added is found in few steps', () => {
    const source = `(${'[self.one] + '.repeat(200)}self.ints).all(x, x >= 0)`;
    const [{ cost }, plain] = [outcomeOf(source), outcomeOf('self.ints.all(x, x >= 0)')];
    assert.ok(cost < plain.cost * 1.2, `${cost}`);
    const sum = `(${'self.ints + '.repeat(20)}[7])`;
    for (const [index, value] of [
      [0, 0],
      [SIZE, 0],
      [3 * SIZE + 5, 5],
      [20 * SIZE - 1, SIZE - 1],
      [20 * SIZE, 7],
    ] as const) {
      const outcome = outcomeOf(`${sum}[${index}] == ${value}`);
      assert.ok(outcome.kind === 'value' && outcome.value === true, `element ${index}`);
    }
  });

  it('lists that are doubled many times count the lists that they consist of', () => {
    const doubled = Array.from({ length: 18 }).reduce<string>(
      (body, _, i) => `[v${17 - i} + v${17 - i}].all(v${18 - i}, ${body})`,
      'v18.size() > 0',
    );
    const { work } = outcomeOf(`[self.ints].all(v0, ${doubled})`);
    assert.ok(work >= 2 ** 18, `${work}`);
  });
});
