import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expressionOf } from './pattern.ts';

/** Patterns with texts that they match and texts that they do not. */
const translated = [
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', ['a-b'], ['A', '-a']],
  [String.raw`^\S+\s\S$`, ['ab c'], ['a\u00a0b', 'a']],
  [String.raw`^[\s\S]$`, ['\n', '\u00a0', '\v', '😀'], ['']],
  ['^a.b$', ['a\rb', 'a\u2028b'], ['a\nb']],
  ['(?s)^a.b$', ['a\nb'], ['ab']],
  ['^(?i:Mon|tue)x$', ['MONx', 'tuex'], ['monX']],
  ['^((?i)[a-c]z)Q$', ['AZQ', 'bzQ'], ['AZq', 'dzQ']],
  [String.raw`\A(?P<year>\d{4})\z`, ['2024'], ['2024\n', 'a2024']],
  ['^[[:alpha:]_]+$', ['aZ_'], ['é', '1']],
  [String.raw`^[\w-.]+$`, ['a-b.c'], ['a b']],
  [String.raw`^\_\-\/\@[\-\_]$`, ['_-/@-'], ['_-/@/']],
  ['^a{,2}{b}]$', ['a{,2}{b}]'], ['a']],
  ['^[]a]+$', ['a]'], ['[']],
  [String.raw`^\x{1F600}\x41\a$`, ['😀A\x07'], ['A']],
  [String.raw`^\p{Greek}\PN\p{^Lu}$`, ['αaa'], ['aaa', 'α1a', 'αaA']],
  ['^.$', ['😀'], ['ab']],
] as const;

describe('patterns of schemas', () => {
  for (const [pattern, accepted, refused] of translated)
    it(`the pattern ${pattern} becomes an expression that matches the same texts`, () => {
      const expression = expressionOf(pattern);
      for (const text of accepted) assert.equal(expression?.test(text), true, JSON.stringify(text));
      for (const text of refused) assert.equal(expression?.test(text), false, JSON.stringify(text));
    });

  it('a pattern without a counterpart becomes no expression', () => {
    for (const pattern of [String.raw`\Qa\E`, '(?U)a+', '(?m)^a$', '(?=a)', String.raw`\C`, '[[:no:]]', '('])
      assert.equal(expressionOf(pattern), undefined, pattern);
  });
});
