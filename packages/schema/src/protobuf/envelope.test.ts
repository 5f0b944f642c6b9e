import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { EnvelopeWriter, fieldHead, openEnvelope } from './envelope.ts';
import { ProtobufError } from './protobuf-error.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const inField = (message: Buffer): Buffer => Buffer.concat([fieldHead(2, message.length), message]);

describe('the envelope of Protobuf bodies (spec 2.7)', () => {
  it('the envelope is four bytes, the kind, the message, and two empty fields', () => {
    const written = new EnvelopeWriter('Pod', 'v1').wrap(inField(hex('0801')));
    assert.equal(
      written.toString('hex'),
      '6b387300' + '0a09' + '0a027631' + '1203506f64' + '12020801' + '1a00' + '2200',
    );
  });

  it('the prefix of a kind, which is kept, is not a part of a larger buffer', () => {
    const { prefix } = new EnvelopeWriter('Pod', 'v1');
    assert.equal(prefix.buffer.byteLength, prefix.length);
  });

  it('an envelope is read back as written, and its head, message and suffix form the same bytes', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.uint8Array({ maxLength: 40_000 }), (kind, apiVersion, raw) => {
        const message = Buffer.from(raw);
        const writer = new EnvelopeWriter(kind, apiVersion);
        const written = writer.wrap(inField(message));
        assert.deepEqual(openEnvelope(written), { kind, apiVersion, raw: message });
        assert.deepEqual(Buffer.concat([writer.head(message.length), message, writer.suffix]), written);
      }),
      { numRuns: 50 },
    );
  });

  it('all parts of an envelope may be absent', () => {
    assert.deepEqual(openEnvelope(hex('6b387300')), { kind: '', apiVersion: '', raw: hex('') });
    assert.deepEqual(openEnvelope(hex('6b387300' + '0a00' + '2a0161')).kind, '');
  });

  for (const [title, bytes, message] of [
    ['nothing', '', /does not begin with the bytes 107 56 115 0/],
    ['JSON', '7b7d', /does not begin/],
    ['half of the first bytes', '6b38', /does not begin/],
    ['a message without an envelope', '0a0161', /does not begin/],
    ['a cut message', '6b387300' + '1205', /ends too early/],
    ['a compressed message', '6b387300' + '1a04677a6970', /content encoding "gzip" is unknown/],
    ['a kind of another wire type', '6b387300' + '0a021000', /wire type 0 where 2 is due/],
    ['a message of another wire type', '6b387300' + '1000', /wire type 0 where 2 is due/],
  ] as const) {
    it(`a body is rejected as an envelope: ${title}`, () =>
      assert.throws(
        () => openEnvelope(hex(bytes)),
        (error) => error instanceof ProtobufError && message.test(error.message),
      ));
  }
});
