import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BudgetError, budgetOf } from './budget.ts';
import { compilePattern, type Pattern } from './pattern.ts';

const PLENTY = 50_000_000;

function compiled(pattern: string): Pattern {
  const result = compilePattern(pattern);
  assert.ok(typeof result === 'object', `${pattern}: ${String(result)}`);
  return result;
}

const matches = (pattern: string, text: string): boolean => compiled(pattern).matches(text, budgetOf(PLENTY));

describe('matching of patterns', () => {
  const rows: readonly (readonly [pattern: string, good: readonly string[], bad: readonly string[]])[] = [
    ['', ['', 'a'], []],
    ['a', ['a', 'bab'], ['', 'b']],
    ['^a$', ['a'], ['ba', 'ab', 'a\n']],
    ['^a|b$', ['ax', 'xb'], ['xa', 'bx']],
    ['^(a|b)*c?$', ['', 'abab', 'bac'], ['cc', 'abd']],
    ['^a{2}$', ['aa'], ['a', 'aaa']],
    ['^a{2,}$', ['aa', 'aaaa'], ['a']],
    ['^a{1,2}?$', ['a', 'aa'], ['', 'aaa']],
    ['^a{,2}$', ['a{,2}'], ['aa']],
    ['^{$', ['{'], ['']],
    ['^[a-c_]+$', ['abc_'], ['d', '']],
    ['^[^a-c]$', ['d', 'é', '\u{1f600}'], ['a', 'dd']],
    ['^[]a]+$', [']a'], ['b']],
    ['^[a-]+$', ['a-'], ['b']],
    ['^[[:alpha:]]+$', ['aZ'], ['a1', 'é']],
    ['^[[:^digit:]]$', ['a'], ['1']],
    ['^[\\d\\-]+$', ['1-2'], ['a']],
    ['^\\w+\\s\\S$', ['ab c'], ['ab  ']],
    ['^\\p{Lu}\\pN\\P{L}$', ['É1 '], ['é1 ', 'É1a']],
    ['^\\p{Greek}+$', ['λόγος'.normalize('NFC')], ['a']],
    ['^.$', ['a', '\u{1f600}'], ['\n', '']],
    ['(?s)^.$', ['\n'], ['']],
    ['(?i)^straße$', ['STRAßE', 'Straße'], ['strasse']],
    ['^(?i:a)b$', ['Ab', 'ab'], ['aB']],
    ['^(?i)a(?-i)b$', ['Ab'], ['aB']],
    ['(?m)^b$', ['a\nb\nc'], ['a b']],
    ['\\bfoo\\b', ['a foo b'], ['afoo', 'foob']],
    ['\\Boo', ['foo'], ['oo']],
    ['\\Aa\\z', ['a'], ['a\n']],
    ['^\\Qa.b*\\E+$', ['a.b*', 'a.b**'], ['axb*']],
    ['^\\x41\\x{1F600}\\101\\n$', ['A\u{1f600}A\n'], ['A']],
    ['^(?P<name>a)(?<other>b)$', ['ab'], ['a']],
    ['^(()|a)+$', ['', 'aa'], ['b']],
    ['^(a*)*$', ['', 'aaa'], ['b']],
  ];
  for (const [pattern, good, bad] of rows) {
    it(`the pattern ${JSON.stringify(pattern)} matches its texts and no others`, () => {
      for (const text of good) assert.equal(matches(pattern, text), true, JSON.stringify(text));
      for (const text of bad) assert.equal(matches(pattern, text), false, JSON.stringify(text));
    });
  }

  for (const pattern of [
    '(',
    ')',
    '(?',
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(?<!a)',
    '(?P=a)',
    '(?P<a',
    '(?P<>a)',
    '(?P<a>b)(?P<a>c)',
    '(?x)a',
    '[',
    '[a',
    '[b-a]',
    '[[:nope:]]',
    '*',
    'a**',
    'a+?*',
    '+a',
    'a{2,1}',
    'a{1001}',
    '(a{100}){11}',
    '((a{10}){10}){11}',
    '\\',
    '\\1',
    '\\8',
    '\\k<a>',
    '\\pX',
    '\\p{Nope}',
    '\\p{',
    '\\x{110000}',
    '\\xg0',
    '\\y',
  ]) {
    it(`the invalid pattern ${pattern} is rejected`, () =>
      assert.equal(typeof compilePattern(pattern), 'string'));
  }

  it('patterns match as in the engine of the platform where both support them', () => {
    const piece = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '^', '$', '\\b');
    const tree = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        piece,
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(?:${a}|${b})`),
        fc
          .tuple(tie('node'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}'))
          .map(([a, count]) => `(?:${a})${count}`),
      ),
    })).node;
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n'), maxLength: 6 });
    fc.assert(
      fc.property(tree, text, (pattern, value) => {
        assert.equal(
          matches(pattern, value),
          new RegExp(pattern).test(value),
          `${pattern} ${JSON.stringify(value)}`,
        );
      }),
    );
  });
});

describe('adversarial patterns', () => {
  it('the time of matching adversarial patterns is bounded by the budget', () => {
    for (const [pattern, text] of [
      ['^(a+)+$', `${'a'.repeat(50_000)}!`],
      ['(a|a)*b', 'a'.repeat(50_000)],
      [`${'a?'.repeat(500)}${'a'.repeat(500)}`, 'a'.repeat(500)],
      ['(.*){10}x', 'y'.repeat(10_000)],
    ] as const) {
      const start = performance.now();
      try {
        compiled(pattern).matches(text, budgetOf(2_000_000));
      } catch (error) {
        assert.ok(error instanceof BudgetError);
      }
      assert.ok(performance.now() - start < 3000, pattern.slice(0, 20));
    }
  });

  it('patterns with large counts exceed the budget', () => {
    assert.throws(() => compiled('(?:\\w{500}|\\d{500}){2}').matches('x', budgetOf(1000)), BudgetError);
  });

  it('patterns that are nested too deep are rejected at any size', () => {
    assert.equal(typeof compilePattern('('.repeat(100_000)), 'string');
    assert.equal(typeof compilePattern(`${'('.repeat(900)}a${')'.repeat(900)}`), 'object');
    assert.equal(
      typeof compilePattern(`${'('.repeat(900)}${'a'.repeat(100_000)}${')*'.repeat(900)}`),
      'string',
    );
  });

  it('any text is compiled or rejected without another error', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab(){}[]^$.*+?|\\-:=!<>PQEpdi1,&'), maxLength: 24 }),
        (pattern) => {
          const result = compilePattern(pattern);
          if (typeof result === 'object') result.matches('ab-1', budgetOf(PLENTY));
        },
      ),
    );
  });
});
