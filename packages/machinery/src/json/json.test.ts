import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findDuplicateKeys } from './duplicates.ts';
import { encodeJson, jsonText } from './encode.ts';
import {
  approximateNumber,
  declaredInteger,
  exactInteger,
  exactNumberText,
  isExactNumber,
  isInt64,
  jsonInteger,
  numberFromText,
} from './exact-number.ts';
import { parseLossless } from './lossless.ts';
import { parseJson } from './parse.ts';
import { MAX_JSON_DEPTH } from './parse-text.ts';
import { JsonSyntaxError } from './syntax-error.ts';
import { cloneJson, deepFreeze, isJsonObject, jsonEquals, setField } from './values.ts';
import { JsonWalker } from './walk.ts';

const parse = (text: string): unknown => parseJson(Buffer.from(text));
const again = (text: string): string => encodeJson(parse(text)).toString();

describe('parser of JSON', () => {
  for (const number of [
    '9007199254740993',
    '-9007199254740993',
    '9223372036854775807',
    '18446744073709551616',
    '123456789012345678901234567890',
    '0.1234567890123456789',
    '1e400',
    '-1E-400',
    '1.00000000000000001',
  ]) {
    it(`the number ${number} is kept exactly`, () => {
      const value = parse(number);
      assert.ok(isExactNumber(value));
      assert.equal(exactNumberText(value), number);
      assert.equal(again(`{"a":[${number}]}`), `{"a":[${number}]}`);
    });
  }

  for (const [text, message] of [
    ['1e400', /^the number 1e400 is out of the range of a 64-bit float at offset 0$/],
    [
      '{"a":[0,{"b":-1e400}]}',
      /^a\[1\]\.b: the number -1e400 is out of the range of a 64-bit float at offset 13$/,
    ],
    ['[[1],[2,3,1e999]]', /^\[1\]\[2\]: /],
    ['{"a":{"b":1},"c":{"d":[[]],"e":1e400}}', /^c\.e: /],
    [`{"a":${'9'.repeat(400)}}`, /^a: the number 9{40}… is out of the range/],
  ] as const)
    it(`a reader of finite numbers refuses ${text.slice(0, 40)} with the path`, () => {
      assert.throws(() => parseJson(Buffer.from(text), { finite: true }), {
        name: 'JsonSyntaxError',
        message,
      });
    });

  it('a reader of finite numbers keeps all others exactly', () => {
    for (const text of ['1e308', '-1E-400', '123456789012345678901234567890', '0.1234567890123456789'])
      assert.equal(
        exactNumberText(parseJson(Buffer.from(text), { finite: true })),
        exactNumberText(parse(text)),
      );
  });

  for (const [text, value] of [
    ['9007199254740991', 9007199254740991],
    ['1e3', 1000],
    ['1.5e3', 1500],
    ['1e21', 1e21],
    ['100000000000000000000', 1e20],
    ['0.30000000000000004', 0.30000000000000004],
    ['1.000000000000000000', 1],
    ['0e99999999999', 0],
  ] as const) {
    it(`the JSON parser reads ${text} as a plain number, which is exact`, () =>
      assert.equal(parse(text), value));
  }

  it('the JSON parser keeps the text of whole numbers with a fraction or an exponent on request, and only of these', () => {
    const kept = ['5.0', '-0.0', '0e0', '1e2', '1E+2', '1.50e1', '100e-2', '1.000000000000000000', '1e18'];
    for (const text of kept)
      assert.equal(
        JSON.stringify(parseJson(Buffer.from(`{"a":[${text}]}`), { keepSpelling: true })),
        `{"a":[${text}]}`,
      );
    const plain = '[5,-0,100,10.5,0.10,1.5,5e-1,"5.0","1e2",{"1.0":10}]';
    assert.deepEqual(parseJson(Buffer.from(plain), { keepSpelling: true }), JSON.parse(plain));
  });

  it('declared integers are read from digits alone', () => {
    const read = (text: string): bigint | undefined =>
      declaredInteger(parseJson(Buffer.from(text), { keepSpelling: true }));
    for (const text of ['5', '-7', '9007199254740993', '123456789012345678901234567890'])
      assert.equal(read(text), BigInt(text));
    for (const text of ['5.0', '1e2', '0e0', '-0.0', '9007199254740993.0', '1.5', '"5"'])
      assert.equal(read(text), undefined, text);
  });

  it('the JSON parser gives the same value on the fast and on the lossless path', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const expected: unknown = JSON.parse(text);
        assert.deepEqual(parse(text), expected);
        assert.deepEqual(parseLossless(text), expected);
        assert.ok(jsonEquals(parse(text), expected));
      }),
    );
  });

  it('the JSON parser keeps the decimal value of any number', () => {
    const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?$/);
    const rational = (text: string): [bigint, bigint] => {
      const [, whole = '', fraction = '', exponent = '0'] =
        /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
      const power = Number(exponent) - fraction.length;
      const digits = BigInt(whole + fraction);
      return power >= 0 ? [digits * 10n ** BigInt(power), 1n] : [digits, 10n ** BigInt(-power)];
    };
    fc.assert(
      fc.property(digits, (text) => {
        const [a, b] = rational(text);
        const [c, d] = rational(exactNumberText(parse(text)) ?? '');
        assert.equal(a * d, c * b, text);
      }),
    );
  });

  it('the JSON parser makes __proto__ an ordinary field without effect', () => {
    for (const text of ['{"__proto__":{"x":1},"a":1}', '{"__proto__":{"x":1},"a":9007199254740993}']) {
      const value = parse(text) as Record<string, unknown>;
      assert.deepEqual(Object.keys(value), ['__proto__', 'a']);
      assert.equal(Object.getPrototypeOf(value), Object.prototype);
      assert.equal('x' in value, false);
      assert.equal(again(text), text);
    }
    assert.equal(({} as Record<string, unknown>)['x'], undefined);
  });

  it('the JSON parser takes the last of duplicate fields', () => {
    assert.deepEqual(parse('{"a":1,"a":2}'), { a: 2 });
    assert.equal(again('{"a":9007199254740993,"a":2}'), '{"a":2}');
  });

  it('the JSON parser reads any depth up to the limit and refuses 20,000 levels with a precise error', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    assert.doesNotThrow(() => parse(nested(MAX_JSON_DEPTH)));
    for (const text of [nested(20_000), '{"a":'.repeat(20_000), nested(MAX_JSON_DEPTH + 1)]) {
      assert.throws(
        () => parse(text),
        (error) => {
          assert.ok(error instanceof JsonSyntaxError);
          assert.equal(error.kind, 'limit');
          assert.match(error.message, /^nested more than 500 levels deep at offset \d+$/);
          return true;
        },
      );
    }
    assert.throws(
      () => parseJson(Buffer.from('[[[]]]'), { maxDepth: 2 }),
      /more than 2 levels deep at offset 2/,
    );
  });

  it('the JSON parser does not count brackets inside strings', () => {
    assert.equal(parse(`"${'['.repeat(2000)}"`), '['.repeat(2000));
    assert.equal(parse(`"\\\\\\"${'{'.repeat(2000)}"`), `\\"${'{'.repeat(2000)}`);
  });

  for (const [text, message] of [
    ['', 'unexpected end of JSON input looking for beginning of value at offset 0'],
    ['{"a":1', 'unexpected end of JSON input after object member at offset 6'],
    ['{"a" 1}', "invalid character '1' looking for ':' after member name at offset 5"],
    ['{"é":x}', "invalid character 'x' looking for beginning of value at offset 6"],
    ["{'a':1}", "invalid character ''' looking for a quoted member name at offset 1"],
    ['[1,]', "invalid character ']' looking for beginning of value at offset 3"],
    ['[1 2]', "invalid character '2' after array element at offset 3"],
    ['{} {}', "invalid character '{' after top-level value at offset 3"],
    ['01', "invalid character '1' after leading zero of a number at offset 1"],
    ['1.', 'unexpected end of JSON input after decimal point in number at offset 2'],
    ['1e+', 'unexpected end of JSON input in exponent of number at offset 3'],
    ['-x', "invalid character 'x' in number at offset 1"],
    ['nul', 'unexpected end of JSON input in literal null at offset 3'],
    ['"a\nb"', 'invalid character U+000A in string at offset 2'],
    ['"\\x"', "invalid character 'x' in string escape at offset 2"],
    ['"\\u12G4"', "invalid character 'G' in \\u escape at offset 5"],
    ['"abc', 'unexpected end of JSON input in string at offset 4'],
    ['[9007199254740993,]', "invalid character ']' looking for beginning of value at offset 18"],
    ['\u00a0{}', 'invalid character U+00A0 looking for beginning of value at offset 0'],
  ] as const) {
    it(`the JSON parser says precisely what is wrong with ${JSON.stringify(text)}`, () => {
      assert.throws(() => parse(text), { name: 'JsonSyntaxError', message });
    });
  }

  it('the JSON parser refuses a byte order mark and malformed UTF-8 with their offsets', () => {
    const at = (bytes: number[]): string => {
      try {
        parseJson(Buffer.from(bytes));
      } catch (error) {
        assert.ok(error instanceof JsonSyntaxError && error.kind === 'encoding');
        return error.message;
      }
      return 'accepted';
    };
    assert.equal(
      at([0xef, 0xbb, 0xbf, 0x7b, 0x7d]),
      'byte order mark: JSON must start without one at offset 0',
    );
    assert.equal(at([0x22, 0xff, 0x22]), 'invalid UTF-8 at offset 1');
    assert.equal(at([0x22, 0xc3, 0xa9, 0xc3, 0x22]), 'invalid UTF-8 at offset 3');
    assert.equal(at([0x22, 0xef, 0xbf, 0xbd, 0xed, 0xa0, 0x80, 0x22]), 'invalid UTF-8 at offset 4');
    assert.equal(parse('"\ufffd"'), '\ufffd');
  });

  it('the parser agrees with the runtime on what is JSON, for texts with random mistakes', () => {
    const accepts = (read: () => unknown): boolean => {
      try {
        read();
        return true;
      } catch {
        return false;
      }
    };
    const broken = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', '"', '\\', '{', ']', ',', ':', '0', 'e', '-', ' ', '\u0001', '\\u00'),
      )
      .map(([text, at, noise]) => {
        const cut = at % (text.length + 1);
        return text.slice(0, cut) + noise + text.slice(cut + (at % 2));
      });
    fc.assert(
      fc.property(broken, (text) => {
        const expected = accepts(() => JSON.parse(text));
        assert.equal(
          accepts(() => new JsonWalker(text).walk()),
          expected,
          text,
        );
        assert.equal(
          accepts(() => parseLossless(text)),
          expected,
          text,
        );
        assert.equal(
          accepts(() => parse(text)),
          expected,
          text,
        );
      }),
    );
  });

  it('the JSON parser fails only with a JsonSyntaxError, regardless of the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          parseJson(bytes);
        } catch (error) {
          assert.ok(error instanceof JsonSyntaxError);
          assert.ok(error.offset >= 0 && error.offset <= bytes.length);
        }
      }),
    );
  });
});

