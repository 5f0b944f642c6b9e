import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { RE2JS } from 're2js';
import { PatternSearch } from './pattern-search.ts';
import { testOf } from './pattern-test.ts';

const PATTERNS = 4000;
const TEXTS = 5;

const atoms = ['a', 'b', '.', '[ab]', '[^a]', '\\b', '\\B', '^', '$', '(?i)k', '\\pL', '(?m)^', '(?m)$'];
const others = [
  '\\n',
  'é',
  '(a|b)',
  '(ab)?',
  '\\w',
  '\\d',
  '(?s).',
  '\\z',
  '\\A',
  '(?:)',
  '[[:alpha:]]',
  '\\PL',
];
const repetitions = ['', '', '*', '+', '?', '{2}', '{1,3}', '*?', '+?'];
const characters = ['a', 'b', 'k', 'K', '\u212a', 'é', '\n', ' ', '1', '😀', '\ud800', '\udc00'];

const unlimited = { begin: (): void => {}, work: (): void => {} };

/** The matches that a search of the library finds. */
function matchesOf(compiled: RE2JS, text: string): readonly string[] {
  const matcher = compiled.matcher(text);
  return allOf(() => (matcher.find() ? (matcher.group() ?? '') : undefined));
}

function allOf(next: () => string | undefined): readonly string[] {
  const found: string[] = [];
  for (let match = next(); match !== undefined; match = next()) found.push(match);
  return found;
}

describe('a test of a string with a pattern', () => {
  it('a test of a string with a pattern has the answer of a search, for random patterns and texts', () => {
    const seed = 7;
    const random = seededRandom(seed);
    const oneOf = (list: readonly string[]): string => list[random.int(list.length)] ?? '';
    const part = (): string => {
      const atom = oneOf([...atoms, ...others]);
      return `(?:${atom})${oneOf(repetitions)}${random.int(6) === 0 ? '|' : ''}`;
    };
    const textOf = (most: number, one: () => string): string =>
      Array.from({ length: random.int(most + 1) }, one).join('');
    let matched = 0;
    for (let i = 0; i < PATTERNS; i++) {
      const pattern = textOf(4, part);
      const { test } = testOf(pattern);
      const reference = RE2JS.compile(pattern);
      const search = new PatternSearch(pattern);
      for (let j = 0; j < TEXTS; j++) {
        const text = textOf(7, () => oneOf(characters));
        const expected = matchesOf(reference, text);
        const found = expected.length > 0;
        const what = `seed ${seed}: ${JSON.stringify([pattern, text])}`;
        assert.equal(test(text), found, what);
        assert.deepEqual(allOf(search.matches(text, unlimited)), expected, what);
        matched += found ? 1 : 0;
      }
    }
    assert.ok(matched > PATTERNS && matched < PATTERNS * TEXTS - PATTERNS, `${matched} matched`);
  });

  it('a test of a string with a pattern has the answer of a search where its states exceed their memory', () => {
    const random = seededRandom(3);
    const pattern = '[xy]*x[xy]{14}z';
    const { test } = testOf(pattern);
    const letters = Array.from({ length: 40_000 }, () => (random.int(2) === 0 ? 'x' : 'y')).join('');
    assert.equal(test(letters), false);
    assert.equal(test(`${letters}z`), /x[xy]{14}z/.test(`${letters}z`));
    assert.equal(test(`${letters}x${letters.slice(0, 14)}z`), true);
  });
});
