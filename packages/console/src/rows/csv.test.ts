import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvText } from './csv.ts';

describe('a list as CSV', () => {
  for (const [text, written] of [
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "a"', '"say ""a"""'],
    ['two\nlines', '"two\nlines"'],
    ['-5', '-5'],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['-2+3', "'-2+3"],
    ['', ''],
  ] as const)
    it(`the cell ${JSON.stringify(text)} is written as ${JSON.stringify(written)}`, () =>
      assert.equal(csvText([[text, 'x']]), `${written},x\r\n`));
});
