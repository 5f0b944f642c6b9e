import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tabColumns } from './tab-columns.ts';

describe('columns of text with tabs', () => {
  for (const [title, text, expected] of [
    ['a string without tabs is unchanged', 'a\n  b\n', 'a\n  b\n'],
    ['cells of one column have the same width', 'a\tb\nccc\td\n', 'a    b\nccc  d\n'],
    ['the last cell of a line has no blanks behind it', 'a\tb\n', 'a  b\n'],
    ['a line without tabs ends the columns', 'aaaa\tb\nc\nd\te\n', 'aaaa  b\nc\nd  e\n'],
    [
      'a further column is shared by lines that have it',
      'a\tbb\tc\nd\te\nf\tg\th\n',
      'a  bb  c\nd  e\nf  g  h\n',
    ],
    ['an empty cell is as wide as its column', 'ab\tc\n\td\n', 'ab  c\n    d\n'],
    ['characters beyond the basic plane count once', '\u{1f600}\ta\nbb\tc\n', '\u{1f600}   a\nbb  c\n'],
  ] as const)
    it(title, () => assert.equal(tabColumns(text), expected));
});
