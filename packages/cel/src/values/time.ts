import {
  formatDuration,
  formatTime,
  parseDuration,
  parseNamedDuration,
  parseTime,
} from '@orch/machinery/time';
import { EvaluationError } from './evaluation-error.ts';
import { Duration, MAX_INT64, MIN_INT64, Timestamp } from './value.ts';

const SECOND = 1_000_000_000n;
/** The platform takes long to refuse a long name. */
const MAX_ZONE_LENGTH = 100;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z. */
const MIN_SECONDS = -62135596800;
const MAX_SECONDS = 253402300799;

export function timestampOf(seconds: number, nanos: number): Timestamp {
  if (!(seconds >= MIN_SECONDS && seconds <= MAX_SECONDS)) throw new EvaluationError('timestamp overflow');
  return new Timestamp(seconds, nanos);
}

/** Durations have 64 bits, which is 292 years either way. */
export function durationOf(nanos: bigint): Duration {
  if (nanos > MAX_INT64 || nanos < MIN_INT64) throw new EvaluationError('duration overflow');
  return new Duration(nanos);
}

/** Reads RFC 3339; undefined when the text is none or beyond the years 1 to 9999. */
export function readTimestamp(text: string): Timestamp | undefined {
  const instant = parseTime(text);
  if (instant === undefined || instant.seconds < MIN_SECONDS || instant.seconds > MAX_SECONDS)
    return undefined;
  return new Timestamp(instant.seconds, instant.nanos);
}

/** Reads `1h30m`, with fractions and a sign. */
export function readDuration(text: string): Duration | undefined {
  const nanos = parseDuration(text);
  return nanos === undefined ? undefined : new Duration(nanos);
}

/** Reads a string of the format `duration` of a schema; undefined if it is not one. */
export function readNamedDuration(text: string): Duration | undefined {
  const nanos = parseNamedDuration(text);
  return nanos === undefined ? undefined : new Duration(nanos);
}

const nanosOf = ({ seconds, nanos }: Timestamp): bigint => BigInt(seconds) * SECOND + BigInt(nanos);

function timestampOfNanos(total: bigint): Timestamp {
  const nanos = ((total % SECOND) + SECOND) % SECOND;
  return timestampOf(Number((total - nanos) / SECOND), Number(nanos));
}

export const addToTimestamp = (at: Timestamp, by: Duration): Timestamp =>
  timestampOfNanos(nanosOf(at) + by.nanos);

export const subtractFromTimestamp = (at: Timestamp, by: Duration): Timestamp =>
  timestampOfNanos(nanosOf(at) - by.nanos);

export const between = (later: Timestamp, earlier: Timestamp): Duration =>
  durationOf(nanosOf(later) - nanosOf(earlier));

/** RFC 3339 in UTC with as many digits of the fraction as are not zero. */
export function formatTimestamp({ seconds, nanos }: Timestamp): string {
  const whole = formatTime(seconds * 1000)
    .slice(0, -1)
    .padStart(19, '0');
  const fraction = nanos === 0 ? '' : `.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
  return `${whole}${fraction}Z`;
}

/** Seconds with a fraction: `5400s`, `-0.5s`. */
export function formatSeconds({ nanos }: Duration): string {
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = (size % SECOND).toString().padStart(9, '0').replace(/0+$/, '');
  return `${sign}${size / SECOND}${fraction === '' ? '' : `.${fraction}`}s`;
}

/** Offset in seconds of a zone such as `+02:00` or `America/New_York` at a point in time. */
export function zoneOffsetSeconds(zone: string, at: Timestamp): number {
  const fixed = /^([+-]?)(\d{1,2}):(\d{2})$/.exec(zone);
  if (fixed !== null) {
    const size = Number(fixed[2]) * 3600 + Number(fixed[3]) * 60;
    return fixed[1] === '-' ? -size : size;
  }
  if (zone === 'UTC' || zone === '') return 0;
  if (zone.length > MAX_ZONE_LENGTH) throw new EvaluationError(`unknown time zone ${zone.slice(0, 100)}`);
  let parts: Intl.DateTimeFormatPart[];
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    parts = format.formatToParts(at.seconds * 1000);
  } catch {
    throw new EvaluationError(`unknown time zone ${zone}`);
  }
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -size : size;
}

export { formatDuration };
