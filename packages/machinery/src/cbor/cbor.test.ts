import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { atOnce } from '../concurrency/index.ts';
import { encodeJson, isExactNumber, parseJson, rawJson } from '../json/index.ts';
import { CborError, cborChunks, cborFromJson, readCbor, readCborInPieces, writeCbor } from './index.ts';

const fromHex = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

/** JSON text of an item in hexadecimal digits. */
const jsonOf = (hex: string, keepSpelling = false): string =>
  encodeJson(readCbor(fromHex(hex), { keepSpelling })).toString();

// The examples of RFC 8949, appendix A, that have a JSON equivalent.
const examples: Readonly<Record<string, string>> = {
  '00': '0',
  '17': '23',
  '1818': '24',
  '1903e8': '1000',
  '1a000f4240': '1000000',
  '1b000000e8d4a51000': '1000000000000',
  '20': '-1',
  '3903e7': '-1000',
  '3b7fffffffffffffff': '-9223372036854775808',
  '1b7fffffffffffffff': '9223372036854775807',
  f90000: '0',
  f93c00: '1',
  fb3ff199999999999a: '1.1',
  f93e00: '1.5',
  f97bff: '65504',
  fa47c35000: '100000',
  fa7f7fffff: '3.4028234663852886e+38',
  fb7e37e43c8800759c: '1e+300',
  f90001: '5.960464477539063e-8',
  f90400: '0.00006103515625',
  f9c400: '-4',
  fbc010666666666666: '-4.1',
  f4: 'false',
  f5: 'true',
  f6: 'null',
  c074323031332d30332d32315432303a30343a30305a: '"2013-03-21T20:04:00Z"',
  c11a514b67b0: '"2013-03-21T20:04:00Z"',
  c1fb41d452d9ec200000: '"2013-03-21T20:04:00.5Z"',
  d74401020304: '"01020304"',
  d818456449455446: '"dIETF"',
  '40': '""',
  '60': '""',
  '6161': '"a"',
  '6449455446': '"IETF"',
  '62c3bc': '"ü"',
  '64f0908591': '"𐅑"',
  '80': '[]',
  '83010203': '[1,2,3]',
  '8301820203820405': '[1,[2,3],[4,5]]',
  a0: '{}',
  a26161016162820203: '{"a":1,"b":[2,3]}',
  '826161a161626163': '["a",{"b":"c"}]',
  '7f657374726561646d696e67ff': '"streaming"',
  '9fff': '[]',
  '9f018202039f0405ffff': '[1,[2,3],[4,5]]',
  '83018202039f0405ff': '[1,[2,3],[4,5]]',
  bf61610161629f0203ffff: '{"a":1,"b":[2,3]}',
  '826161bf61626163ff': '["a",{"b":"c"}]',
  d9d9f7a0: '{}',
};

const refused: readonly (readonly [hex: string, problem: RegExp, about: string])[] = [
  ['', /end too early at offset 0/, 'no data'],
  ['19 03', /end too early/, 'a head without its argument'],
  ['44 0102', /end too early/, 'a string that is too short'],
  ['9b 7fffffffffffffff', /end too early/, 'an array that announces more items than there are bytes'],
  ['bb ffffffffffffffff', /end too early/, 'a map that announces more keys than 64 signed bits count'],
  ['9f 01', /end too early/, 'an array without an end'],
  ['a1 01 02', /a key of a map must be a string/, 'a key that is a number'],
  ['a2 6161 01 4161 02', /has a key twice/, 'a key that is there as text and as bytes'],
  ['1b 8000000000000000', /64 signed bits/, 'a large integer'],
  ['3b 8000000000000000', /64 signed bits/, 'a large negative integer'],
  ['c2 49 010000000000000000', /64 signed bits/, 'an integer of any length'],
  ['f9 7e00', /must be finite/, 'not a number'],
  ['fa 7f800000', /must be finite/, 'infinity'],
  ['f7', /must be a boolean, null or a number/, 'undefined'],
  ['f0', /must be a boolean, null or a number/, 'an unassigned value'],
  ['f8 20', /must be a boolean, null or a number/, 'an unassigned value in two bytes'],
  ['ff', /must be a boolean, null or a number/, 'an end of nothing'],
  ['1c', /additional information 28 is reserved/, 'a reserved head'],
  ['1f', /an integer must have a value/, 'an integer of unknown length'],
  ['62 c328', /not valid UTF-8/, 'text that is not UTF-8'],
  ['42 c328', /not valid UTF-8/, 'bytes that are not UTF-8'],
  ['5f 6161 ff', /chunk of a string/, 'bytes with a chunk of text'],
  ['7f 7f6161ff ff', /chunk of a string/, 'a chunk of unknown length'],
  ['c0 6161', /RFC 3339/, 'text that is not a time'],
  ['c0 80', /a time must be/, 'a time that is a list'],
  ['c1 fb7e37e43c8800759c', /years 1 to 9999/, 'a time beyond all years'],
  ['00 00', /bytes after the data item at offset 1/, 'two items'],
];