describe('exact numbers', () => {
  it('exact numbers become bigints when they are whole and of limited size', () => {
    assert.equal(exactInteger(parse('9007199254740993')), 9007199254740993n);
    assert.equal(exactInteger(parse('1e30')), 10n ** 30n);
    assert.equal(exactInteger(parse('12345678901234567890.5e1')), 123456789012345678905n);
    assert.equal(exactInteger(parse('12345678901234567890.5')), undefined);
    assert.equal(exactInteger(parse('1e999999999')), undefined);
    assert.equal(exactInteger(parse(`1${'0'.repeat(5000)}1`)), undefined);
    assert.equal(exactInteger('5'), undefined);
    assert.equal(exactInteger(1.5), undefined);
  });

  it('exact numbers are known to fit 64 bits or not', () => {
    for (const text of ['0', '-1', '9223372036854775807', '-9223372036854775808', '9007199254740993']) {
      assert.equal(isInt64(parse(text)), true, text);
    }
    for (const text of ['9223372036854775808', '-9223372036854775809', '1.5', '1e400', '"1"', 'null']) {
      assert.equal(isInt64(parse(text)), false, text);
    }
  });

  it('exact numbers come from bigints, plain where that is exact', () => {
    assert.equal(jsonInteger(42n), 42);
    assert.equal(exactNumberText(jsonInteger(2n ** 63n - 1n)), '9223372036854775807');
    assert.equal(approximateNumber(jsonInteger(2n ** 63n - 1n)), 2 ** 63);
    assert.equal(approximateNumber('1'), undefined);
  });
});

