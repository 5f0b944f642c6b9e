import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProtobufWriter } from './writer.ts';

const hex = (write: (out: ProtobufWriter) => void): string => {
  const out = new ProtobufWriter(1);
  write(out);
  return out.finish().toString('hex');
};

describe('the writer of Protobuf messages', () => {
  for (const [title, write, expected] of [
    ['a string', (out) => out.string(2, 'testing'), '120774657374696e67'],
    ['a string with characters of several bytes', (out) => out.string(1, 'é'), '0a02c3a9'],
    ['an empty string', (out) => out.string(1, ''), '0a00'],
    ['a number', (out) => out.uint(1, 150), '089601'],
    ['a number of 53 bits', (out) => out.uint(1, 2 ** 53 - 1), '08ffffffffffffff0f'],
    ['a field number above 15', (out) => out.bool(16, true), '800101'],
    ['a message', (out) => out.message(3, () => out.uint(1, 150)), '1a03089601'],
    ['an empty message', (out) => out.message(3, () => {}), '1a00'],
    [
      'messages in messages',
      (out) => out.message(1, () => out.message(2, () => out.bool(3, false))),
      '0a0412021800',
    ],
  ] as const satisfies readonly (readonly [string, (out: ProtobufWriter) => void, string])[]) {
    it(`the Protobuf writer writes ${title}`, () => assert.equal(hex(write), expected));
  }

  it('lengths of several bytes are written before their messages', () => {
    const long = 'x'.repeat(300);
    const inner = `0aac02${Buffer.from(long).toString('hex')}`;
    assert.equal(
      hex((out) => out.message(1, () => out.string(1, long))),
      `0aaf02${inner}`,
    );
  });

  it('messages are written completely wherever the buffer of the writer ends', () => {
    for (let room = 1; room < 64; room++) {
      for (let size = 0; size < 40; size++) {
        const out = new ProtobufWriter(room);
        out.message(1, () => out.message(2, () => out.string(3, 'y'.repeat(size))));
        const text = `1a${size.toString(16).padStart(2, '0')}${'79'.repeat(size)}`;
        const lengths = [size + 4, size + 2].map((length) => length.toString(16).padStart(2, '0'));
        assert.equal(
          out.finish().toString('hex'),
          `0a${lengths[0]}12${lengths[1]}${text}`,
          `${room} ${size}`,
        );
      }
    }
  });
});
