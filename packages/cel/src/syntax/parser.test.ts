import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refusalOf, valueOfExpression } from '../testing/evaluate.ts';

describe('the parser', () => {
  for (const [source, value] of [
    ['1 + 2 * 3 - 4', 3],
    ['(1 + 2) * 3', 9],
    ['-(-5)', 5],
    ['- 5 + 3', -2],
    ['!!true', true],
    ['7 % 4 * 2', 6],
    ['1 < 2 == true', true],
    ['true ? (false ? 1 : 2) : 3', 2],
    ['0x1F + -0x1f', 0],
    ['1e3 + .5', 1000.5],
    ['12u + 0x10U', '28u'],
    ['-9223372036854775808', '-9223372036854775808n'],
    ["'a\\n\\x41\\u00e9\\U0001F600\\101'", 'a\nAé😀A'],
    ["r'a\\n'", 'a\\n'],
    ['"""a\n"b" c"""', 'a\n"b" c'],
    ["b'\\xff\\101é'", "b'ÿAÃ©'"],
    ['// a comment\n1 // another\n+ 1', 2],
    ['[1, 2,].size() + {1: 2,}.size()', 3],
    ["{'a': {'b': [1]}}.a.b[0]", 1],
    ['[1].map(x, [x].map(x, x + 1))', [[2]]],
  ] as const)
    it(`the literal ${JSON.stringify(source)} has the value ${JSON.stringify(value)}`, () =>
      assert.deepEqual(valueOfExpression(source), value));

  for (const [source, message] of [
    ['', "ERROR: <input>:1:1: Syntax error: mismatched input '<EOF>'\n | \n | ^"],
    ['1 +\n  * 2', "ERROR: <input>:2:3: Syntax error: mismatched input '*'\n |   * 2\n | ..^"],
    [
      "'é' + '日' )",
      "ERROR: <input>:1:11: Syntax error: mismatched input ')'\n | 'é' + '日' )\n | .......．..^",
    ],
    ['\t@', "ERROR: <input>:1:2: Syntax error: token recognition error at: '@'\n |  @\n | .^"],
    ['9223372036854775808', 'ERROR: <input>:1:1: invalid int literal\n | 9223372036854775808\n | ^'],
    ['while', 'ERROR: <input>:1:1: reserved identifier: while\n | while\n | ^'],
    [
      '[1].all(1, true)',
      'ERROR: <input>:1:9: argument must be a simple name\n | [1].all(1, true)\n | ........^',
    ],
    ["'\\ud800'", "ERROR: <input>:1:1: invalid unicode code point in a literal\n | '\\ud800'\n | ^"],
  ] as const)
    it(`${JSON.stringify(source)} is refused with its position`, () =>
      assert.equal(refusalOf(source), message));

  for (const [what, source] of [
    ['brackets', '('.repeat(20_000)],
    ['negations', '!'.repeat(20_000) + '('.repeat(300)],
    ['lists', '['.repeat(300)],
    ['sums', `1${' + 1'.repeat(20_000)}`],
    ['selections', `self${'.a'.repeat(20_000)}`],
    ['conditionals', 'true ? 1 : '.repeat(5000)],
    ['calls', `self${'.a()'.repeat(20_000)}`],
    ['sums within brackets', `${'('.repeat(200)}1${`${' + 1'.repeat(90)})`.repeat(200)}`],
  ] as const)
    it(`${what} without end are refused`, () => assert.match(refusalOf(source), /recursion limit exceeded/));

  it('thousands of conditions in a row are not nesting', () =>
    assert.equal(valueOfExpression(`true${' && true'.repeat(5000)}`), true));

  it('a source of more than 100,000 characters is refused', () =>
    assert.match(refusalOf(`'${'a'.repeat(100_001)}'`), /code point size exceeds limit/));
});
