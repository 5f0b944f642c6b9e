import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unicodeString } from '@orch/machinery/testing/unicode-string';
import fc from 'fast-check';
import { decodeHeaderOnly, decodeRange, encodeRange } from './kv.ts';
import { decodeLease, encodeLeaseId } from './lease.ts';
import { decodeAuthenticate, decodeStatus } from './maintenance.ts';
import { ProtoError, ProtoReader } from './reader.ts';
import { decodeCas, encodeCas, encodeFence } from './txn.ts';
import { decodeWatch } from './watch.ts';
import { ProtoWriter } from './writer.ts';

function written(write: (writer: ProtoWriter) => void): Buffer {
  const writer = new ProtoWriter();
  writer.reset();
  write(writer);
  return Buffer.from(writer.finish());
}

describe('the Protobuf writer and reader', () => {
  it('writer and reader round-trip every safe integer', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const reader = new ProtoReader(written((w) => w.uint(3, value)));
        assert.equal(reader.tag(), 3 << 3);
        assert.equal(reader.int(), value);
        assert.equal(reader.more(), false);
      }),
    );
  });

  it('writer and reader round-trip strings and bytes of any size, nested', () => {
    fc.assert(
      fc.property(unicodeString(), fc.uint8Array({ maxLength: 9000 }), (text, bytes) => {
        const message = written((w) => {
          const mark = w.mark();
          w.bytes(2, Buffer.from(bytes));
          w.string(1, text);
          w.nested(7, mark);
        });
        const reader = new ProtoReader(message);
        assert.equal(reader.tag(), (7 << 3) | 2);
        const outer = reader.enter();
        assert.equal(reader.tag(), 0x0a);
        assert.equal(reader.string(), Buffer.from(text).toString());
        assert.equal(reader.tag(), 0x12);
        assert.deepEqual(reader.bytes(), Buffer.from(bytes));
        assert.equal(reader.more(), false);
        reader.leave(outer);
        assert.equal(reader.more(), false);
      }),
    );
  });

  for (const [title, hex, value] of [
    ['-1', '08ffffffffffffffffff01', -1],
    ['2^53 - 1', '08ffffffffffffff0f', Number.MAX_SAFE_INTEGER],
    ['-(2^53 - 1)', '0881808080808080f0ff01', Number.MIN_SAFE_INTEGER],
  ] as const) {
    it(`the Protobuf reader reads ${title}`, () => {
      const reader = new ProtoReader(Buffer.from(hex, 'hex'));
      reader.tag();
      assert.equal(reader.int(), value);
    });
  }

  for (const [title, hex] of [
    ['2^53', '088080808080808010'],
    ['a varint of 11 bytes', '08ffffffffffffffffffff01'],
    ['a truncated varint', '0880'],
  ] as const) {
    it(`the Protobuf reader refuses ${title} as a revision`, () => {
      const reader = new ProtoReader(Buffer.from(hex, 'hex'));
      reader.tag();
      assert.throws(() => reader.int(), ProtoError);
    });
  }

  it('the Protobuf writer and reader keep identifiers of 64 bits unchanged', () => {
    const id = Buffer.from('89aae4f2d1bfa8a2cb01', 'hex');
    const reply = Buffer.concat([Buffer.from([0x10]), id, Buffer.from([0x18, 60])]);
    const lease = decodeLease(reply);
    assert.deepEqual(lease, { id, ttlSeconds: 60 });
    assert.deepEqual(
      written((w) => encodeLeaseId(w, lease)),
      Buffer.concat([Buffer.from([0x08]), id]),
    );
  });
});

describe('the codecs of etcd', () => {
  it('the codecs encode a range request by its definition', () => {
    const request = { key: 'a', rangeEnd: 'b', limit: 300, revision: 5, serializable: true, countOnly: true };
    assert.equal(written((w) => encodeRange(w, request)).toString('hex'), '0a016112016218ac02200538014801');
  });

  it('the codecs encode a compare-and-swap by its definition', () => {
    const create = { key: 'k', expected: 0, value: Buffer.from('v'), lease: Buffer.from([0x2a]) };
    assert.equal(
      written((w) => encodeCas(w, create)).toString('hex'),
      // Compare { target MOD, key k, mod_revision 0 }, success put { k, v, lease 42 }, failure range { k }
      '0a0710021a016b3000120a12080a016b120176182a1a050a030a016b',
    );
    assert.equal(
      written((w) => encodeCas(w, { key: 'k', expected: 7 })).toString('hex'),
      '0a0710021a016b300712051a030a016b1a050a030a016b',
    );
    assert.equal(
      written((w) => encodeCas(w, { key: 'k', expected: 7, guards: [{ key: 'g', revision: 300 }] })).toString(
        'hex',
      ),
      // The compare of the key, then that of its guard; in the failure branch, the guard is read without its value.
      '0a0710021a016b3007' + '0a0810021a016730ac02' + '12051a030a016b1a050a030a016b' + '1a070a050a01674001',
    );
  });

  it('the codecs encode a compare-and-swap with a mark, and the fence of that mark, by their definition', () => {
    const mark = { key: 'm', revision: 9, value: '1' };
    const compared = '0a0710021a016d3009';
    const marked = '120812060a016d120131';
    const [readKey, readMark] = ['0a030a016b', '0a030a016d'];
    assert.equal(
      written((w) => encodeCas(w, { key: 'k', expected: 7, mark })).toString('hex'),
      `0a0710021a016b3007${compared}12051a030a016b${marked}1a05${readKey}1a05${readMark}`,
    );
    assert.equal(
      written((w) => encodeFence(w, { key: 'k', mark })).toString('hex'),
      `${compared}1205${readKey}${marked}1a05${readKey}1a05${readMark}`,
    );
  });

  it('readers of messages skip unknown fields', () => {
    const unknown = 'a80601' + 'b1060102030405060708' + 'ba0603616263' + 'bd0601020304';
    assert.deepEqual(decodeRange(Buffer.from(`${unknown}2005${unknown}`, 'hex')), {
      revision: 0,
      kvs: [],
      more: false,
      count: 5,
    });
  });

  it('neither crash nor hang on random bytes', () => {
    const decoders = [
      decodeRange,
      decodeCas,
      decodeWatch,
      decodeStatus,
      decodeLease,
      decodeAuthenticate,
      decodeHeaderOnly,
    ];
    // Small numbers make tags of known fields and short lengths likely.
    const byte = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 120 }), (bytes) => {
        for (const decode of decoders) {
          try {
            decode(Buffer.from(bytes));
          } catch (error) {
            assert.ok(error instanceof ProtoError, String(error));
          }
        }
      }),
    );
  });
});
