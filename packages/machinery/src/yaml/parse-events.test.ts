import { deepEqual, equal, ok } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { encodeYaml } from './encode.ts';
import { parseFullYaml } from './parse.ts';
import { parseUsualYaml } from './parse-events.ts';
import { YamlSyntaxError } from './syntax-error.ts';

const root = join(import.meta.dirname, '../../../..');
const limits = { maxDepth: 500, maxExpandedSize: 16 * 1024 * 1024 };

/** The value or the refusal of the full parser. */
function full(text: string, maxDepth = 500): { readonly value: unknown } | undefined {
  try {
    return { value: parseFullYaml(text, { maxDepth }) };
  } catch (error) {
    if (error instanceof YamlSyntaxError) return undefined;
    throw error;
  }
}

/** Reports whether the fast parser read the text; fails if it read it differently or if the full parser refuses the text. */
function agrees(text: string): boolean {
  const usual = parseUsualYaml(text, limits);
  if (usual !== undefined) deepEqual(usual, full(text), JSON.stringify(text));
  return usual !== undefined;
}

const repositoryTexts = globSync('{charts,deploy,docs,examples,packages,test}/**/*.{yaml,yml}', {
  cwd: root,
  exclude: (name) => name === 'node_modules' || name === 'dist',
}).flatMap((file) => readFileSync(join(root, file), 'utf8').split(/^---$/m));

/** Pieces that mean much next to each other: indicators, indentation, scalars of every style and of every type. */
const pieces = [
  ...['a', 'b: ', 'c', '- ', '\n', '\n  ', '\n    ', ' ', ': ', ':', '? ', '[', ']', '{', '}', ',', ', '],
  ...[
    '"x"',
    "'y'",
    '"a\n b"',
    "'it''s'",
    '#',
    ' # c',
    '|\n',
    '>\n',
    '|-\n  t',
    '>+\n',
    '|2\n',
    '>-\n  a\n\n  b\n',
  ],
  ...[
    '0644',
    'yes',
    '1.50',
    '9007199254740993',
    'null',
    '~',
    '---\n',
    '...\n',
    '\\n',
    '"\\x41"',
    '1e400',
    '.inf',
  ],
  ...[
    'key: value\n',
    '- a\n',
    '  - b\n',
    '-',
    '!',
    '!!str ',
    '*a',
    '&a ',
    '@',
    '%',
    '`',
    '\t',
    'é',
    '\u{1f600}',
  ],
  ...[
    'key:\n',
    '  k: v\n',
    '"k": v\n',
    '[a, b]',
    '{a: b}',
    '<<: ',
    '=',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\r\n',
  ],
];
const generated = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 10 })
  .map((all) => all.join(''));

describe('the fast YAML parser', () => {
  for (const text of [
    'mode: 0644\non: yes\nday: 2001-12-14\nexact: 9007199254740993\nfine: 1.10\n',
    'a:\n- b\n- c: d\n  e: "f\\n"\n-\n  - g\nh: |\n  text\n   more\n\ni: >-\n  one\n  two\n\n  three\n',
    '--- # comment\na: [b, {c: d}, "e"]\n...\n',
    'plain text\n of two lines\n',
    'url: https://example.com/?a=b&c=*\nat: "@x"\nglob: a*b&c!d\n',
    '__proto__: {a: 1}\n',
  ])
    it(`the fast parser reads ${JSON.stringify(text)} as the full parser does`, () => ok(agrees(text)));

  for (const [what, text] of [
    ['a repeated key', 'a: 1\na: 2\n'],
    ['a repeated key of different types', 'on: 1\ntrue: 2\n'],
    ['a merge', 'a: &x {b: 1}\nc: {<<: *x}\n'],
    ['a merge without an anchor', '<<: {b: 1}\n'],
    ['an alias', 'a: &x b\nc: *x\n'],
    ['a tag', 'a: !!str 1\n'],
    ['two documents', 'a: 1\n---\nb: 2\n'],
    ['no document', '# comment\n'],
    ['an indented mark of a document', ' ---\n'],
    ['a directive', '%YAML 1.1\n---\na: 1\n'],
    ['a tab', 'a:\tb\n'],
    ['a line break of another version', 'a: b\u2028c: d\n'],
    ['a number that JSON does not have', 'a: .inf\n'],
    ['a key that is null', '~: 1\n'],
    ['a key that is a sequence', '? [a]\n: b\n'],
    ['a block text with line breaks only', '- |+\n \n  '],
    ['a block text with a stated indentation', '--- |1\n-'],
    ['a colon on another line than its key', '{yes "foo" # comment\n  :bar }\n'],
    ['an error', 'a: [b\n'],
  ] as const)
    it(`the fast parser leaves ${what} to the full parser`, () =>
      equal(parseUsualYaml(text, limits), undefined));

  it('the fast parser reads nearly every YAML file of this repository, with the values of the full parser', () => {
    const read = repositoryTexts.filter(agrees).length;
    ok(read > 0.85 * repositoryTexts.length, `${read} of ${repositoryTexts.length}`);
  });

  it('the fast parser agrees with the full parser on generated texts', () => {
    fc.assert(fc.property(generated, (text) => void agrees(text)));
  });

  it('the fast parser agrees with the full parser on files of this repository with a piece inserted or characters removed', () => {
    const short = repositoryTexts.filter((text) => text.length < 2000);
    const edit = fc.record({
      text: fc.constantFrom(...short),
      at: fc.nat(2000),
      piece: fc.constantFrom('', ...pieces),
    });
    fc.assert(
      fc.property(edit, fc.nat(3), ({ text, at, piece }, removed) => {
        const place = at % (text.length + 1);
        agrees(text.slice(0, place) + piece + text.slice(place + removed));
      }),
    );
  });

  it('the fast parser reads what the encoder writes', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => void agrees(encodeYaml(value))));
  });

  it('values deeper than the limit are left to the full parser, which refuses them', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{a: ', '}'],
      ['- ', ''],
    ] as const) {
      const nested = (depth: number): string => `${open.repeat(depth)}b${close.repeat(depth)}\n`;
      for (const depth of [1, 3, 4, 5, 6, 30_000]) {
        const usual = parseUsualYaml(nested(depth), { ...limits, maxDepth: 4 });
        if (usual !== undefined) deepEqual(usual, full(nested(depth), 4));
        ok(depth <= 4 || usual === undefined, `${depth} levels of ${open}`);
      }
    }
  });
});
