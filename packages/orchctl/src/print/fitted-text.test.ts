import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fittedText } from './fitted-text.ts';

describe('texts for the columns of a terminal', () => {
  for (const [title, text, expected] of [
    ['a line that fits stays as it is', '  one two', '  one two'],
    [
      'a longer line continues at a word, indented further',
      '  one two three four',
      '  one two\n    three\n    four',
    ],
    ['a word that is longer than the terminal is not cut', 'abcdefghijklmnop q', 'abcdefghijklmnop\n  q'],
    ['empty lines remain between others', 'a\n\nb', 'a\n\nb'],
  ] as const)
    it(title, () => assert.equal(fittedText(text, 12), expected));
});
