import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isSimpleJsonPath, jsonPathProblem } from './json-path.ts';

describe('paths of columns', () => {
  for (const path of [
    '.a',
    '.spec.a.b',
    '.a[0]',
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
    ".a[?(@.b[?(@.c)].e!='x)]')]",
    '.a[?(@.b)].c',
    '.a .b',
  ]) {
    it(`${path} is one`, () => assert.equal(jsonPathProblem(path), undefined));
  }

  for (const path of [
    'a',
    'a b',
    '.a[',
    '.a[]',
    '.a[b]',
    '.a["b"]',
    ".a['b]",
    '.a[?(@.b==)]',
    '.a[?(b==1)]',
    '.a[?(@.b=1)]',
    '.a[?@.b]',
    '.a}',
    '.a{b}',
    '.a"b"',
    'range',
  ]) {
    it(`${path} is none`, () => assert.notEqual(jsonPathProblem(path), undefined));
  }

  it('take time in proportion to their length, and nest within bounds', () => {
    for (const piece of ['.a', '[0]', '[?(@', ".a['b']", '[', '(', "'", '.a[?(@.b==1)]', ',', '\\', '. ']) {
      const start = performance.now();
      jsonPathProblem(piece.repeat(50_000));
      isSimpleJsonPath(piece.repeat(50_000));
      assert.ok(performance.now() - start < 2000, piece);
    }
  });

  it('of any text are fine or not, and never fail', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'.a[]?(@)=\'"*,:-0\\ {}$'), maxLength: 20 }),
        (path) => {
          jsonPathProblem(path);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('paths of replicas', () => {
  for (const [path, isOne] of [
    ['.spec.replicas', true],
    ['.spec.a[0]', true],
    ['.spec.a\\.b', true],
    ['spec.replicas', false],
    ['.spec..a', false],
    ['.spec.*', true],
    ['.spec[*]', false],
    ['.', false],
    ['', false],
  ] as const) {
    it(`${path} is ${isOne ? 'simple' : 'not'}`, () => assert.equal(isSimpleJsonPath(path), isOne));
  }
});