describe('duplicate keys of JSON', () => {
  it('the parser names each duplicate by its path, once', () => {
    const text = '{"a":1,"b":{"x":1,"y":[{"k":1,"k":2},{"k":3}],"x":2,"x":3},"a":2,"\\u0061":3}';
    assert.deepEqual(findDuplicateKeys(Buffer.from(text)), ['b.y[0].k', 'b.x', 'a']);
  });

  it('the search for duplicate keys finds none where objects merely share names', () => {
    assert.deepEqual(findDuplicateKeys(Buffer.from('[{"a":{"a":1}},{"a":[{"a":2}]}]')), []);
  });
});

describe('encoder of JSON', () => {
  it('the encoder escapes what the wire escapes and adds no newline', () => {
    assert.equal(
      encodeJson({ a: '<b>&\u2028\u2029é' }).toString(),
      '{"a":"\\u003cb\\u003e\\u0026\\u2028\\u2029é"}',
    );
    assert.equal(jsonText({ a: ['<'] }, 2), '{\n  "a": [\n    "\\u003c"\n  ]\n}');
  });

  it('encoded JSON reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) =>
        jsonEquals(parseJson(encodeJson(value)), JSON.parse(JSON.stringify(value))),
      ),
    );
  });

  it('the JSON encoder refuses what is not JSON', () =>
    assert.throws(() => encodeJson(undefined), TypeError));
});

