import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LogLines } from './log-lines.ts';

const stamp = (second: number): string => new Date(1_700_000_000_000 + second * 1000).toISOString();

const textsOf = ({ blocks }: LogLines): readonly string[] =>
  blocks.flatMap(({ lines }) => lines.map(({ text }) => text));

/** Lines that arrive in parts. */
function logOf(...parts: readonly string[]): LogLines {
  const log = new LogLines();
  for (const part of parts) log.add(part);
  return log;
}

describe('the lines of a log', () => {
  it('a line may arrive in parts, and several in one', () => {
    const log = logOf(`${stamp(1)} a`, `b\n${stamp(2)} c\n${stamp(3)} d`);
    assert.deepEqual(textsOf(log), ['ab', 'c']);
    assert.equal(log.lastTime, stamp(2));
    log.end();
    assert.deepEqual(textsOf(log), ['ab', 'c', 'd']);
  });

  for (const [title, written, shown] of [
    ['colors have no meaning', '\u001b[1;31mred\u001b[0m', 'red'],
    ['titles of terminals have no meaning', '\u001b]0;title\u0007text', 'text'],
    ['other control characters are visible', 'a\u0000\u001b7b\u202ec', 'a^@^[7b\\u202ec'],
    ['HTML is text', '<b>bold</b>', '<b>bold</b>'],
    ['ends of lines of Windows are not shown', 'text\r', 'text'],
  ] as const)
    it(`in a line, ${title}`, () => assert.deepEqual(textsOf(logOf(`${stamp(1)} ${written}\n`)), [shown]));

  it('a line without a time is shown', () => assert.deepEqual(textsOf(logOf('plain\n')), ['plain']));

  it('the rest of a line without an end is not kept', () => {
    const log = logOf(...Array.from({ length: 100 }, () => 'x'.repeat(1000)), '\nnext\n');
    const [long = '', next] = textsOf(log);
    assert.deepEqual([long.length, next], [16 * 1024, 'next']);
  });

  it('the last ones of 25,000 lines are kept, in blocks of which only the last one changes', () => {
    const log = logOf(...Array.from({ length: 25_000 }, (_, place) => `${place}\n`));
    const texts = textsOf(log);
    assert.deepEqual([texts.length, texts.at(-1), log.isCut], [10_000, '24999', true]);
    const earlier = [...log.blocks];
    log.add('more\n');
    const kept = log.blocks.filter((block) => earlier.includes(block));
    assert.equal(kept.length, log.blocks.length - 1);
  });

  it('lines that are sent again after a lost connection are not repeated', () => {
    const log = logOf(`${stamp(1)} a\n${stamp(2)} b\n${stamp(3)} part of`);
    log.resume();
    log.add(`${stamp(2)} b\n${stamp(3)} part of c\n`);
    assert.deepEqual(textsOf(log), ['a', 'b', 'part of c']);
  });
});
