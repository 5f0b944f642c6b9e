import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { BadValue, type Flag, type FlagTable, type FlagValues, withGiven } from './define.ts';
import { nearest } from './nearest.ts';

/** An invalid command line; the message is one line for the person who typed it. Exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A value of a flag, not yet parsed. */
export interface Given {
  readonly name: string;
  /** Undefined for a flag without a value. */
  readonly text: string | undefined;
}

/** A parsed command line. */
export interface CommandLine {
  readonly given: readonly Given[];
  /** Positional arguments, and everything after `--`. */
  readonly words: readonly string[];
  /** Number of `words` before `--`; undefined without `--`. */
  readonly wordsBeforeDash: number | undefined;
}

/**
 * Splits a command line: `--name=value`, `--name value`, and `--name` alone for switches. A single dash suffices for a
 * name of one letter. Underscores in names count as dashes. Throws `UsageError` for an unknown flag.
 */
export function splitCommandLine(table: FlagTable, argv: readonly string[]): CommandLine {
  const flags = byName(table);
  const given: Given[] = [];
  const words: string[] = [];
  let wordsBeforeDash: number | undefined;
  const { tokens } = parseArgs({
    args: [...argv],
    options: optionsFor(flags, argv),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    else if (token.kind === 'option') given.push(givenBy(token, argv[token.index] ?? '', flags));
    else wordsBeforeDash ??= words.length;
  }
  return { given, words, wordsBeforeDash };
}

interface OptionToken {
  /** With its dashes. */
  readonly rawName: string;
  readonly name: string;
  readonly value: string | undefined;
  /** Whether the value is in the same word as the flag. */
  readonly inlineValue: boolean | undefined;
}

function givenBy(token: OptionToken, word: string, flags: ReadonlyMap<string, Flag<unknown>>): Given {
  const name = dashed(token.name);
  const flag = flags.get(name);
  if (flag === undefined) {
    // The parser splits `-fast` into letters; the message shows what was typed.
    const isSplit = /^-[^-]./.test(word);
    const typed = token.rawName.startsWith('--') ? `--${name}` : token.rawName;
    throw unknownFlag(isSplit ? word : typed, isSplit ? word.slice(1) : name, flags);
  }
  // `-v=4`: to the parser, everything after the letter is its value.
  const isAttached = !token.rawName.startsWith('--') && token.inlineValue === true;
  const text = isAttached ? token.value?.replace(/^=/, '') : token.value;
  if (text === undefined && !flag.isSwitch) throw new UsageError(`flag needs an argument: --${name}`);
  return { name, text };
}

function unknownFlag(typed: string, name: string, flags: ReadonlyMap<string, Flag<unknown>>): UsageError {
  const meant = nearest(name, flags.keys());
  return new UsageError(`unknown flag: ${typed}${meant === undefined ? '' : `; did you mean --${meant}?`}`);
}

const dashed = (name: string): string => name.replaceAll('_', '-');

/** The options of `parseArgs`, each under every spelling that the command line has. */
function optionsFor(
  flags: ReadonlyMap<string, Flag<unknown>>,
  argv: readonly string[],
): Record<string, ParseArgsOptionDescriptor> {
  const spellings = argv.flatMap((word) => /^--([^=]+)/.exec(word)?.[1] ?? []);
  const options: Record<string, ParseArgsOptionDescriptor> = Object.create(null);
  for (const name of [...flags.keys(), ...spellings]) {
    const flag = flags.get(dashed(name));
    if (flag === undefined) continue;
    const type = flag.isSwitch ? 'boolean' : 'string';
    const short = name.length === 1 ? name : flag.short;
    options[name] = short !== undefined && name === flag.name ? { type, short } : { type };
  }
  return options;
}

/**
 * The values of all flags, with defaults; earlier sources override later ones. Within one source, a list flag that
 * occurs several times accumulates. Throws `UsageError`.
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
      if (flag === undefined) throw unknownFlag(`--${name}`, name, flags);
      here.set(flag.name, readValue(flag, text, here.get(flag.name)));
    }
    for (const [name, value] of here) values.set(name, value);
  }
  const entries = Object.entries(table).map(([key, flag]) => [
    key,
    values.has(flag.name) ? values.get(flag.name) : flag.initial,
  ]);
  return withGiven(Object.fromEntries(entries) as FlagValues<Table>, new Set(values.keys()));
}

function readValue(flag: Flag<unknown>, text: string | undefined, earlier: unknown): unknown {
  const value = text ?? flag.bareText;
  if (value === undefined) return true;
  try {
    return flag.read(value, earlier);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new UsageError(`invalid value ${JSON.stringify(value)} for --${flag.name}: ${error.message}`);
  }
}

const byName = (table: FlagTable): ReadonlyMap<string, Flag<unknown>> =>
  new Map(
    Object.values(table).flatMap((flag) =>
      [flag.name, ...(flag.alias === undefined ? [] : [flag.alias])].map((name) => [name, flag] as const),
    ),
  );
