import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Http2Error } from './constants.ts';
import { HpackDecoder } from './hpack-decoder.ts';
import { encodeHeaderBlock } from './hpack-encoder.ts';

function decode(decoder: HpackDecoder, hex: string): string[] {
  const fields: string[] = [];
  decoder.decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'), (name, value) =>
    fields.push(`${name}: ${value}`),
  );
  return fields;
}

const date = (second: number) => `date: Mon, 21 Oct 2013 20:13:${second} GMT`;
const location = 'location: https://www.example.com';

describe('the HPACK decoder', () => {
  for (const [title, hex, fields] of [
    [
      'C.2.1 literal with indexing',
      '400a637573746f6d2d6b65790d637573746f6d2d686561646572',
      ['custom-key: custom-header'],
    ],
    ['C.2.2 literal without indexing', '040c2f73616d706c652f70617468', [':path: /sample/path']],
    ['C.2.3 literal never indexed', '100870617373776f726406736563726574', ['password: secret']],
    ['C.2.4 indexed', '82', [':method: GET']],
  ] as const) {
    it(`the HPACK decoder reads RFC 7541 ${title}`, () => {
      assert.deepEqual(decode(new HpackDecoder(65_536), hex), fields);
    });
  }

  it('the HPACK decoder reads the requests of RFC 7541 C.4, which share a table', () => {
    const decoder = new HpackDecoder(65_536);
    const request = [':method: GET', ':scheme: http', ':path: /', ':authority: www.example.com'];
    assert.deepEqual(decode(decoder, '828684418cf1e3c2e5f23a6ba0ab90f4ff'), request);
    assert.deepEqual(decode(decoder, '828684be5886a8eb10649cbf'), [...request, 'cache-control: no-cache']);
    assert.deepEqual(decode(decoder, '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf'), [
      ':method: GET',
      ':scheme: https',
      ':path: /index.html',
      ':authority: www.example.com',
      'custom-key: custom-value',
    ]);
  });

  it('the HPACK decoder reads the responses of RFC 7541 C.6, which evict from a table of 256 bytes', () => {
    const decoder = new HpackDecoder(65_536);
    const resize = '3fe101';
    assert.deepEqual(
      decode(
        decoder,
        `${resize}488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3`,
      ),
      [':status: 302', 'cache-control: private', date(21), location],
    );
    assert.deepEqual(decode(decoder, '4883640effc1c0bf'), [
      ':status: 307',
      'cache-control: private',
      date(21),
      location,
    ]);
    assert.deepEqual(
      decode(
        decoder,
        '88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007',
      ),
      [
        ':status: 200',
        'cache-control: private',
        date(22),
        location,
        'content-encoding: gzip',
        'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
      ],
    );
  });

  for (const [title, hex] of [
    ['index 0', '80'],
    ['an index beyond the table', 'be'],
    ['an integer that does not end', 'ffffffffffffffff'],
    ['a string longer than its block', '000561'],
    ['a table size above the announced one', '3fe21f'],
    ['a table size update after a field', '8220'],
    ['Huffman padding with a zero', '00818000'],
    ['Huffman padding of a whole byte', '00860000000000ff00'],
    ['the end-of-string code inside of a string', '0084ffffffff00'],
  ] as const) {
    it(`the HPACK decoder refuses ${title}`, () => {
      assert.throws(() => decode(new HpackDecoder(65_536), hex), Http2Error);
    });
  }

  it('the HPACK decoder refuses a list larger than its limit, however small its block', () => {
    const decoder = new HpackDecoder(10_000);
    const big = encodeHeaderBlock([['a', 'x'.repeat(2000)]]);
    big[0] = 0x40;
    decoder.decode(big, () => {});
    assert.throws(() => decoder.decode(Buffer.alloc(100, 0xbe), () => {}), Http2Error);
  });

  it('neither crashes nor hangs on random bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), (blocks) => {
        const decoder = new HpackDecoder(65_536);
        for (const block of blocks) {
          try {
            decoder.decode(Buffer.from(block), () => {});
          } catch (error) {
            assert.ok(error instanceof Http2Error, String(error));
            return;
          }
        }
      }),
    );
  });

  it('the HPACK decoder decodes the output of the encoder', () => {
    const name = fc.stringMatching(/^[a-z][a-z-]{0,40}$/);
    const value = fc.stringMatching(/^[ -~]{0,300}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 20 }), (fields) => {
        const read: [string, string][] = [];
        new HpackDecoder(1 << 20).decode(encodeHeaderBlock(fields), (n, v) => read.push([n, v]));
        assert.deepEqual(read, fields);
      }),
    );
  });
});
