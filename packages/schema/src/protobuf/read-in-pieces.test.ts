import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { Tree } from '../testing/tree.ts';
import { protobufCodec } from './codec.ts';
import { ProtobufError } from './protobuf-error.ts';
import type { Remarks } from './reader.ts';

const codec = protobufCodec(Tree, namesFor('orch'));

const COUNT = 20_000;
/** Bytes of a piece, and those of a part that ends in the next one. */
const MAX_BYTES_OF_A_PIECE = 17 * 1024;

const listOf = <T>(of: (index: number) => T): T[] => Array.from({ length: COUNT }, (_, i) => of(i));
const parts = listOf((i) => ({ name: `p${i}`, size: i }));
const labels = Object.fromEntries(listOf((i) => [`k${i}`, `v${i}`]));

/** A field of wire type 2. */
function fieldOf(num: number, content: Buffer): Buffer {
  const head: number[] = [(num << 3) | 2];
  for (let rest = content.length; ; rest = Math.floor(rest / 128)) {
    head.push(rest < 128 ? rest : (rest % 128) | 128);
    if (rest < 128) return Buffer.concat([Buffer.from(head), content]);
  }
}

const packed = fieldOf(3, Buffer.alloc(4 * COUNT, 7));
const list = codec.encode({ parts });
const unknown = Buffer.from('980605', 'hex');
const malformed = Buffer.from('0a02c328', 'hex');

const messages: Readonly<Record<string, Buffer>> = {
  'a list of messages': list,
  'a list of messages in a message': codec.encode({ tree: { tree: { parts } }, trees: [{}, { parts }] }),
  'a map': codec.encode({ labels }),
  'a map of messages': codec.encode({ byName: { a: {}, b: { labels }, c: { parts } } }),
  'words of an inlined message': codec.encode({ words: listOf((i) => `w${i}`) }),
  'packed numbers': packed,
  'packed numbers in a message': fieldOf(7, packed),
  'a message that comes in parts': Buffer.concat([fieldOf(7, list), fieldOf(7, packed), fieldOf(7, list)]),
  'an entry that comes twice': Buffer.concat(
    [0, 1].map(() => fieldOf(6, Buffer.concat([fieldOf(1, Buffer.from('a')), fieldOf(2, list)]))),
  ),
  'unknown fields': fieldOf(7, Buffer.concat([list, unknown, fieldOf(8, Buffer.concat([unknown, list]))])),
};

const refused: Readonly<Record<string, Buffer>> = {
  'text that is not UTF-8': fieldOf(7, Buffer.concat([list, malformed])),
  'a message below a list': Buffer.concat([fieldOf(8, list), fieldOf(8, Buffer.concat([list, malformed]))]),
  'a message below a map': fieldOf(
    6,
    Buffer.concat([fieldOf(1, Buffer.from('a')), fieldOf(2, Buffer.concat([list, malformed]))]),
  ),
  'a message that is cut off': fieldOf(7, list).subarray(0, -1),
  'another wire type': fieldOf(5, list).fill(0x28, 0, 1),
};

interface Decoded {
  readonly value: unknown;
  readonly remarks: Remarks;
  readonly pieces: number;
}

function decodeInPieces(bytes: Buffer): Decoded {
  const remarks: Remarks = { unknown: [], duplicate: [] };
  const work = codec.decodeInPieces(bytes, remarks);
  for (let pieces = 1; ; pieces += 1) {
    const step = work.next();
    if (step.done === true) return { value: step.value, remarks, pieces };
  }
}

describe('reading Protobuf in pieces', () => {
  for (const [what, bytes] of Object.entries(messages))
    it(`a message is decoded in pieces as it is decoded at once: ${what}`, () => {
      const remarks: Remarks = { unknown: [], duplicate: [] };
      const value = codec.decode(bytes, remarks);
      const decoded = decodeInPieces(bytes);
      assert.deepEqual(decoded.value, value);
      assert.deepEqual(decoded.remarks, remarks);
      assert.ok(decoded.pieces >= bytes.length / MAX_BYTES_OF_A_PIECE, `${decoded.pieces} pieces`);
    });

  for (const [what, bytes] of Object.entries(refused))
    it(`a message is rejected in pieces as it is rejected at once: ${what}`, () => {
      const messageOf = (decode: () => unknown): string => {
        try {
          decode();
        } catch (error) {
          assert.ok(error instanceof ProtobufError, String(error));
          return error.message;
        }
        return assert.fail('it was decoded');
      };
      assert.equal(
        messageOf(() => decodeInPieces(bytes)),
        messageOf(() => codec.decode(bytes)),
      );
    });

  it('a small message is decoded in one piece', () => {
    assert.equal(decodeInPieces(codec.encode({ parts: [{ name: 'a' }] })).pieces, 1);
  });
});
