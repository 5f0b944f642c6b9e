import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { atOnce } from '../concurrency/index.ts';
import { encodeYaml } from './encode.ts';
import { encodeYamlInPieces } from './encode-in-pieces.ts';

const MANY = 600;
const STEPS_OF_A_PIECE = 64;

const wideOf = (count: number, value: unknown): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, value]));

/** Values with many parts around and inside others. */
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>('a', 'yes', '', 'a\nb\n', 1, true, null, {}, []),
    fc.constantFrom<unknown>('a', 'b: c', null).map((value) => Array.from({ length: MANY }, () => value)),
    fc.constantFrom<unknown>('a', undefined, {}).map((value) => wideOf(MANY, value)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  ),
})).value;

describe('the encoder of YAML in pieces', () => {
  it('the encoder in pieces writes the same text as the one that does it at once', () => {
    fc.assert(
      fc.property(values, (value) => {
        assert.equal(atOnce(encodeYamlInPieces(value)).toString(), encodeYaml(value));
      }),
    );
  });

  it('the names of an object are listed in a piece of their own, because the runtime lists all of them at once', () => {
    const log: string[] = [];
    const wide = new Proxy(wideOf(10_000, 'a'), {
      ownKeys(target) {
        log.push('names');
        return Reflect.ownKeys(target);
      },
      get(target, name) {
        log.push('field');
        return Reflect.get(target, name);
      },
    });
    const work = encodeYamlInPieces(wide);
    while (work.next().done !== true) log.push('|');
    assert.match(log.join(' '), /\| names \| field/);
  });

  for (const [what, value] of [
    ['a wide object', wideOf(10_000, 'a')],
    ['a long list', Array.from({ length: 10_000 }, () => 'a')],
    ['a list of wide objects', Array.from({ length: 10 }, () => wideOf(1000, 'a'))],
  ] as const)
    it(`the encoder in pieces yields after some parts of ${what}`, () => {
      let pieces = 0;
      for (const work = encodeYamlInPieces(value); work.next().done !== true; ) pieces += 1;
      assert.ok(pieces >= 10_000 / STEPS_OF_A_PIECE, `${pieces} pieces`);
    });
});
