import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { evaluateJsonPath } from './evaluate.ts';
import { JsonPathError, jsonPathProblem, parseJsonPath } from './parse.ts';

describe('paths into JSON values', () => {
  for (const path of [
    '.a',
    '.spec.a.b',
    '.a[0]',
    '.a[]',
    '.a[-1:]',
    '.a[0:4:2]',
    '.a[*].b',
    '.a[0,1]',
    ".a['b.c/d']",
    '.metadata.annotations.example\\.com/key',
    '..a',
    '.*',
    '$.a',
    '@.a',
    '.a[?(@.type=="Ready")].status',
    '.a[?(@.size>=1.5)].b',
    ".a[?(@.b.e!='x)]')]",
    '.a"b"',
    '.a[?(@.b)].c',
    '.a .b',
  ]) {
    it(`${path} is a JSON path`, () => assert.equal(jsonPathProblem(path), undefined));
  }

  for (const path of [
    'a',
    'a b',
    '.a[',
    '.a[b]',
    '.a["b"]',
    ".a['b]",
    '.a[?(@.b==)]',
    '.a[?(b==1)]',
    '.a[?(@.b=1)]',
    '.a[?@.b]',
    '.a}',
    '.a{b}',
    ".a[?(@.b[?(@.c)].e!='x)]')]",
    ".a['b[0]']",
    ".a['b,c']",
    '.a[-]',
    '"\\q"',
    '1.2.3',
    'range',
  ]) {
    it(`${path} is not a JSON path`, () => assert.notEqual(jsonPathProblem(path), undefined));
  }

  it('paths into JSON values take time in proportion to their length, and nest within bounds', () => {
    for (const piece of ['.a', '[0]', '[?(@', ".a['b']", '[', '(', "'", '.a[?(@.b==1)]', ',', '\\', '. ']) {
      const start = process.cpuUsage();
      jsonPathProblem(piece.repeat(50_000));
      const { user, system } = process.cpuUsage(start);
      assert.ok(user + system < 2_000_000, piece);
    }
  });

  it('paths of any text are fine or not, and never fail', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'.a[]?(@)=\'"*,:-0\\ {}$'), maxLength: 20 }),
        (path) => {
          jsonPathProblem(path);
        },
      ),
    );
  });
});

const value = {
  name: 'x',
  none: null,
  list: [1, 2, 3],
  parts: [
    { type: 'Ready', status: 'True', size: 3 },
    { type: 'Other', size: 1.5 },
  ],
  'a.b': { c: true },
  deep: { er: 7 },
};

describe('what a path leads to', () => {
  const rows: readonly (readonly [path: string, expected: readonly unknown[] | undefined])[] = [
    ['.name', ['x']],
    ['.none', [null]],
    ['.missing.below', []],
    ['.constructor', []],
    ['.list[0]', [1]],
    ['.list[]', [1]],
    ['.list[-1]', [3]],
    ['.list[1:]', [2, 3]],
    ['.list[0:3:2]', [1, 3]],
    ['.list[*]', [1, 2, 3]],
    ['.list[0,2]', [1, 3]],
    ['.list[3]', undefined],
    ['.name[0]', undefined],
    ['.none[0]', []],
    ['.a\\.b.c', [true]],
    ["['a\\.b'].c", [true]],
    ["['deep.er']", [7]],
    ["['deep.er','name']", [7, 'x']],
    ["['deep']['er']", [7]],
    ["['name', 'missing.below', 'deep.er']", ['x', 7]],
    ['.parts[*].type', ['Ready', 'Other']],
    ['.parts[?(@.type=="Ready")].status', ['True']],
    ['.parts[?(@.size>=2)].type', ['Ready']],
    ['.parts[?(@.status)].type', ['Ready']],
    ['.parts[?(@.type==1)].type', undefined],
    ['.list[?(@>1)]', [2, 3]],
    ['.name[?(@.a)]', undefined],
    ['..size', [3, 1.5]],
    ['.list[1:1:0]', []],
    ['.list[:9]', undefined],
    ['.list[*] true', [true, true, true]],
    ['.missing "a\\n\\u00fc"', ['a\nü']],
    ['.parts[?(@.type<true)]', undefined],
  ];
  for (const [path, expected] of rows) {
    it(`${path} leads to ${JSON.stringify(expected)}`, () =>
      assert.deepEqual(evaluateJsonPath(parseJsonPath(path), value), expected));
  }

  it('a position that a list lacks leads to nothing where that is allowed, also in a filter', () => {
    const objects = [{ name: 'one', list: [1] }, { name: 'two', list: [1, 2] }, { name: 'none' }];
    for (const [path, expected] of [
      ['[*].list[1]', [2]],
      ['[*].list[-2]', [1]],
      ['[*].list[1:3]', [2]],
      ['[?(@.list[1]==2)].name', ['two']],
      ['[?(@.list[1])].name', ['two']],
    ] as const) {
      const parsed = parseJsonPath(path);
      assert.deepEqual(evaluateJsonPath(parsed, objects, { allowsMissingItems: true }), expected);
      assert.equal(evaluateJsonPath(parsed, objects), undefined);
    }
  });

  it('a field that no value has is an error where fields are required, but an answer in a filter', () => {
    const required = (path: string) => evaluateJsonPath(parseJsonPath(path), value, { requiresFields: true });
    for (const path of ['.missing', '.name.below', '.none.below', '.parts[*].missing', "['name','missing']"])
      assert.throws(() => required(path), JsonPathError, path);
    assert.deepEqual(required('.parts[*].status'), ['True']);
    assert.deepEqual(required('.parts[?(@.missing)]'), []);
    assert.deepEqual(required('.list[5:5].missing'), []);
  });

  it('a path that visits everything again and again leads nowhere', () => {
    const wide = Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => ({ a: 1 })));
    assert.equal(evaluateJsonPath(parseJsonPath('..[*]..[*]..a'), wide), undefined);
  });
});
