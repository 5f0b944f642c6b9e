import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noteWidth } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';
import { dynDecl, intDecl, listDecl, mapDecl, objectDecl, stringDecl } from '../decl/build.ts';
import { environmentOf } from '../environment-of.ts';
import { member } from '../functions/overload.ts';
import { PIECE } from '../limits.ts';
import type { Outcome } from '../outcome.ts';
import { compile, type Program, type Unfinished } from '../program.ts';
import { assertSameOutcome, inPieces } from '../testing/evaluate.ts';
import * as types from '../types/type.ts';
import type { ListValue } from '../values/value.ts';

/** Sizes of the lists on which `long` was called. */
const calls: number[] = [];

const long = member(
  'long_list',
  [[types.list(types.int)], types.int],
  (list: ListValue) => {
    calls.push(list.length);
    return list.length;
  },
  { work: ([list]) => (list as ListValue).length * 20 },
);

const environment = environmentOf('1.99', [{ name: 'counted', functions: { long: [long] } }]).extend({
  self: objectDecl('self', {
    ints: { type: listDecl(intDecl) },
    few: { type: listDecl(intDecl) },
    texts: { type: listDecl(stringDecl()) },
    map: { type: mapDecl(intDecl) },
    wide: { type: mapDecl(intDecl) },
    any: { type: dynDecl() },
  }),
});

const ints = Array.from({ length: 4_000 }, (_, index) => index);
const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index]));
const self = {
  ints,
  few: ints.slice(0, 12),
  texts: ints.slice(0, 10).map((index) => `text-${index}`),
  map: Object.fromEntries(ints.slice(0, 10).map((index) => [`k${index}`, index])),
  wide,
  any: ints.slice(0, 10).map((index) => ({ value: index, list: [index] })),
};

/** An evaluation that is left after each piece. */
function piecesOf(program: Program): { readonly outcome: Outcome; readonly pieces: number } {
  let outcome: Outcome | Unfinished = program.begin({ self });
  let pieces = 1;
  for (; outcome.kind === 'unfinished'; pieces += 1) outcome = outcome.continue();
  return { outcome, pieces };
}

/** Loops of each macro, some within others, with steps before, between and after them. */
const loops = [
  'self.few.all(x, self.few.exists(y, y == x))',
  'self.few.exists(x, self.few.all(y, x > y))',
  'self.few.exists_one(x, self.few.filter(y, y < x).size() == 3)',
  'self.few.map(x, self.few.filter(y, y % 2 == x % 2).sum()).sum() == 396',
  'self.few.map(x, x > 2, x * 2)',
  'self.few.filter(x, self.map.exists(k, self.map[k] == x))',
  'self.map.map(k, k + "!")',
  'self.few.transformList(i, v, i < 5, v + self.few[i])',
  'self.map.transformMap(k, v, v > 3, self.few.exists(x, x == v))',
  'self.few.transformMapEntry(i, v, {string(i): self.few.map(x, x + v)})',
  'self.few.sortBy(x, self.few.map(y, (x * y) % 7).sum())',
  'self.few.all(x, x / 0 == 1 || self.few.exists(y, y == 11))',
  'self.few.all(x, x / 0 == 1)',
  'self.few.exists(x, self.few.all(y, y / x >= 0)) && self.texts.exists(t, t.matches("^text-9$"))',
  'self.few.sum() > 1 ? self.texts.map(t, t.upperAscii()) : []',
  'self.few.map(x, self.few.map(y, [x, y])) == self.few.map(x, self.few.map(y, [x, y]))',
  '[1, 2, 3].map(x, self.few.map(x, x)).size() + self.texts.join(",").size()',
  '{"a": self.few.map(x, x), "b": self.few.filter(t, t > 3)}',
  'optional.of(self.few.map(x, x)).optMap(l, l.map(y, y + l.size())).orValue([])',
  'optional.of(self.few.filter(x, x > 100)).optFlatMap(l, l.size() == 0 ? optional.none() : l[?0])',
  'self.any.all(a, a.list.exists(v, v == a.value)) && self.any.map(a, a.list).flatten().size() == 10',
  '[self.few, self.few].map(l, l.sum() + l.max() + self.ints.indexOf(99))',
  'self.texts.exists(t, int(t) == 1) || self.few.all(x, self.texts.exists(t, t.size() > x || true))',
  'self.ints == self.ints.map(x, x) && self.texts.map(t, t.split("-")).all(p, p[0] == "text")',
];