describe('JSON values', () => {
  it('JSON values are copied deeply, with exact numbers and __proto__ fields', () => {
    const value = parse('{"a":[{"n":9007199254740993}],"__proto__":{"x":[1]}}') as Record<string, unknown>;
    const copy = cloneJson(value);
    assert.ok(jsonEquals(copy, value));
    assert.notEqual(copy['a'], value['a']);
    assert.deepEqual(Object.keys(copy), ['a', '__proto__']);
    assert.equal(encodeJson(copy).toString(), encodeJson(value).toString());
  });

  it('JSON values are equal regardless of field order, and not when a field differs', () => {
    assert.ok(jsonEquals({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }));
    assert.ok(jsonEquals({ a: 1, b: undefined }, { a: 1 }));
    assert.ok(jsonEquals(parse('9007199254740993'), parse('9007199254740993')));
    for (const [a, b] of [
      [{ a: 1 }, { a: 2 }],
      [{ a: 1 }, { b: 1 }],
      [{ a: 1, b: undefined }, { b: 1 }],
      [{}, []],
      [[1], [1, 2]],
      [null, {}],
      [0, '0'],
      [{ toString: 1 }, {}],
      [parse('9007199254740993'), parse('9007199254740995')],
      [parse('9007199254740993'), {}],
    ]) {
      assert.equal(jsonEquals(a, b), false, JSON.stringify([a, b]));
      assert.equal(jsonEquals(b, a), false, JSON.stringify([b, a]));
    }
  });

  it('JSON values tell objects from arrays, null and exact numbers', () => {
    assert.equal(isJsonObject({}), true);
    for (const value of [[], null, 1, 'x', parse('9007199254740993')])
      assert.equal(isJsonObject(value), false);
  });

  it('JSON values can be frozen with all values within, and take fields of any name', () => {
    const frozen = deepFreeze({ a: [{ b: 1 }] });
    assert.throws(() => Object.assign(frozen.a[0] ?? {}, { b: 2 }), TypeError);
    const target = {};
    setField(target, '__proto__', 1);
    assert.deepEqual(Object.keys(target), ['__proto__']);
  });
});

describe('numbers from text', () => {
  it('the number parser answers quickly for numerals of a megabyte', () => {
    const digits = '9'.repeat(1_000_000);
    assert.equal(exactNumberText(numberFromText(digits)), digits);
  });
});
