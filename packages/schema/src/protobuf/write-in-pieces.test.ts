import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { Tree } from '../testing/tree.ts';
import { protobufCodec } from './codec.ts';
import { messageField, messageFieldInPieces } from './envelope.ts';

const codec = protobufCodec(Tree, namesFor('orch'));

const COUNT = 2000;
const STEPS_OF_A_PIECE = 64;
const MAX_GROWTH = 2.1;

const listOf = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => of(i));
const partsOf = (count: number) => listOf(count, (i) => ({ name: `p${i}`, size: i }));
const labelsOf = (count: number) => Object.fromEntries(listOf(count, (i) => [`k${100_000 + i}`, `v${i}`]));

const values: Readonly<Record<string, (count: number) => Readonly<Record<string, unknown>>>> = {
  'a list of messages': (count) => ({ parts: partsOf(count) }),
  'a list of messages in a message': (count) => ({
    tree: { tree: { parts: partsOf(count) } },
    trees: [{}, null, { parts: partsOf(count) }],
  }),
  'a map': (count) => ({ text: 'x', labels: labelsOf(count) }),
  'a map of messages': (count) => ({
    byName: { b: { labels: labelsOf(count) }, a: {}, c: { parts: partsOf(count) } },
  }),
  'words of an inlined message': (count) => ({ words: listOf(count, (i) => `w${i}`) }),
  numbers: (count) => ({ numbers: listOf(count, (i) => i - 7) }),
};

function written(value: Readonly<Record<string, unknown>>): { pieces: number; bytes: Buffer } {
  let pieces = 1;
  const work = messageFieldInPieces(codec, value);
  let step = work.next();
  for (; step.done !== true; step = work.next()) pieces += 1;
  return { pieces, bytes: step.value };
}

describe('Protobuf that is written in pieces', () => {
  for (const [what, make] of Object.entries(values))
    it(`a large message is written in pieces, which grow in proportion: ${what}`, () => {
      const once = written(make(COUNT));
      const twice = written(make(2 * COUNT));
      assert.ok(once.bytes.equals(messageField(codec, make(COUNT))));
      assert.ok(once.pieces >= COUNT / STEPS_OF_A_PIECE, `${once.pieces} pieces`);
      assert.ok(twice.pieces <= MAX_GROWTH * once.pieces, `${once.pieces} and ${twice.pieces} pieces`);
    });

  it('a small message is written in one piece', () => {
    const value = { text: 'x', parts: partsOf(2), labels: labelsOf(2) };
    assert.deepEqual(written(value), { pieces: 1, bytes: messageField(codec, value) });
  });
});
