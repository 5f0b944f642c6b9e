import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { exactNumberText, jsonEquals } from '../json/index.ts';
import { unicodeString } from '../testing/unicode-string.ts';
import { encodeYaml } from './encode.ts';
import { type ParseYamlOptions, parseYaml } from './parse.ts';
import { YamlSyntaxError } from './syntax-error.ts';

const parse = (text: string, options?: ParseYamlOptions): unknown => parseYaml(Buffer.from(text), options);

const failure = (text: string, options?: ParseYamlOptions): YamlSyntaxError => {
  try {
    parse(text, options);
  } catch (error) {
    assert.ok(error instanceof YamlSyntaxError, String(error));
    return error;
  }
  throw new Error(`accepted: ${text.slice(0, 80)}`);
};

describe('parser of YAML', () => {
  for (const [text, value] of [
    ['0644', 420],
    ['0o644', 420],
    ['0x1F', 31],
    ['0b101', 5],
    ['-010', -8],
    ['089', 89],
    ['+12', 12],
    ['1_000', 1000],
    ['1.50', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['-1.5E+2', -150],
    ['yes', true],
    ['On', true],
    ['y', true],
    ['TRUE', true],
    ['no', false],
    ['off', false],
    ['N', false],
    ['~', null],
    ['Null', null],
    ['', null],
    ['2001-01-01', '2001-01-01'],
    ['2001-12-14t21:59:43.10-05:00', '2001-12-14t21:59:43.10-05:00'],
    ['1:30', '1:30'],
    ['80:80', '80:80'],
    ['1.2.3', '1.2.3'],
    ['0x', '0x'],
    ['1e', '1e'],
    ['-', [null]],
    ['100m', '100m'],
    ['"0644"', '0644'],
    ["'yes'", 'yes'],
    ['!!str 123', '123'],
    ['!!int "7"', 7],
    ['!!bool "yes"', true],
    ['!!null ""', null],
    ['|\n a\n b\n', 'a\nb\n'],
    ['>-\n a\n b\n', 'a b'],
    ['# only a comment\n', null],
    ['---\na: 1\n...\n', { a: 1 }],
    ['---\na: 1\n---\n# nothing\n', { a: 1 }],
    ['%YAML 1.1\n---\na: 1\n', { a: 1 }],
    ['\ufeffa: 1\n', { a: 1 }],
    ['1: a\nyes: b\n1.5: c\n0x10: d\n', { 1: 'a', true: 'b', 1.5: 'c', 16: 'd' }],
    ['a: 1\na: 2\n', { a: 2 }],
    ['{"a": [1, {"b": null}]}', { a: [1, { b: null }] }],
    ['{a: [x, z], b: {c: d}}', { a: ['x', 'z'], b: { c: 'd' } }],
    ['a:\n- 1\n- b: 2\n', { a: [1, { b: 2 }] }],
    ['a: &x {p: 1}\nb: *x\n', { a: { p: 1 }, b: { p: 1 } }],
    ['a: &x 1\nb: &x 2\nc: *x\n', { a: 1, b: 2, c: 2 }],
    ['? &k a\n: 1\nb: *k\n', { a: 1, b: 'a' }],
    ['a: &x {p: 1, q: 2}\nb:\n  q: 3\n  <<: *x\n', { a: { p: 1, q: 2 }, b: { q: 3, p: 1 } }],
    [
      'a: &x {p: 1}\nb: &y {p: 2, r: 3}\nc:\n  <<: [*x, *y]\n',
      { a: { p: 1 }, b: { p: 2, r: 3 }, c: { p: 1, r: 3 } },
    ],
    ['a:\n  <<: {p: 1}\n', { a: { p: 1 } }],
    ['"<<": {p: 1}\n', { '<<': { p: 1 } }],
  ] as const) {
    it(`the YAML parser reads ${JSON.stringify(text)} as ${JSON.stringify(value)}`, () =>
      assert.deepEqual(parse(text), value));
  }

  it('a number beyond the range of a double is a string, as in other readers, and is written in quotes', () => {
    for (const text of ['1e400', '-1e400', '+1.e400', '9'.repeat(400), `0x${'f'.repeat(300)}`])
      assert.deepEqual(parse(`a: ${text}`), { a: text });
    assert.deepEqual(parse('{"a": 1e400}'), { a: '1e400' });
    assert.equal(encodeYaml({ a: '1e400' }), 'a: "1e400"\n');
  });

  it('the YAML parser keeps large and fine numbers exactly', () => {
    for (const [text, kept] of [
      ['9007199254740993', '9007199254740993'],
      ['-12345678901234567890', '-12345678901234567890'],
      ['0xffffffffffffffff', '18446744073709551615'],
      ['1_000_000_000_000_000_000_001', '1000000000000000000001'],
      ['0.1234567890123456789', '0.1234567890123456789'],
    ] as const) {
      assert.equal(exactNumberText((parse(`a: ${text}`) as { a: unknown }).a), kept);
    }
  });

  it('the YAML parser makes __proto__ an ordinary field without effect, also through merges', () => {
    const value = parse('a: &x\n  __proto__: {p: 1}\nb:\n  <<: *x\n') as Record<
      string,
      Record<string, unknown>
    >;
    assert.deepEqual(Object.keys(value['b'] ?? {}), ['__proto__']);
    assert.equal('p' in (value['b'] ?? {}), false);
  });

  it('the YAML parser gives each alias a separate copy of the value', () => {
    const value = parse('a: &x {p: [1]}\nb: *x\n') as { a: { p: number[] }; b: { p: number[] } };
    value.a.p.push(2);
    assert.deepEqual(value.b.p, [1]);
  });

  for (const [text, message] of [
    ['a: 1\n---\nb: 2\n', 'more than one document: send one object at a time at line 2, column 1'],
    ['a: [1\n', /line 2, column 1$/],
    ['a: *nope\n', 'unknown anchor "nope" at line 1, column 4'],
    ['a: &x [*x]\n', 'anchor "x" contains itself at line 1, column 8'],
    ['a: &x\n  <<: *x\n', 'anchor "x" contains itself at line 2, column 7'],
    ['<<: 5\n', "'<<' merges a mapping or a sequence of mappings at line 1, column 5"],
    ['~: 1\n', 'a key must not be null at line 1, column 1'],
    ['? [a]\n: 1\n', 'a key must be a scalar at line 1, column 3'],
    ['a: .inf\n', '.inf is not a JSON value at line 1, column 4'],
    ['a: !!binary aGk=\n', 'unsupported tag tag:yaml.org,2002:binary at line 1, column 13'],
    ['a: !!int x\n', '"x" is not of type !!int at line 1, column 10'],
    ['a: b: c\n', /^Nested mappings are not allowed in compact mappings at line 1, column 4$/],
    ['\tb: 1\n', /line 1/],
    [']', /line 1, column 1$/],
    ['a: @x\n', /line 1/],
  ] as const) {
    it(`the YAML parser refuses ${JSON.stringify(text)} with its place`, () => {
      const { message: actual } = failure(text);
      if (typeof message === 'string') assert.equal(actual, message);
      else assert.match(actual, message);
    });
  }

  it('a carriage return ends a line, alone and before a line feed', () => {
    const value = { a: 'v', b: ['one', 'two'], c: 'first\nsecond\n' };
    const lines = 'a: v\n\nb:\n- one\n- two\nc: |\n  first\n  second\n';
    for (const end of ['\r', '\r\n', '\n']) assert.deepEqual(parse(lines.replaceAll('\n', end)), value);
    assert.deepEqual(parse('ne-s-: v\n\r'), { 'ne-s-': 'v' });
    assert.throws(() => parse('a: v\rb: [\r'), /line [23]/);
  });

  it('text in malformed UTF-8 is refused', () => {
    assert.throws(() => parseYaml(Buffer.from([0x61, 0x3a, 0x20, 0xff])), /invalid UTF-8/);
  });

  it('the YAML parser refuses 20,000 levels of any kind of nesting with a precise error', () => {
    for (const text of ['[', '{a: ', '- ', '? ', '[{a: ']) {
      const error = failure(text.repeat(20_000));
      assert.equal(error.kind, 'limit');
      assert.match(error.message, /^nested more than 500 levels deep at line 1, column \d+$/);
    }
    const stairs = Array.from({ length: 600 }, (_, i) => `${' '.repeat(i)}a:`).join('\n');
    assert.match(failure(stairs).message, /^nested more than 500 levels deep at line 502/);
    assert.doesNotThrow(() => parse('['.repeat(500) + ']'.repeat(500)));
    assert.doesNotThrow(() => parse(`a: ${'['.repeat(499)}${']'.repeat(499)}`));
  });

  it('the YAML parser counts the depth that aliases add', () => {
    const lines = [
      'a0: &a0 [1]',
      ...Array.from({ length: 99 }, (_, i) => `a${i + 1}: &a${i + 1} [[[[[[*a${i}]]]]]]`),
    ];
    assert.match(failure(lines.join('\n')).message, /nested more than 500 levels/);
  });

  it('the parser defuses alias bombs of sequences, mappings, long strings and merges', () => {
    const laughs = (first: string, next: (i: number) => string): string =>
      [first, ...Array.from({ length: 30 }, (_, i) => next(i))].join('\n');
    for (const bomb of [
      laughs('a0: &a0 [x]', (i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}, *a${i}]`),
      laughs('a0: &a0 {x: y}', (i) => `a${i + 1}: &a${i + 1} {p: *a${i}, q: *a${i}, r: *a${i}}`),
      laughs('a0: &a0 {x: y}', (i) => `a${i + 1}: &a${i + 1} {<<: [*a${i}, *a${i}, *a${i}]}`),
      `a: &a ${'x'.repeat(100_000)}\nb: [${'*a, '.repeat(1000)}]\n`,
    ]) {
      const error = failure(bomb);
      assert.equal(error.kind, 'limit');
      assert.match(error.message, /once aliases are expanded/);
    }
  });

  it('the size and the number of documents of the input are limited', () => {
    assert.equal(failure('a: 1', { maxBytes: 3 }).kind, 'limit');
    assert.deepEqual(parse('{"a":1}', { maxBytes: 3 }), { a: 1 });
    assert.match(failure('---\n'.repeat(500)).message, /more than 100 documents/);
  });

  it('the YAML parser reports duplicate keys by path when asked, in JSON too', () => {
    for (const text of ['a: {b: 1, b: 2}\nc:\n- d: 1\n  d: 2\n', '{"a":{"b":1,"b":2},"c":[{"d":1,"d":2}]}']) {
      const paths: string[] = [];
      parse(text, { onDuplicateKey: (path) => void paths.push(path) });
      assert.deepEqual(paths, ['a.b', 'c[0].d']);
    }
  });

  it('the YAML parser fails only with a YamlSyntaxError, regardless of the text', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        ': ',
        '\n',
        '  ',
        '- ',
        '[',
        ']',
        '{',
        '}',
        ',',
        '&x ',
        '*x',
        '<<: ',
        '|',
        '>',
        '"',
        "'",
        '# ',
        '---\n',
      ],
      ...['!!int ', '? ', '!', '%', '@', '\t', '0', '~', 'é', '\\', '\0', '\ufeff', '...\n'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          parse(pieces.join(''));
        } catch (error) {
          assert.ok(error instanceof YamlSyntaxError, `${pieces.join('')}: ${error}`);
        }
      }),
    );
  });
});

describe('encoder of YAML', () => {
  it('the YAML writer uses block style', () => {
    const value = {
      apiVersion: 'v1',
      metadata: { name: 'a', labels: {}, annotations: { 'a.b/c': 'x' } },
      spec: {
        ports: [{ port: 80, name: 'http' }],
        args: ['--a', 'yes', '', '0644', 'a: b', '- x'],
        nested: [[1, 2], []],
      },
      script: 'echo 1\necho 2\n',
      none: null,
    };
    assert.equal(
      encodeYaml(value),
      [
        'apiVersion: v1',
        'metadata:',
        '  name: a',
        '  labels: {}',
        '  annotations:',
        '    a.b/c: x',
        'spec:',
        '  ports:',
        '  - port: 80',
        '    name: http',
        '  args:',
        '  - --a',
        '  - "yes"',
        '  - ""',
        '  - "0644"',
        "  - 'a: b'",
        "  - '- x'",
        '  nested:',
        '  - - 1',
        '    - 2',
        '  - []',
        'script: |',
        '  echo 1',
        '  echo 2',
        'none: null',
        '',
      ].join('\n'),
    );
  });

  it('written YAML reads back as the same value, regardless of its strings', () => {
    const text = fc.oneof(
      unicodeString(),
      fc.string(),
      fc.constantFrom(
        'yes',
        '0644',
        '1e3',
        '~',
        '',
        ' a',
        'a ',
        'a\n',
        '\na',
        'a\n\n',
        ' a\nb',
        'a \nb',
        'a\n b\n',
        '2001-01-01',
      ),
      fc
        .array(fc.constantFrom('a', ' ', '\n', ':', '#', '-', '\t', '"'), { maxLength: 12 })
        .map((parts) => parts.join('')),
    );
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('map'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      map: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    })).value;
    fc.assert(
      fc.property(value, (original) => {
        const plain: unknown = JSON.parse(JSON.stringify(original));
        assert.ok(jsonEquals(parse(encodeYaml(plain)), plain), encodeYaml(plain));
      }),
    );
  });

  it('long keys are marked as keys, since readers take at most 1,024 characters for one without a mark', () => {
    for (const length of [128, 129, 1023, 1024, 1025, 5000])
      for (const value of [
        'text',
        '',
        'two\nlines\n',
        1,
        null,
        [],
        {},
        ['a', { b: ['c'] }],
        { d: { e: [1] } },
      ]) {
        const key = 'k'.repeat(length);
        for (const object of [
          { a: 1, [key]: value, z: 2 },
          [{ [key]: value, z: 2 }],
          { [key]: { [key]: value } },
        ]) {
          const text = encodeYaml(object);
          assert.deepEqual(parse(text), object, `${length} ${JSON.stringify(value)}`);
          assert.equal(/^[ -]*\? "k/m.test(text), length > 128);
        }
      }
  });

  it('the YAML writer keeps exact numbers as they were read', () => {
    assert.equal(encodeYaml(parse('[9007199254740993]')), '- 9007199254740993\n');
  });
});
