import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deckKind } from '../testing/deck.ts';
import type { Change } from './change.ts';
import { compare } from './compare.ts';
import { compareInPieces } from './compare-in-pieces.ts';

const COUNT = 3000;
const PARTS_OF_A_PIECE = 64;

const listOf = <T>(of: (index: number) => T): T[] => Array.from({ length: COUNT }, (_, i) => of(i));
const container = (i: number): object => ({ name: `c${i}`, image: 'i' });
const envOf = (value: string, step = 1): object => ({
  containers: [{ name: 'a', env: listOf((i) => ({ name: `V${(i * step) % COUNT}`, value })) }],
});
const mapOf = (prefix: string): object => ({
  data: Object.fromEntries(listOf((i) => [`${prefix}${i}`, 'v'])),
});

const pairs: Readonly<Record<string, readonly [before: object, after: object]>> = {
  'a list instead of null': [{ containers: null }, { containers: listOf(container) }],
  'a new list': [{}, { containers: listOf(container) }],
  'items that have moved': [{ containers: listOf(container) }, { containers: listOf(container).reverse() }],
  'items in their places with other values': [
    { containers: listOf(container) },
    { containers: listOf((i) => ({ ...container(i), image: 'j' })) },
  ],
  'items of an item': [envOf('x'), envOf('y', 7)],
  'items of a new item': [{ containers: [] }, envOf('x')],
  'other keys of a map': [mapOf('a'), mapOf('b')],
};

/** The paths of a change as text. */
const textOf = (change: Change | undefined): string =>
  JSON.stringify(
    [change?.added, change?.modified, change?.removed].map((set) => [...(set?.paths() ?? [])].map(String)),
  );

describe('comparison in pieces', () => {
  const shape = deckKind.shapes('test/v1')?.root;
  for (const [what, [before, after]] of Object.entries(pairs)) {
    it(`large objects are compared in pieces as at once: ${what}`, () => {
      assert.ok(shape !== undefined);
      let pieces = 1;
      const work = compareInPieces({ spec: before }, { spec: after }, shape);
      let step = work.next();
      for (; step.done !== true; step = work.next()) pieces += 1;
      assert.equal(textOf(step.value), textOf(compare({ spec: before }, { spec: after }, shape)));
      assert.ok(pieces >= COUNT / PARTS_OF_A_PIECE, `${pieces} pieces`);
    });
  }
});
