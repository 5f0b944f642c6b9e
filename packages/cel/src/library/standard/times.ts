import { member, type Overload } from '../../functions/overload.ts';
import * as types from '../../types/type.ts';
import { zoneOffsetSeconds } from '../../values/time.ts';
import { type Duration, intOf, type Timestamp } from '../../values/value.ts';

const DAY_MS = 86_400_000;

/** A part of a date, as a clock of the zone shows it. */
type Part = (local: Date, nanos: number) => number;

const parts: Readonly<Record<string, readonly [id: string, part: Part]>> = {
  getFullYear: ['year', (local) => local.getUTCFullYear()],
  getMonth: ['month', (local) => local.getUTCMonth()],
  getDayOfYear: ['day_of_year', dayOfYear],
  getDayOfMonth: ['day_of_month', (local) => local.getUTCDate() - 1],
  getDate: ['day_of_month_1_based', (local) => local.getUTCDate()],
  getDayOfWeek: ['day_of_week', (local) => local.getUTCDay()],
  getHours: ['hours', (local) => local.getUTCHours()],
  getMinutes: ['minutes', (local) => local.getUTCMinutes()],
  getSeconds: ['seconds', (local) => local.getUTCSeconds()],
  getMilliseconds: ['milliseconds', (_, nanos) => Math.floor(nanos / 1e6)],
};

function dayOfYear(local: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(local.getUTCFullYear(), 0, 1);
  return Math.floor((local.getTime() - start.getTime()) / DAY_MS);
}

function timestampPart(part: Part): (at: Timestamp, zone?: unknown) => number {
  return (at, zone) => {
    const offset = typeof zone === 'string' ? zoneOffsetSeconds(zone, at) : 0;
    return part(new Date((at.seconds + offset) * 1000), at.nanos);
  };
}

const durationUnits: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
};

function durationPart(name: string): ((value: Duration) => number | bigint) | undefined {
  // Only the fraction of the second, unlike the other parts, which are totals.
  if (name === 'getMilliseconds') return ({ nanos }) => Number((nanos % 1_000_000_000n) / 1_000_000n);
  const unit = durationUnits[name];
  return unit === undefined ? undefined : ({ nanos }) => intOf(nanos / unit);
}

const { duration, int, string, timestamp } = types;

function overloads(name: string, [id, part]: readonly [string, Part]): readonly Overload[] {
  const ofDuration = durationPart(name);
  const get = timestampPart(part);
  return [
    member(`timestamp_to_${id}`, [[timestamp], int], (at: Timestamp) => get(at), { work: 40 }),
    member(
      `timestamp_to_${id}_with_tz`,
      [[timestamp, string], int],
      (at: Timestamp, zone: string) => get(at, zone),
      {
        cost: (_, evaluation) => {
          // The platform looks the zone up by name.
          evaluation.work(6000);
          return 1;
        },
      },
    ),
    ...(ofDuration === undefined ? [] : [member(`duration_to_${id}`, [[duration], int], ofDuration)]),
  ];
}

export const timeFunctions: Readonly<Record<string, readonly Overload[]>> = Object.fromEntries(
  Object.entries(parts).map(([name, part]) => [name, overloads(name, part)]),
);
