import { durationMs } from '@orch/machinery/time';
import { wallClock } from './wall-clock.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const macros: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** A schedule without a time in five years, such as the 30th of February, has none at all. */
const HORIZON_MS = 5 * 366 * DAY_MS;

/** The times of a CronJob. */
export interface Schedule {
  /** The first time after this one, in milliseconds; undefined when there is none. */
  next(afterMs: number): number | undefined;
}

interface Field {
  readonly values: ReadonlySet<number>;
  /** Whether it is `*` or `?`: then the other of the two fields for days decides alone. */
  readonly isOpen: boolean;
}

/** Parses a schedule; undefined when it is not one. `zone` is a name, or undefined for the zone of the process. */
export function parseSchedule(text: string, zone: string | undefined): Schedule | undefined {
  const prefix = /^(?:CRON_TZ|TZ)=(\S*)\s+/.exec(text);
  const rest = prefix === null ? text : text.slice(prefix[0].length);
  if (rest.startsWith('@every ')) return everySchedule(durationMs(rest.slice('@every '.length)));
  const parts = (macros[rest] ?? rest).split(/\s+/).filter((part) => part !== '');
  const [minute, hour, day, month, weekday] = [
    fieldOf(parts[0], 0, 59),
    fieldOf(parts[1], 0, 23),
    fieldOf(parts[2], 1, 31),
    fieldOf(parts[3], 1, 12, months),
    fieldOf(parts[4], 0, 6, days),
  ];
  const clock = wallClock(prefix?.[1] ?? zone);
  if (parts.length !== 5 || !minute || !hour || !day || !month || !weekday || clock === undefined)
    return undefined;
  const isDay = (at: Date): boolean => {
    const isInMonth = day.values.has(at.getUTCDate());
    const isInWeek = weekday.values.has(at.getUTCDay());
    return day.isOpen || weekday.isOpen ? isInMonth && isInWeek : isInMonth || isInWeek;
  };
  const match: Match = { minute: minute.values, hour: hour.values, month: month.values, isDay };
  return { next: (afterMs) => nextTime(match, clock, afterMs) };
}

interface Match {
  readonly minute: ReadonlySet<number>;
  readonly hour: ReadonlySet<number>;
  readonly month: ReadonlySet<number>;
  isDay(at: Date): boolean;
}

/** A time that the clock skips, as in the spring, is omitted. */
function nextTime(
  match: Match,
  clock: NonNullable<ReturnType<typeof wallClock>>,
  afterMs: number,
): number | undefined {
  let wallMs = Math.floor(clock.wallOf(afterMs) / MINUTE_MS) * MINUTE_MS;
  const endMs = wallMs + HORIZON_MS;
  while (wallMs < endMs) {
    wallMs = nextWall(match, wallMs + MINUTE_MS, endMs);
    const timeMs = wallMs < endMs ? clock.timeAt(wallMs) : undefined;
    if (timeMs !== undefined && timeMs > afterMs) return timeMs;
  }
  return undefined;
}

/** The first minute from this one on that matches, as a time of the clock. */
function nextWall(match: Match, fromMs: number, endMs: number): number {
  let atMs = fromMs;
  while (atMs < endMs) {
    const at = new Date(atMs);
    if (!match.month.has(at.getUTCMonth() + 1)) atMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
    else if (!match.isDay(at)) atMs = (Math.floor(atMs / DAY_MS) + 1) * DAY_MS;
    else if (!match.hour.has(at.getUTCHours())) atMs = (Math.floor(atMs / HOUR_MS) + 1) * HOUR_MS;
    else if (!match.minute.has(at.getUTCMinutes())) atMs += MINUTE_MS;
    else return atMs;
  }
  return endMs;
}

/** Whole seconds, and at least one. */
function everySchedule(ms: number | undefined): Schedule | undefined {
  if (ms === undefined) return undefined;
  const stepMs = Math.max(1000, Math.floor(ms / 1000) * 1000);
  return { next: (afterMs) => Math.floor(afterMs / 1000) * 1000 + stepMs };
}

function fieldOf(
  text: string | undefined,
  min: number,
  max: number,
  names: readonly string[] = [],
): Field | undefined {
  const values = new Set<number>();
  let isOpen = false;
  for (const range of (text ?? '').split(',')) {
    const [bounds = '', stepText] = range.split('/');
    const step = stepText === undefined ? 1 : Number(stepText);
    const isAll = bounds === '*' || bounds === '?';
    isOpen ||= isAll && stepText === undefined;
    const [low = '', high] = bounds.split('-');
    const first = isAll ? min : numberAt(low, min, names);
    // A number with a step extends to the end of the range.
    const last =
      isAll || (high === undefined && stepText !== undefined)
        ? max
        : high === undefined
          ? first
          : numberAt(high, min, names);
    if (first === undefined || last === undefined || !(step >= 1) || first < min || last > max)
      return undefined;
    for (let value = first; value <= last; value += step) values.add(value);
  }
  return { values, isOpen };
}

function numberAt(text: string, min: number, names: readonly string[]): number | undefined {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return min + named;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
