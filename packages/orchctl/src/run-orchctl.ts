import { type FlagTable, flagValues, splitCommandLine } from '@orch/program/flags';
import type { Command, CommandEntry } from './cli/command.ts';
import { type FoundCommand, findCommand, unknownCommand } from './cli/find-command.ts';
import { commandHelp, programHelp } from './cli/help.ts';
import { reportFailure } from './cli/report-failure.ts';
import { commands } from './commands/index.ts';
import { globalFlags } from './global-flags.ts';
import type { Io } from './io.ts';
import type { Session } from './session/session.ts';

/** Runs one command line to its end and returns the exit status. */
export async function runOrchctl(argv: readonly string[], io: Io, signal: AbortSignal): Promise<number> {
  try {
    const found = findCommand(commands, argv, takesValue);
    const entry = found.path.at(-1);
    if (entry === undefined) return runProgram(found, io);
    const definition = await entry.load?.();
    if (isHelp(found.argv)) {
      io.out.write(commandHelp(entry, definition));
      return 0;
    }
    if (definition === undefined) return runGroup(found, entry, io);
    return await runCommand(definition, found.argv, io, signal);
  } catch (error) {
    if (signal.aborted && error === signal.reason) return 130;
    const { text, exitStatus } = reportFailure(error);
    io.err.write(`${text}\n`);
    return exitStatus;
  }
}

/** A command line without a command. */
function runProgram({ argv }: FoundCommand, io: Io): number {
  const { words } = splitCommandLine(globalFlags, argv);
  const [word] = words;
  if (word !== undefined) throw unknownCommand(word, 'orchctl', commands);
  io.out.write(programHelp(commands));
  return 0;
}

function runGroup({ argv, path }: FoundCommand, entry: CommandEntry, io: Io): number {
  const { words } = splitCommandLine(globalFlags, argv);
  const [word] = words;
  const name = path.map((one) => one.name).join(' ');
  if (word !== undefined) throw unknownCommand(word, `orchctl ${name}`, entry.commands ?? []);
  io.out.write(commandHelp(entry, undefined));
  return 0;
}

async function runCommand(
  definition: Command,
  argv: readonly string[],
  io: Io,
  signal: AbortSignal,
): Promise<number> {
  // Flags of a command take precedence over global ones with the same short name.
  const table: FlagTable = { ...withoutShorts(definition.flags), ...definition.flags };
  const { given, words, wordsBeforeDash } = splitCommandLine(table, argv);
  const own = ofTable(definition.flags, given);
  // `--user` of a binding is not the user of the client configuration.
  const ownNames = namesOf(definition.flags);
  const others = given.filter(({ name }) => !ownNames.has(name));
  const globals = flagValues(globalFlags, ofTable(globalFlags, others));
  let session: Promise<Session> | undefined;
  const open = async (): Promise<Session> => {
    // Commands without a server do not load the client library.
    const { openSession } = await import('./session/open-session.ts');
    return openSession(globals, io, signal);
  };
  try {
    const status = await definition.run({
      io,
      flags: flagValues(definition.flags, own),
      globals,
      words,
      wordsBeforeDash,
      session: () => (session ??= open()),
      signal,
    });
    const warnings = globals.warningsAsErrors ? ((await session)?.warningCount() ?? 0) : 0;
    if (warnings === 0 || status !== 0) return status;
    io.err.write(`error: ${warnings} warning${warnings === 1 ? '' : 's'} received\n`);
    return 1;
  } finally {
    await (await session?.catch(() => undefined))?.close();
  }
}

type GivenFlags = ReturnType<typeof splitCommandLine>['given'];

const namesOf = (table: FlagTable): ReadonlySet<string> =>
  new Set(Object.values(table).flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias])));

function ofTable(table: FlagTable, given: GivenFlags): GivenFlags {
  const names = namesOf(table);
  return given.filter(({ name }) => names.has(name));
}

/** The global flags, without short names that a command uses. */
function withoutShorts(own: FlagTable): FlagTable {
  const taken = new Set(Object.values(own).map(({ short }) => short));
  return Object.fromEntries(
    Object.entries<FlagTable[string]>(globalFlags).map(([key, flag]) => {
      if (flag.short === undefined || !taken.has(flag.short)) return [key, flag];
      const { short: _, ...rest } = flag;
      return [key, rest];
    }),
  );
}

function takesValue(word: string): boolean {
  const name = word.replace(/^--?/, '').replaceAll('_', '-');
  const flag = Object.values<FlagTable[string]>(globalFlags).find((one) =>
    word.startsWith('--') ? one.name === name || one.alias === name : one.short === name || one.name === name,
  );
  return flag !== undefined && !flag.isSwitch;
}

/** Whether `--help` is given before `--`. */
function isHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  return flags.includes('--help') || flags.includes('-h');
}
