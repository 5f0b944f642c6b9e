import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { latestTime } from './decide.ts';
import { parseSchedule } from './schedule.ts';

const utc = (text: string): number => Date.parse(`${text}Z`);
const textOf = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16);

describe('the times of a schedule', () => {
  for (const [schedule, after, expected, zone = 'UTC'] of [
    ['*/15 * * * *', '2024-01-01T12:00', '2024-01-01T12:15'],
    ['*/15 * * * *', '2024-01-01T12:59', '2024-01-01T13:00'],
    ['30 9 * * mon-fri', '2024-01-05T09:30', '2024-01-08T09:30'],
    ['0 0 1,15 * *', '2024-01-01T00:00', '2024-01-15T00:00'],
    ['0 0 13 * fri', '2024-01-01T00:00', '2024-01-05T00:00'],
    ['0 0 29 feb *', '2025-01-01T00:00', '2028-02-29T00:00'],
    ['0 0 30 2 *', '2024-01-01T00:00', undefined],
    ['5/20 3 * * *', '2024-01-01T03:05', '2024-01-01T03:25'],
    ['@hourly', '2024-01-01T12:00', '2024-01-01T13:00'],
    ['@yearly', '2024-01-01T12:00', '2025-01-01T00:00'],
    ['@every 90m', '2024-01-01T12:00', '2024-01-01T13:30'],
    ['TZ=Asia/Tokyo 0 9 * * *', '2024-01-01T00:00', '2024-01-02T00:00'],
    ['0 9 * * *', '2024-01-01T00:00', '2024-01-01T14:00', 'America/New_York'],
    ['30 2 * * *', '2024-03-30T12:00', '2024-04-01T00:30', 'Europe/Berlin'],
    ['30 2 * * *', '2024-10-26T12:00', '2024-10-27T00:30', 'Europe/Berlin'],
  ] as const)
    it(`the next time of ${schedule} in ${zone} after ${after} is ${expected ?? 'none'}`, () =>
      assert.equal(textOf(parseSchedule(schedule, zone)?.next(utc(after))), expected));

  for (const [schedule, zone] of [
    ['* * * *', 'UTC'],
    ['60 * * * *', 'UTC'],
    ['*/0 * * * *', 'UTC'],
    ['x * * * *', 'UTC'],
    ['@often', 'UTC'],
    ['* * * * *', 'Nowhere/Else'],
  ] as const)
    it(`the text ${JSON.stringify(schedule)} in ${zone} is no schedule`, () =>
      assert.equal(parseSchedule(schedule, zone), undefined));

  it('the latest time is found over any span, as a search minute by minute finds it', () => {
    const now = utc('2024-06-15T12:07');
    for (const [text, expected] of [
      ['*/5 * * * *', '2024-06-15T12:05'],
      ['0 0 * * sun', '2024-06-09T00:00'],
      ['0 0 1 1 *', '2024-01-01T00:00'],
    ] as const) {
      const schedule = parseSchedule(text, 'UTC');
      assert.ok(schedule !== undefined);
      assert.equal(textOf(latestTime(schedule, utc('2020-01-01T00:00'), now)), expected);
      assert.equal(latestTime(schedule, now, now), undefined);
    }
  });
});
