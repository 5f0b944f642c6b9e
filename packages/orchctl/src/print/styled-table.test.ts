import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { TextOutput } from '../io.ts';
import { columnText } from './columns.ts';
import { styleOf } from './style.ts';
import { StyledTable } from './styled-table.ts';

const header = ['NAME', 'STATUS', 'IMAGES', 'NOTE'];
const rows = [
  ['a-name-that-is-longer-than-the-terminal', 'CrashLoopBackOff', 'example.com/a/very/long/image:1', 'first'],
  ['Failed', 'Pending', 'b', 'Failed'],
];
const tableText = (width: number | undefined, hasColors: boolean): string =>
  new StyledTable(header, { width, hasColors }).text(rows, { hasHeader: true });

describe('tables on a terminal', () => {
  it('output that is not a terminal has the columns of kubectl, complete and without colors', () => {
    assert.equal(tableText(undefined, false), columnText([header, ...rows]));
  });

  it('a wide table is complete on a terminal, too, and has its colors', () => {
    const io = { out: { columns: 20 } as TextOutput, environment: { TERM: 'xterm' } };
    const style = styleOf(io, { color: 'auto' }, { isWide: true });
    assert.deepEqual(style, { width: undefined, hasColors: true });
    const text = new StyledTable(header, style).text(rows, { hasHeader: true });
    assert.equal(stripVTControlCharacters(text), columnText([header, ...rows]));
  });

  it('long columns are shortened until lines fit, and names never', () => {
    const lines = tableText(80, false).split('\n');
    assert.deepEqual(
      lines.map((line) => [...line].length <= 80),
      [true, true, true, true],
    );
    assert.match(lines[1] ?? '', /^a-name-that-is-longer-than-the-terminal {3}\S+… +example\S+… {3}first$/);
    assert.match(
      tableText(20, false),
      /^a-name-that-is-longer-than-the-terminal {3}Crash… {3}examp… {3}first$/m,
    );
  });

  it('a terminal that is wide enough shows everything', () => {
    assert.equal(tableText(200, false), tableText(undefined, false));
  });

  it('failures are red and states that wait are yellow, in columns of states only', () => {
    const text = tableText(undefined, true);
    const esc = '\u001b';
    assert.ok(text.startsWith(`${esc}[1mNAME `), text);
    assert.ok(text.includes(`${esc}[31mCrashLoopBackOff${esc}[0m   example`), text);
    assert.ok(text.includes(`${esc}[33mPending${esc}[0m`), text);
    assert.equal(text.split(esc).length, 7, 'the name Failed and the note have no color');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one.
    assert.equal(text.replaceAll(/\u001b\[\d+m/g, ''), tableText(undefined, false));
  });

  it('a shortened state keeps its color', () => {
    assert.match(tableText(20, true), /\[31mCrash…/);
  });

  it('control characters of values are visible', () => {
    const table = new StyledTable(['NAME'], { width: undefined, hasColors: false });
    assert.equal(table.text([['a\u001b[2Jb']], { hasHeader: false }), 'a^[[2Jb\n');
  });

  it('columns of later rows keep their places', () => {
    const table = new StyledTable(['NAME', 'NOTE'], { width: undefined, hasColors: false });
    assert.equal(
      table.text([['a-long-name', 'x']], { hasHeader: true }),
      'NAME          NOTE\na-long-name   x\n',
    );
    assert.equal(table.text([['b', 'y']], { hasHeader: false }), 'b             y\n');
  });
});

describe('colors of tables', () => {
  for (const [title, width, environment, color, expected] of [
    ['a terminal has colors', 80, {}, 'auto', true],
    ['a file has none', undefined, {}, 'auto', false],
    ['NO_COLOR turns them off', 80, { NO_COLOR: '1' }, 'auto', false],
    ['an empty NO_COLOR does not count', 80, { NO_COLOR: '' }, 'auto', true],
    ['a terminal without capabilities has none', 80, { TERM: 'dumb' }, 'auto', false],
    ['--color=always prevails', undefined, { NO_COLOR: '1' }, 'always', true],
    ['--color=never prevails', 80, {}, 'never', false],
  ] as const)
    it(title, () => {
      const out = { columns: width, write() {}, drained: () => Promise.resolve() };
      assert.deepEqual(styleOf({ out, environment }, { color }), { width, hasColors: expected });
    });
});
