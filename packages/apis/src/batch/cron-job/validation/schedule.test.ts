import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cronProblem, namesTimeZone } from './schedule.ts';
import { timeZoneProblem } from './time-zone.ts';

const good = [
  '* * * * *',
  '? ? ? ? ?',
  '0 0 1 1 0',
  '59 23 31 12 6',
  '*/15 * * * *',
  '5/10 8-18/2 * * *',
  '0,30 9-17 * * MON-FRI',
  '0 0 * JAN,jul sun',
  '0 0 31 2 *',
  '  0   0\t* * *  ',
  '0 0 * * 1-5',
  '07 007 * * *',
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
  '@every 5m',
  '@every 1h30m10s',
  'TZ=Europe/Berlin 0 6 * * *',
  'CRON_TZ=UTC @daily',
];

const bad: readonly (readonly [schedule: string, why: RegExp])[] = [
  ['x', /expected exactly 5 fields, found 1/],
  ['', /expected exactly 5 fields, found 0/],
  ['* * * *', /found 4/],
  ['* * * * * *', /found 6/],
  ['60 * * * *', /above maximum \(59\) in minute/],
  ['* 24 * * *', /above maximum \(23\) in hour/],
  ['* * 0 * *', /below minimum \(1\) in day of month/],
  ['* * 32 * *', /above maximum/],
  ['* * * 13 *', /in month/],
  ['* * * * 7', /above maximum \(6\) in day of week/],
  ['5-1 * * * *', /beyond end of range/],
  ['1-2-3 * * * *', /too many hyphens/],
  ['*/2/3 * * * *', /too many slashes/],
  ['*/0 * * * *', /step must be a positive number/],
  ['*/ * * * *', /step must be/],
  ['*/x * * * *', /step must be/],
  ['-1 * * * *', /failed to parse number/],
  ['1- * * * *', /failed to parse number/],
  ['1,,2 * * * *', /failed to parse number/],
  [', * * * *', /failed to parse number/],
  ['** * * * *', /failed to parse number/],
  ['* * * sun *', /failed to parse number/],
  ['* * * * jan', /failed to parse number/],
  ['1.5 * * * *', /failed to parse number/],
  ['+1 * * * *', /failed to parse number/],
  ['99999999999999999999 * * * *', /failed to parse number/],
  ['٣ * * * *', /failed to parse number/],
  ['* * * * L', /failed to parse number/],
  ['@reboot', /unrecognized descriptor/],
  ['@Daily', /unrecognized descriptor/],
  ['@every', /unrecognized descriptor/],
  ['@every 5', /failed to parse duration/],
  ['@every 5 minutes', /failed to parse duration/],
  ['@daily @daily', /unrecognized descriptor/],
  ['TZ=Mars/Olympus * * * * *', /provided bad location Mars\/Olympus/],
  ['TZ= * * * * *', /provided bad location/],
  ['CRON_TZ=UTC', /expected exactly 5 fields/],
];

describe('schedules of cron jobs', () => {
  for (const schedule of good)
    it(`the schedule ${JSON.stringify(schedule)} is valid`, () =>
      assert.equal(cronProblem(schedule), undefined));
  for (const [schedule, why] of bad)
    it(`the schedule ${JSON.stringify(schedule)} is rejected`, () =>
      assert.match(cronProblem(schedule) ?? '', why));

  it('schedules of numbers, ranges and steps are fine exactly when they stay within bounds', () => {
    const bounds = [
      [0, 59],
      [0, 23],
      [1, 31],
      [1, 12],
      [0, 6],
    ] as const;
    fc.assert(
      fc.property(fc.nat(4), fc.nat(70), fc.nat(70), fc.nat(3), (at, low, high, step) => {
        const [min, max] = bounds[at] ?? [0, 0];
        const parts = ['*', '*', '*', '*', '*'];
        parts[at] = `${low}-${high}${step === 0 ? '' : `/${step}`}`;
        const fine = min <= low && low <= high && high <= max;
        assert.equal(cronProblem(parts.join(' ')) === undefined, fine, parts.join(' '));
      }),
    );
  });

  it('any schedule from users is parsed in linear time', () => {
    fc.assert(fc.property(fc.string(), (text) => void cronProblem(text)));
    for (const piece of ['*', ' ', ',', '/', '-', '@every ', 'TZ=', '1h', 'TZ=a ']) {
      const began = process.hrtime.bigint();
      assert.notEqual(cronProblem(piece.repeat(1_000_000)), undefined);
      assert.ok(Number(process.hrtime.bigint() - began) / 1e6 < 500, piece);
    }
  });

  it('schedules may name a time zone', () => {
    assert.equal(namesTimeZone('CRON_TZ=UTC * * * * *'), true);
    assert.equal(namesTimeZone('* * * * *'), false);
  });
});

describe('time zones', () => {
  for (const name of [
    'UTC',
    'Etc/UTC',
    'Europe/Berlin',
    'America/Argentina/Buenos_Aires',
    'US/Pacific',
    'EST5EDT',
  ])
    it(`the time zone ${name} is valid`, () => assert.equal(timeZoneProblem(name), undefined));
  for (const name of [
    'Local',
    'local',
    'LOCAL',
    'Mars',
    'Europe/',
    '/UTC',
    '+01:00',
    '',
    '../etc',
    'UTC\n',
    'a'.repeat(99_999),
  ])
    it(`the time zone ${JSON.stringify(name.slice(0, 20))} is rejected`, () =>
      assert.ok(timeZoneProblem(name)));
});
