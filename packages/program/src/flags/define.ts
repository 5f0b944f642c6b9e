import { durationMs, formatDurationMs } from '@orch/machinery/time';

/** An invalid value of a flag. The message completes `invalid value "x" for --flag: …`. */
export class BadValue extends Error {
  override readonly name = 'BadValue';
}

/** One flag: everything that parsing, help and documentation need to know. `T` is the type of its value. */
export interface Flag<T> {
  /** Long name without dashes. */
  readonly name: string;
  /** Another accepted name. */
  readonly alias?: string;
  /** One letter, for use with a single dash. */
  readonly short?: string;
  readonly section: string;
  readonly help: string;
  /** The possible values, one line each, for the help text. */
  readonly options?: () => readonly string[];
  readonly type: string;
  readonly initial: T;
  /** The default as help shows it; empty when there is nothing to show. */
  readonly defaultText: string;
  /** May stand without a value; a value must then follow a `=`. */
  readonly isSwitch: boolean;
  /** The value of the flag when none is given; `true` when absent. */
  readonly bareText?: string;
  /** Parses the value; `earlier` is the result of an earlier occurrence of the flag. Throws `BadValue`. */
  read(text: string, earlier: T | undefined): T;
}

/** Flags by the key under which their values are found. */
export type FlagTable = Readonly<Record<string, Flag<unknown>>>;

/** Key of the names of the flags that were given. */
export const givenFlags: unique symbol = Symbol('given flags');

/** Names of the flags that were given, regardless of their values. Copies of the values do not have it. */
export interface GivenFlags {
  readonly [givenFlags]?: ReadonlySet<string>;
}

/** Reports whether a flag was given; its value may still be the default. */
export const isGiven = (values: GivenFlags, name: string): boolean => values[givenFlags]?.has(name) ?? false;

/** The values of flags in a form that another thread can receive: a copy has no symbols as keys. */
export interface FlagsMessage<Values> {
  readonly values: Values;
  readonly given: readonly string[];
}

export const flagsMessage = <Values extends GivenFlags>(values: Values): FlagsMessage<Values> => ({
  values: { ...values },
  given: [...(values[givenFlags] ?? [])],
});

/** The values that were sent to a thread. */
export const flagsOfMessage = <Values extends GivenFlags>({ values, given }: FlagsMessage<Values>): Values =>
  withGiven(values, new Set(given));

/** The given names are not enumerable: copies of the values do not have them. */
export const withGiven = <Values extends GivenFlags>(values: Values, given: ReadonlySet<string>): Values =>
  Object.defineProperty(values, givenFlags, { value: given });

/** The values of flags with others in place of some; the same flags were given. */
export const withValues = <Values extends GivenFlags>(values: Values, changed: Partial<Values>): Values =>
  withGiven({ ...values, ...changed }, values[givenFlags] ?? new Set());

/** The values of a table, by key. */
export type FlagValues<Table extends FlagTable> = GivenFlags & {
  readonly [Key in keyof Table]: Table[Key] extends Flag<infer T> ? T : never;
};

export interface FlagSpec {
  readonly name: string;
  readonly alias?: string;
  readonly short?: string;
  readonly section: string;
  readonly help: string;
  readonly options?: () => readonly string[];
}

const flag = <T>(
  spec: FlagSpec,
  rest: Omit<Flag<T>, keyof FlagSpec | 'isSwitch'> & { isSwitch?: boolean },
): Flag<T> => ({
  isSwitch: false,
  ...spec,
  ...rest,
});

/** The same flag with another default, for a program that runs in another environment. */
export const withDefault = <T extends string | boolean | readonly string[]>(
  base: Flag<T>,
  initial: NoInfer<T>,
): Flag<T> => ({ ...base, initial, defaultText: defaultTextOf(initial) });

function defaultTextOf(initial: string | boolean | readonly string[]): string {
  if (typeof initial === 'string') return initial === '' ? '' : JSON.stringify(initial);
  if (typeof initial === 'boolean') return initial ? 'true' : '';
  return `[${initial.join(',')}]`;
}

export const textFlag = (spec: FlagSpec, initial = ''): Flag<string> =>
  flag(spec, {
    type: 'string',
    initial,
    defaultText: initial === '' ? '' : JSON.stringify(initial),
    read: (text) => text,
  });

export const switchFlag = (spec: FlagSpec, initial = false): Flag<boolean> =>
  flag(spec, { type: '', initial, defaultText: initial ? 'true' : '', isSwitch: true, read: readSwitch });

const yes: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const no: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

