import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatSamples } from '../testing/format-samples.ts';
import { formatTest } from './formats.ts';

describe('formats of strings', () => {
  for (const { accepted, format, refused } of formatSamples) {
    it(`the format ${format} accepts valid strings and rejects others`, () => {
      const accepts = formatTest(format);
      assert.ok(accepts !== undefined);
      for (const text of accepted) assert.equal(accepts(text), true, JSON.stringify(text));
      for (const text of refused) assert.equal(accepts(text), false, JSON.stringify(text));
    });
  }

  it('formats are recognized with and without dashes', () => {
    for (const name of ['datetime', 'date-time'])
      assert.equal(formatTest(name)?.('2024-02-29T00:00:00Z'), true);
  });

  it('formats that are unknown have no test', () => {
    for (const name of ['', 'int32', 'double', 'constructor', '__proto__', 'no-such-format'])
      assert.equal(formatTest(name), undefined, name);
  });

  it('formats take time in proportion to the text', () => {
    const long = (text: string): string => text.repeat(Math.floor(100_000 / text.length));
    const texts = [
      long('a'),
      `${long('a.')}!`,
      `${long('1')} `,
      `1${long(' ')}`,
      long('1 '),
      long('1.'),
      `1.${long('0')}x`,
      `::${long('0')}x`,
      `"${long('\\"')}@`,
      `${long('<')}>`,
      `${long('a@')}>`,
      `http://${long('a')}{`,
      `http://${long('a@')}{`,
      `rgb(${long(' ')}`,
    ];
    const start = process.cpuUsage();
    for (const { format } of formatSamples) for (const text of texts) formatTest(format)?.(text);
    assert.ok(process.cpuUsage(start).user < 3e6);
  });
});
