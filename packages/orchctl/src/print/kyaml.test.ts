import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJson } from '@orch/machinery/json';
import { parseYaml } from '@orch/machinery/yaml';
import fc from 'fast-check';
import { encodeKyaml } from './kyaml.ts';

/** Values, and their text as kubectl 1.37 prints it, without the first and the last line. */
const printed: readonly (readonly [what: string, value: object, lines: readonly string[]])[] = [
  ['empty collections', { a: {}, b: [] }, ['  a: {},', '  b: [],']],
  ['scalars', { a: null, b: false, c: 0.5 }, ['  a: null,', '  b: false,', '  c: 0.5,']],
  ['text', { a: 'q"uo\\te' }, ['  a: "q\\"uo\\\\te",']],
  [
    'text of several lines',
    { a: 'all:\n\tgo\n\n x\r\n', b: 'x\ny' },
    ['  a: "\\', '     all:\\n\\', '    \\\tgo\\n\\', '     \\n\\', '    \\ x\\r\\n\\', '    ",'].concat([
      '  b: "\\',
      '     x\\n\\',
      '     y\\',
      '    ",',
    ]),
  ],
  ['a list of scalars', { a: [1, 'b', {}] }, ['  a: [', '    1,', '    "b",', '    {},', '  ],']],
  [
    'a list of objects',
    { a: [{ b: 1 }, { c: [] }, {}] },
    ['  a: [{', '    b: 1,', '  }, {', '    c: [],', '  }, {}],'],
  ],
  ['lists in lists', { a: [[1], []] }, ['  a: [[', '    1,', '  ], []],']],
];

const plainKeys = [
  'a-b_c.d/e',
  '_',
  '__',
  'a_',
  '1-2',
  '1.2.3',
  '10.0.0.1',
  '12h',
  '1_a',
  '0x',
  '2020-1',
  'é1',
  'Ünï',
];
const quotedKeys = [
  ...[
    '',
    '-a',
    '.5',
    'a-',
    'a b',
    'a:b',
    '~',
    '+1',
    '1_000',
    '_1',
    '1e3',
    '0x1',
    '08',
    '0b1',
    '0o7',
    '2020-01-01',
  ],
  ...['y', 'N', 'On', 'no', 'NULL', 'True', '.nan', 'inf', '<<', '='],
];

describe('the encoder of KYAML', () => {
  for (const [what, value, lines] of printed)
    it(`the encoder of KYAML writes ${what} as kubectl does`, () => {
      assert.equal(encodeKyaml(value), `---\n{\n${lines.join('\n')}\n}\n`);
    });

  for (const key of plainKeys)
    it(`the key "${key}" has no quotes in KYAML`, () => {
      assert.equal(encodeKyaml({ [key]: 1 }), `---\n{\n  ${key}: 1,\n}\n`);
    });

  for (const key of quotedKeys)
    it(`the key "${key}", which could be read as another value, has quotes in KYAML`, () => {
      assert.equal(encodeKyaml({ [key]: 1 }), `---\n{\n  "${key}": 1,\n}\n`);
    });

  it('a number with more digits than a double has keeps them in KYAML', () => {
    assert.equal(
      encodeKyaml([parseJson(Buffer.from('12345678901234567890'))]),
      '---\n[\n  12345678901234567890,\n]\n',
    );
  });

  it('a reader of YAML reads the value that was written as KYAML', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom(' ', '\t', '\n', '\r', '\\', '"', 'a', '#', ':', '\u00a0', '\u2028', '\ufeff'),
      }),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(text, tie('value'), { maxKeys: 4 }).map((fields) => ({ ...fields })),
      ),
    }));
    fc.assert(
      fc.property(value, (written) => {
        assert.deepEqual(parseYaml(Buffer.from(encodeKyaml(written))), written);
      }),
    );
  });
});
