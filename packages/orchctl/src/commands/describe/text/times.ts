import { humanAge } from '@orch/machinery/time';

type Time = string | null | undefined;

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (value: number): string => String(value).padStart(2, '0');

function offsetText(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.trunc(size / 60))}${two(size % 60)}`;
}

const clockText = (date: Date): string =>
  [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');

/** `Mon, 02 Jan 2006 15:04:05 +0100`, in the time zone of this process. */
export function timeText(time: Time): string {
  if (time === undefined || time === null || time === '') return 'Mon, 01 Jan 0001 00:00:00 +0000';
  const date = new Date(time);
  const day = `${days[date.getDay()]}, ${two(date.getDate())} ${months[date.getMonth()]} ${date.getFullYear()}`;
  return `${day} ${clockText(date)} ${offsetText(date)}`;
}

/** `2006-01-02 15:04:05 +0100 CET`, in the time zone of this process. */
export function plainTimeText(time: Time): string {
  const date = new Date(time ?? 0);
  const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${clockText(date)} ${offsetText(date)} ${zone?.value ?? ''}`;
}

/** The time since then, in readable form. */
export function ageText(time: Time, nowMs: number): string {
  return time === undefined || time === null || time === ''
    ? '<unknown>'
    : humanAge(nowMs - Date.parse(time));
}