function readSwitch(text: string): boolean {
  if (yes.has(text)) return true;
  if (no.has(text)) return false;
  throw new BadValue('must be true or false');
}

/** An integer between `least` and `most`. */
export const wholeFlag = (
  spec: FlagSpec,
  initial: number,
  range: { least: number; most: number },
): Flag<number> =>
  flag(spec, {
    type: 'int',
    initial,
    defaultText: initial === 0 ? '' : String(initial),
    read(text) {
      const value = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (Number.isNaN(value)) throw new BadValue('must be an integer');
      if (value < range.least || value > range.most)
        throw new BadValue(`must be between ${range.least} and ${range.most}`);
      return value;
    },
  });

/** A number, not necessarily an integer, between `least` and `most`. */
export const numberFlag = (
  spec: FlagSpec,
  initial: number,
  range: { least: number; most: number },
): Flag<number> =>
  flag(spec, {
    type: 'float',
    initial,
    defaultText: initial === 0 ? '' : String(initial),
    read(text) {
      const value = /^[+-]?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})$/.test(text) ? Number(text) : Number.NaN;
      if (Number.isNaN(value)) throw new BadValue('must be a number');
      if (value < range.least || value > range.most)
        throw new BadValue(`must be between ${range.least} and ${range.most}`);
      return value;
    },
  });

/** A flag whose value may be omitted: `--dry-run` is `--dry-run=<bareText>`. */
export const withBareText = <T>(base: Flag<T>, bareText: string): Flag<T> => ({
  ...base,
  isSwitch: true,
  bareText,
});

const DAY_MS = 24 * 60 * 60 * 1000;

/** A Go-style duration in milliseconds; days may precede it: `400d`, `1d12h`. */
function durationWithDaysMs(text: string): number | undefined {
  const [all, days] = /^(\d{1,5})d(?=\d|$)/.exec(text) ?? [];
  if (all === undefined) return durationMs(text);
  const rest = all === text ? 0 : durationMs(text.slice(all.length));
  return rest === undefined ? undefined : Number(days) * DAY_MS + rest;
}

/** A duration that is not negative, in milliseconds. */
export const durationFlag = (spec: FlagSpec, initialMs: number): Flag<number> =>
  flag(spec, {
    type: 'duration',
    initial: initialMs,
    defaultText: initialMs === 0 ? '' : formatDurationMs(initialMs),
    read(text) {
      const value = durationWithDaysMs(text);
      if (value === undefined) throw new BadValue('must be a duration such as 30s, 1h5m or 2d');
      if (value < 0) throw new BadValue('must not be negative');
      return value;
    },
  });

/** Comma-separated strings; repeated flags accumulate. */
export const listFlag = (spec: FlagSpec, initial: readonly string[] = []): Flag<readonly string[]> =>
  flag<readonly string[]>(spec, {
    type: 'strings',
    initial,
    defaultText: initial.length === 0 ? '' : `[${initial.join(',')}]`,
    read: (text, earlier) => [...(earlier ?? []), ...splitList(text)],
  });

/** Strings that may contain commas; each occurrence of the flag adds one. */
export const repeatedFlag = (spec: FlagSpec): Flag<readonly string[]> =>
  flag<readonly string[]>(spec, {
    type: 'string',
    initial: [],
    defaultText: '',
    read: (text, earlier) => [...(earlier ?? []), ...(text.trim() === '' ? [] : [text.trim()])],
  });

const splitList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** One of a few words. */
export const choiceFlag = <const T extends string>(
  spec: FlagSpec,
  choices: readonly T[],
  initial: NoInfer<T>,
): Flag<T> =>
  flag<T>(spec, {
    type: choices.filter((choice) => choice !== '').join('|'),
    initial,
    defaultText: initial === '' ? '' : JSON.stringify(initial),
    read: (text) => choose(text, choices),
  });

/** One or more of a few words, comma-separated, without repetitions. */
export const choicesFlag = <T extends string>(
  spec: FlagSpec,
  choices: readonly T[],
  initial: readonly T[],
): Flag<readonly T[]> =>
  flag<readonly T[]>(spec, {
    type: 'strings',
    initial,
    defaultText: `[${initial.join(',')}]`,
    read(text, earlier) {
      const all = [...(earlier ?? []), ...splitList(text).map((one) => choose(one, choices))];
      if (all.length === 0 && initial.length > 0) throw new BadValue('must name at least one');
      if (new Set(all).size < all.length) throw new BadValue('must not name one twice');
      return all;
    },
  });

function choose<T extends string>(text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) {
    throw new BadValue(`must be one of ${choices.filter((choice) => choice !== '').join(', ')}`);
  }
  return found;
}
