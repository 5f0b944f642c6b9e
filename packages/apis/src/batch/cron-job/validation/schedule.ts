import { parseDuration } from '@orch/machinery/time';
import { timeZoneProblem } from './time-zone.ts';

/** One of the five fields: its bounds, and names for numbers. */
interface CronField {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Names of the numbers from `min` on. */
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly CronField[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: months },
  { name: 'day of week', min: 0, max: 6, names: days },
];

const macros = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);

const EVERY = '@every ';
const zonePrefix = /^(?:CRON_TZ|TZ)=(\S*)\s+/;

/** Longer schedules are refused without parsing. */
const MAX_LENGTH = 4096;

/** Reports whether a schedule names its own time zone. */
export const namesTimeZone = (schedule: string): boolean => schedule.includes('TZ');

/** The problem of a schedule: five fields of cron, a macro, or `@every` and a duration; undefined when it is valid. */
export function cronProblem(schedule: string): string | undefined {
  if (schedule.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const zone = zonePrefix.exec(schedule);
  const wrongZone = zone === null ? undefined : timeZoneProblem(zone[1] ?? '');
  if (wrongZone !== undefined) return `provided bad location ${zone?.[1]}: ${wrongZone}`;
  const rest = zone === null ? schedule : schedule.slice(zone[0].length);
  if (rest.startsWith('@')) return macroProblem(rest);
  const parts = rest.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== fields.length) {
    return `expected exactly ${fields.length} fields, found ${parts.length}`;
  }
  return fields.reduce<string | undefined>(
    (found, field, i) => found ?? fieldProblem(field, parts[i] ?? ''),
    undefined,
  );
}

function macroProblem(macro: string): string | undefined {
  if (macros.has(macro)) return undefined;
  if (!macro.startsWith(EVERY)) return `unrecognized descriptor: ${macro.slice(0, 64)}`;
  const duration = macro.slice(EVERY.length);
  return parseDuration(duration) === undefined ? `failed to parse duration ${macro.slice(0, 64)}` : undefined;
}

/** A list of `*`, `?`, `5`, `1-5`, each with an optional step: every tenth, every second from 8 to 18. */
function fieldProblem(field: CronField, text: string): string | undefined {
  for (const range of text.split(',')) {
    const wrong = rangeProblem(field, range);
    if (wrong !== undefined) return `${wrong} in ${field.name}: ${range.slice(0, 64)}`;
  }
  return undefined;
}

function rangeProblem(field: CronField, range: string): string | undefined {
  const [bounds = '', step, ...more] = range.split('/');
  if (more.length > 0) return 'too many slashes';
  if (step !== undefined && !(numberOf(step) ?? 0)) return 'step must be a positive number';
  if (bounds === '*' || bounds === '?') return undefined;
  const [low = '', high, ...others] = bounds.split('-');
  if (others.length > 0) return 'too many hyphens';
  const first = numberAt(field, low);
  // A number with a step extends to the end of the range.
  const last = high !== undefined ? numberAt(field, high) : step === undefined ? first : field.max;
  if (first === undefined || last === undefined) return 'failed to parse number';
  if (first < field.min) return `beginning of range (${first}) below minimum (${field.min})`;
  if (last > field.max) return `end of range (${last}) above maximum (${field.max})`;
  return first > last ? `beginning of range (${first}) beyond end of range (${last})` : undefined;
}

function numberAt({ min, names = [] }: CronField, text: string): number | undefined {
  const named = names.indexOf(text.toLowerCase());
  return named < 0 ? numberOf(text) : min + named;
}

const numberOf = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);