describe('the CBOR codec', () => {
  for (const [hex, json] of Object.entries(examples)) {
    it(`the reader reads ${hex} as ${json}`, () => {
      assert.equal(jsonOf(hex), json);
    });
  }

  for (const [hex, problem, about] of refused) {
    it(`the reader refuses ${about}`, () => {
      assert.throws(
        () => readCbor(fromHex(hex)),
        (error) => error instanceof CborError && problem.test(error.message),
      );
    });
  }

  it('the reader applies the encoding that a tag announces to all byte strings inside it, and to no text', () => {
    assert.equal(jsonOf('d6 83 4301ff02 6161 d7 42 01ff'), '["Af8C","a","01ff"]');
  });

  it('the reader keeps the spelling of whole numbers with a fraction where integer fields must refuse them', () => {
    const value = readCbor(fromHex('f94500'), { keepSpelling: true });
    assert.ok(isExactNumber(value));
    assert.equal(jsonOf('f94500', true), '5.0');
    assert.equal(jsonOf('05', true), '5');
  });

  it('the reader refuses nesting beyond the limit without using the stack', () => {
    const deep = Buffer.alloc(1 << 20, 0x81);
    assert.throws(() => readCbor(deep), /nesting is too deep at offset 500/);
    const tags = Buffer.concat([Buffer.alloc(1 << 20, 0xc6), Buffer.from([0x01])]);
    assert.equal(readCbor(tags), 1);
  });

  it('the reader reads a key named __proto__ as any other', () => {
    const value = readCbor(writeCbor(JSON.parse('{"__proto__":{"a":1}}')));
    assert.deepEqual(Object.keys(value as object), ['__proto__']);
    assert.equal(({} as Record<string, unknown>)['a'], undefined);
  });

  it('the writer writes strings as byte strings and numbers in the fewest bits, after the mark of CBOR', () => {
    const bytes = writeCbor({ a: 'b', n: [1, -1, 500, 0.5, 1.1, 100000.5], t: true, z: null });
    assert.equal(
      bytes.toString('hex'),
      'd9d9f7a44161416241' + '6e86012019' + '01f4f93800fb3ff199999999999afa47c35040' + '4174f5417af6',
    );
  });

  it('the reader reads in pieces what it reads at once, and gives other work a turn in between', () => {
    const bytes = writeCbor(Array.from({ length: 30_000 }, (_, i) => ({ name: `object-${i}` })));
    assert.deepEqual(atOnce(readCborInPieces(bytes)), readCbor(bytes));
    let pieces = 1;
    for (const work = readCborInPieces(bytes); work.next().done !== true; ) pieces += 1;
    assert.ok(pieces >= bytes.length / (64 * 1024), `${pieces} pieces`);
  });

  it('every JSON value is read as it was written', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const value = parseJson(Buffer.from(text), { finite: false });
        assert.deepEqual(readCbor(writeCbor(value)), value);
      }),
    );
  });

  it('the translator makes of JSON what the writer makes of its value, however the text is cut into slices', () => {
    const cuts = fc.array(fc.nat({ max: 200 }), { maxLength: 4 });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), cuts, (content, at) => {
        const json = encodeJson({
          content,
          ofStrings: ['\\', '"', 'ä\u2028', '\\"'],
          of: rawJson.rawJSON('-12345678901234567890'),
        });
        const positions = [0, ...at.map((cut) => Math.min(cut, json.length)), json.length].sort(
          (a, b) => a - b,
        );
        const slices = positions.slice(1).map((end, i) => json.subarray(positions[i], end));
        const translated = cborFromJson(json);
        assert.deepEqual(readCbor(translated), readCbor(writeCbor(parseJson(json))));
        assert.deepEqual(Buffer.concat([...cborChunks(slices)]), translated);
      }),
    );
  });

  it('every integer of 64 bits is read as it was written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (integer) => {
        const value = parseJson(Buffer.from(String(integer)));
        assert.equal(encodeJson(readCbor(writeCbor(value))).toString(), String(integer));
      }),
    );
  });

  it('every double of JSON is read as it was written', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        assert.equal(readCbor(writeCbor(number)), number);
      }),
    );
  });

  it('the reader answers any bytes with a value or a CborError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          readCbor(Buffer.from(bytes));
        } catch (error) {
          assert.ok(error instanceof CborError);
        }
      }),
    );
  });
});
