import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RE2JS } from 're2js';
import { failureOfExpression, refusalOf, valueOfExpression } from '../../testing/evaluate.ts';
import { testOf } from '../patterns/pattern-test.ts';
import { excessOf, MAX_PATTERN_WORK, patternSize } from './pattern-size.ts';

describe('the size of a pattern', () => {
  const patterns = [
    'a',
    'abc|def',
    '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$',
    '^(([a-z0-9]|[a-z0-9][a-z0-9-]{0,61}[a-z0-9])\\.)+[a-z]{2,63}$',
    '((a{1,10}){1,10}){1,10}',
    '(ab){500}',
    '[^\\]a]{3,}',
    '\\p{L}{10}',
    '(a*)*b+c?'.repeat(20),
    '\\Qa{1000}\\E',
    'a{,2}{x',
    `${'('.repeat(200)}a{2}${')'.repeat(200)}`,
  ];
  for (const pattern of patterns) {
    it(`the size of a pattern is at least that of its program, but for a small factor: ${pattern.slice(0, 60)}`, () => {
      const actual = RE2JS.compile(pattern).programSize();
      const { instructions } = patternSize(pattern);
      assert.ok(instructions >= actual / 4, `${instructions} for ${actual}`);
    });
  }

  const exploding: readonly (readonly [title: string, pattern: string])[] = [
    ['a long repetition', `(${'ab'.repeat(500)}){1000}`],
    ['nested repetitions', '((((a{9}){9}){9}){9}){9}'],
    ['repeated classes of Unicode', '(\\p{L}\\p{N}){500}'],
    ['nested repetitions of classes of Unicode', '(([\\p{L}\\p{S}]{1,9}x){1,9}){1,9}'],
    ['many classes of Unicode', '(?i)\\pL'.repeat(2000)],
    ['a string of a megabyte', 'a?'.repeat(500_000)],
    ['a megabyte of brackets', '('.repeat(1_000_000)],
    ['a megabyte of open classes', '['.repeat(1_000_000)],
    ['a megabyte of escapes', '\\'.repeat(1_000_000)],
    ['a megabyte of braces', 'a{1'.repeat(300_000)],
    ['a megabyte of open Unicode classes', '\\p{'.repeat(300_000)],
  ];
  for (const [title, pattern] of exploding) {
    it(`the size of a pattern is estimated without reading the pattern as an expression: ${title}`, () =>
      assert.notEqual(excessOf(patternSize(pattern)), undefined));
  }

  it('the size of a pattern allows the greatest repetition of an expression', () => {
    for (const pattern of ['^a{1000}$', '^[a-z]{1,253}(\\.[a-z]{1,63}){0,15}$'])
      assert.equal(excessOf(patternSize(pattern)), undefined);
  });

  it('the size of a pattern allows host names in any script, whose labels repeat classes of Unicode', () => {
    const label = '[a-z0-9\\p{S}\\p{L}]((-?[a-z0-9\\p{S}\\p{L}]{0,62})?)';
    const inner = '[a-z0-9\\p{S}\\p{L}](([a-z0-9-\\p{S}\\p{L}]{0,61}[a-z0-9\\p{S}\\p{L}])?)';
    const ascii = '([a-z0-9][-a-z0-9]{0,61}[a-z0-9]|[a-z0-9]{1,63})';
    const host = `^(${label}|(${inner}(\\.)){1,}([a-z\\p{L}]){2,63})$|^(${ascii}[\\.]){0,}${ascii}$`;
    const size = patternSize(host);
    assert.equal(excessOf(size), undefined);
    assert.ok(size.work > MAX_PATTERN_WORK / 4, 'the copies of the classes count');
    const { test } = testOf(host);
    for (const [name, ok] of [
      ['apps.example.com', true],
      ['größe.beispiel', true],
      ['a_b', false],
      ['.com', false],
    ] as const)
      assert.equal(test(name), ok, name);
  });

  it('the size of a pattern limits the patterns of an evaluation, constant or not', () => {
    const half = `'(${'ab'.repeat(250)}'`;
    assert.match(failureOfExpression(`'a'.matches(${half} + '){1000}')`), /cost limit exceeded/);
    const many = `[${Array.from({ length: 500 }, (_, i) => i).join()}].all(i, !'a'.matches('x{900}' + string(i)))`;
    assert.match(failureOfExpression(many), /cost limit exceeded/);
  });

  it('the size of a pattern limits the different patterns of an expression together, each counted once', () => {
    const matching = (count: number, pattern: (i: number) => string): string =>
      Array.from({ length: count }, (_, i) => `'a'.matches('${pattern(i)}')`).join(' || ');
    assert.match(
      refusalOf(matching(100, (i) => `${i}a{1000}`)),
      /invalid matches argument: the patterns of the expression exceed 50000 instructions/,
    );
    assert.equal(valueOfExpression(matching(1000, () => 'a{1000}')), false);
    assert.equal(valueOfExpression(matching(3, (i) => `${i}a{1000}`)), false);
  });
});
