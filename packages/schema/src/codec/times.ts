import {
  canonicalMicroTime,
  canonicalTime,
  formatDuration,
  parseDuration,
  ZERO_TIME,
} from '@orch/machinery/time';

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
  text.charCodeAt(16) === 58 &&
  text.charCodeAt(19) === 90;

/**
 * Reports whether a string is certainly a time in stored form: the common case, decided without a regular expression. The last
 * days of months are left to the real parser.
 */
function isPlainTime(text: string): boolean {
  if (text.length !== 20 || !hasSeparators(text)) return false;
  if (twoDigits(text, 0) < 0 || twoDigits(text, 2) < 0) return false;
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (month < 1 || month > 12 || day < 1 || day > 28) return false;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  return hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
}

/** RFC 3339 in any offset → UTC with seconds; `null` for the zero instant, undefined when it is not a time. */
export function readTime(text: string): string | null | undefined {
  const canonical = isPlainTime(text) ? text : canonicalTime(text);
  return canonical === ZERO_TIME ? null : canonical;
}

/** The zero instant as a MicroTime. */
const zeroMicroTime = '0001-01-01T00:00:00.000000Z';

/** As `readTime`, with exactly six digits after the point on both sides. */
export function readMicroTime(text: string): string | null | undefined {
  const canonical = canonicalMicroTime(text);
  return canonical === zeroMicroTime ? null : canonical;
}

/** A duration in its canonical text; undefined when it is not one. */
export function readDuration(text: string): string | undefined {
  const nanos = parseDuration(text);
  return nanos === undefined ? undefined : formatDuration(nanos);
}
