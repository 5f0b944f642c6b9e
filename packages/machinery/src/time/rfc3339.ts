/** An instant: whole seconds since the epoch (may be negative) and nanoseconds within the second. */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

const layout = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** Written as `null` on the wire: the zero time. */
export const ZERO_TIME = '0001-01-01T00:00:00Z';

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Seconds since the epoch of a UTC date and time; years below 100 too, which `Date.UTC` would move by 1900. */
function utcSeconds(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime() / 1000;
}

/** Reads RFC 3339 with any offset and any number of fraction digits (beyond nanoseconds they are dropped). */
export function parseTime(text: string): Instant | undefined {
  if (text.length > 64) return undefined;
  const match = layout.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = offsetSeconds(match[8], match[9], match[10]);
  if (offset === undefined) return undefined;
  const nanos = Number((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  return { seconds: utcSeconds(year, month, day) + hour * 3600 + minute * 60 + second - offset, nanos };
}

function offsetSeconds(sign = '+', hours = '00', minutes = '00'): number | undefined {
  const [h, m] = [Number(hours), Number(minutes)];
  if (h > 24 || m > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (h * 3600 + m * 60);
}

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** The last second that was formatted: a write formats the same one a few times. */
let formatted = { second: Number.NaN, text: '' };

/** `2020-01-02T03:04:05Z`, the form of a Time. Fractions of the second are dropped. */
export function formatTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1000);
  if (formatted.second !== second) formatted = { second, text: timeText(second) };
  return formatted.text;
}

function timeText(second: number): string {
  const date = new Date(second * 1000);
  const year = date.getUTCFullYear();
  if (!(year >= 1000 && year <= 9999)) return `${date.toISOString().slice(0, -5)}Z`;
  const day = `${year}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  return `${day}T${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}Z`;
}

const minSeconds = -62167219200; // 0000-01-01T00:00:00Z
const maxSeconds = 253402300799; // 9999-12-31T23:59:59Z

const representable = (instant: Instant | undefined): instant is Instant =>
  instant !== undefined && instant.seconds >= minSeconds && instant.seconds <= maxSeconds;

/** `2020-01-02T03:04:05.000006Z`, the form of a MicroTime. */
export function formatMicroTime(instant: Instant): string {
  const micros = Math.trunc(instant.nanos / 1000);
  return `${formatTime(instant.seconds * 1000).slice(0, -1)}.${String(micros).padStart(6, '0')}Z`;
}

/** The MicroTime of an epoch time in milliseconds (fractions of them count, to the microsecond). */
export function microTimeOf(epochMs: number): string {
  const seconds = Math.floor(epochMs / 1000);
  return formatMicroTime({ seconds, nanos: Math.floor((epochMs - seconds * 1000) * 1000) * 1000 });
}

const isDigits = (text: string, at: number): boolean => twoDigits(text, at) >= 0;

/** Two decimal digits at `at`, or -1. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

const hasSeparators = (text: string): boolean =>
  text.charCodeAt(4) === 45 &&
  text.charCodeAt(7) === 45 &&
  text.charCodeAt(10) === 84 &&
  text.charCodeAt(13) === 58 &&
  text.charCodeAt(16) === 58;

/** Reports whether a string begins with a date and a time of day. */
function beginsWithSecond(text: string): boolean {
  if (!hasSeparators(text) || !isDigits(text, 0) || !isDigits(text, 2)) return false;
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (month < 1 || month > 12 || day < 1) return false;
  if (day > 28 && day > daysInMonth(Number(text.slice(0, 4)), month)) return false;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  return hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
}

/** Reports whether a string is a Time in stored form, without a regular expression: nearly all times that are read are. */
const isStoredTime = (text: string): boolean =>
  text.length === 20 && text.charCodeAt(19) === 90 && beginsWithSecond(text);

/** As `isStoredTime`, for a MicroTime. */
const isStoredMicroTime = (text: string): boolean =>
  text.length === 27 &&
  text.charCodeAt(19) === 46 &&
  text.charCodeAt(26) === 90 &&
  isDigits(text, 20) &&
  isDigits(text, 22) &&
  isDigits(text, 24) &&
  beginsWithSecond(text);

/** A Time in its stored form: UTC, whole seconds. Undefined when the string is not RFC 3339. */
export function canonicalTime(text: string): string | undefined {
  if (isStoredTime(text)) return text;
  const instant = parseTime(text);
  return representable(instant) ? formatTime(instant.seconds * 1000) : undefined;
}

/** A MicroTime in its stored form: UTC with six fraction digits, which the input must have too; otherwise undefined. */
export function canonicalMicroTime(text: string): string | undefined {
  if (isStoredMicroTime(text)) return text;
  const dot = text.indexOf('.');
  if (dot < 0 || !/^\d{6}(?!\d)/.test(text.slice(dot + 1))) return undefined;
  const instant = parseTime(text);
  return representable(instant) ? formatMicroTime(instant) : undefined;
}

/** Epoch milliseconds of an RFC 3339 text; undefined when it is not one. */
export function timeMs(text: string): number | undefined {
  const instant = parseTime(text);
  return instant === undefined ? undefined : instant.seconds * 1000 + instant.nanos / 1e6;
}