describe('an evaluation in pieces', () => {
  for (const source of loops)
    it(`an evaluation in pieces has the outcome of one at once: ${source}`, () => {
      const program = compile(source, environment);
      const expected = program.evaluate({ self });
      for (const piece of [1, 7, 60, 500, 3_000, 20_000]) {
        const found = inPieces(program, { self }, piece);
        assertSameOutcome(found, expected);
        assert.ok(found.work <= expected.work, `work ${found.work} of ${expected.work}`);
      }
    });

  it('an evaluation in pieces has the outcome of one at once for combinations of loops, and pieces of any size', () => {
    const random = seededRandom(7);
    const pick = <T>(list: readonly T[]): T => list[random.int(list.length)] as T;
    for (let i = 0; i < 300; i += 1) {
      const [a, b, c] = [pick(loops), pick(loops), pick(loops)];
      const source = `[dyn(${a})].map(v, [dyn(${b}), v]).size() == 1 && self.few.all(w, [dyn(${c})].size() == 1)`;
      const program = compile(source, environment);
      const piece = 1 + random.int(5_000);
      assertSameOutcome(inPieces(program, { self }, piece), program.evaluate({ self }));
    }
  });

  it('an evaluation in pieces is left after each piece until the limit is reached', () => {
    const { outcome, pieces } = piecesOf(
      compile('self.ints.all(x, self.ints.all(y, x + y >= 0))', environment),
    );
    assert.equal(outcome.kind, 'limit');
    assert.ok(pieces >= 1_000_000 / PIECE - 1, `${pieces} pieces`);
  });

  it('an evaluation in pieces is not left when it is short', () => {
    const { outcome, pieces } = piecesOf(compile('self.few.all(x, x < 100)', environment));
    assert.equal(outcome.kind, 'value');
    assert.equal(pieces, 1);
  });

  it('an evaluation in pieces begins a call that is longer than a piece with a new piece', () => {
    calls.length = 0;
    const { outcome, pieces } = piecesOf(
      compile('self.few.all(x, x >= 0) && self.ints.long() == 4000', environment),
    );
    assert.ok(outcome.kind === 'value' && outcome.value === true);
    assert.equal(pieces, 2);
    assert.deepEqual(calls, [4_000]);
  });

  it('an evaluation in pieces makes each long call once', () => {
    calls.length = 0;
    const source =
      'self.ints.long() > 1 && self.ints.all(x, self.few.all(y, x + y >= 0)) && self.ints.long() > 1';
    const { outcome, pieces } = piecesOf(compile(source, environment));
    assert.ok(outcome.kind === 'value' && outcome.value === true, JSON.stringify(outcome));
    assert.ok(pieces > 5, `${pieces} pieces`);
    assert.deepEqual(calls, [4_000, 4_000]);
  });

  it('an evaluation in pieces makes the long calls of an iteration once, and again in the next one', () => {
    calls.length = 0;
    const source =
      '[1, 2, 3].all(x, self.ints.long() > x && self.ints.all(y, y + x > 0) && self.ints.long() > x)';
    const { outcome } = piecesOf(compile(source, environment));
    assert.ok(outcome.kind === 'value' && outcome.value === true, JSON.stringify(outcome));
    assert.equal(calls.length, 6);
  });

  it('an evaluation in pieces keeps the error of a long loop', () => {
    const source =
      '(self.ints.map(x, self.few[x]).size() > 0 || true) && self.ints.all(x, self.few.all(y, y >= 0))';
    const program = compile(source, environment);
    assertSameOutcome(piecesOf(program).outcome, program.evaluate({ self }));
  });
});

describe('a map with many keys', () => {
  it('a map with many keys reaches the limit before its keys are listed', (context) => {
    const listed: object[] = [];
    const { keys } = Object;
    context.mock.method(Object, 'keys', (object: object) => {
      listed.push(object);
      return keys(object);
    });
    noteWidth(wide, 50_000);
    for (const source of ['self.wide.all(k, k != "")', 'size(self.wide) > 0', 'self.wide == self.wide']) {
      const { outcome } = piecesOf(compile(source, environment));
      assert.equal(outcome.kind, 'limit', source);
    }
    assert.equal(listed.includes(wide), false);
  });
});
