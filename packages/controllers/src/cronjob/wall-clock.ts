/** The clock on the wall in a time zone. Its times are milliseconds, as if they were in UTC. */
export interface WallClock {
  wallOf(timeMs: number): number;
  /** The time at which the clock shows this; undefined when it is skipped. When it is shown twice, the first one. */
  timeAt(wallMs: number): number | undefined;
}

/** The clock of a named zone, or of the process; undefined when there is no such zone. */
export function wallClock(zone: string | undefined): WallClock | undefined {
  const format = formatOf(zone);
  if (format === undefined) return undefined;
  const wallOf = (timeMs: number): number => {
    const parts = new Map(format.formatToParts(timeMs).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  };
  return {
    wallOf,
    timeAt(wallMs) {
      // The offsets of the day before and after include that of the time itself.
      const offsets = [wallMs - DAY_MS, wallMs + DAY_MS].map((nearMs) => wallOf(nearMs) - nearMs);
      const times = offsets.map((offset) => wallMs - offset).filter((timeMs) => wallOf(timeMs) === wallMs);
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
}

/** A time in the zone of a clock, with its offset (RFC 3339): `2026-11-30T10:15:00+05:30`. */
export function formatWallTime(timeMs: number, zone: string | undefined): string {
  const second = Math.floor(timeMs / 1000) * 1000;
  const wallMs = wallClock(zone)?.wallOf(second) ?? second;
  const minutes = Math.round((wallMs - second) / MINUTE_MS);
  const text = new Date(wallMs).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
  if (minutes === 0) return `${text}Z`;
  const two = (value: number): string => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${text}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat | undefined {
  const numeric = 'numeric';
  try {
    return new Intl.DateTimeFormat('en-US', {
      calendar: 'gregory',
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
      ...(timeZone !== undefined && { timeZone }),
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
