import { BadValue, type Flag, type FlagTable, type FlagValues } from './define.ts';

/** A command line that cannot be used; the message is one line for the person who typed it. Exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** One value for one flag, before its type is looked at. */
export interface Given {
  readonly name: string;
  /** Undefined for a flag that stands alone. */
  readonly text: string | undefined;
}

/** What a command line holds. */
export interface CommandLine {
  readonly given: readonly Given[];
  /** Words that are no flags, and everything behind `--`. */
  readonly words: readonly string[];
}

/**
 * Takes a command line apart: `--name=value`, `--name value`, and `--name` alone for switches. One dash is enough for a
 * name of one letter. Underscores in names count as dashes. Throws `UsageError` for an unknown flag.
 */
export function splitCommandLine(table: FlagTable, argv: readonly string[]): CommandLine {
  const flags = byName(table);
  const given: Given[] = [];
  const words: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') {
      words.push(...argv.slice(at + 1));
      break;
    }
    const match = /^(?:--([^=]+)|-([a-zA-Z]))(?:=(.*))?$/s.exec(word);
    if (match === null) {
      if (word.startsWith('-') && word !== '-') throw new UsageError(`unknown flag: ${word}`);
      words.push(word);
      continue;
    }
    const name = (match[1] ?? match[2] ?? '').replaceAll('_', '-');
    const flag = flags.get(name);
    if (flag === undefined) throw new UsageError(`unknown flag: --${name}`);
    if (match[3] !== undefined || flag.isSwitch) given.push({ name, text: match[3] });
    else if (at + 1 < argv.length) given.push({ name, text: argv[++at] });
    else throw new UsageError(`flag needs a value: --${name}`);
  }
  return { given, words };
}

/**
 * The values of all flags: those given override each other from the first source to the last, and the defaults.
 * Within one source a list flag that stands several times adds up. Throws `UsageError`.
 */
export function flagValues<Table extends FlagTable>(
  table: Table,
  ...sources: readonly (readonly Given[])[]
): FlagValues<Table> {
  const flags = byName(table);
  const values = new Map<string, unknown>();
  for (const source of sources) {
    const here = new Map<string, unknown>();
    for (const { name, text } of source) {
      const flag = flags.get(name);
      if (flag === undefined) throw new UsageError(`unknown flag: --${name}`);
      here.set(flag.name, readValue(flag, text, here.get(flag.name)));
    }
    for (const [name, value] of here) values.set(name, value);
  }
  const entries = Object.entries(table).map(([key, flag]) => [
    key,
    values.has(flag.name) ? values.get(flag.name) : flag.initial,
  ]);
  return Object.fromEntries(entries) as FlagValues<Table>;
}

function readValue(flag: Flag<unknown>, text: string | undefined, earlier: unknown): unknown {
  if (text === undefined) return true;
  try {
    return flag.read(text, earlier);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new UsageError(`invalid value ${JSON.stringify(text)} for --${flag.name}: ${error.message}`);
  }
}

const byName = (table: FlagTable): ReadonlyMap<string, Flag<unknown>> =>
  new Map(
    Object.values(table).flatMap((flag) =>
      [flag.name, ...(flag.alias === undefined ? [] : [flag.alias])].map((name) => [name, flag] as const),
    ),
  );
