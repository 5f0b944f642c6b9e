import { approximateNumber } from '../json/index.ts';
import { formatTime, parseTime } from '../time/index.ts';
import { CborError } from './cbor-error.ts';
import { BYTES, TEXT } from './major-types.ts';

/** The first second of the year 1, and the last of the year 9999. */
const FIRST_SECOND = -62135596800;
const LAST_SECOND = 253402300799;

/** The value inside tag 0: text of RFC 3339, unchanged. */
export function textTime(value: unknown, major: number, at: number): string {
  const isString = major === TEXT || major === BYTES;
  if (!isString || typeof value !== 'string' || parseTime(value) === undefined)
    throw new CborError('a time must be a string in the format of RFC 3339', at);
  return value;
}

/** The time of the value inside tag 1: seconds since 1970, to the microsecond. */
export function epochTime(value: unknown, _major: number, at: number): string {
  const seconds = approximateNumber(value);
  if (seconds === undefined || seconds < FIRST_SECOND || seconds > LAST_SECOND)
    throw new CborError('a time must be a number of seconds in the years 1 to 9999', at);
  const whole = Math.floor(seconds);
  const micros = Math.floor((seconds - whole) * 1e6);
  const text = formatTime(whole * 1000);
  if (micros === 0) return text;
  return `${text.slice(0, -1)}.${String(micros).padStart(6, '0').replace(/0+$/, '')}Z`;
}
