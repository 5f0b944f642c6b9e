import { type FlagTable, flagValues, splitCommandLine, UsageError } from '@orch/program/flags';
import type { Command, CommandEntry } from './cli/command.ts';
import { commandFlags, takesValue } from './cli/command-flags.ts';
import { entryNamed, type FoundCommand, findCommand, unknownCommand } from './cli/find-command.ts';
import { commandHelp, programHelp } from './cli/help.ts';
import { reportFailure } from './cli/report-failure.ts';
import { commands } from './commands/index.ts';
import { withKustomization } from './files/kustomization-flag.ts';
import { globalFlags } from './global-flags.ts';
import type { Io } from './io.ts';
import { visibleIo } from './print/visible-output.ts';
import type { Session } from './session/session.ts';

/** Runs one command line to its end and returns the exit status. */
export const runOrchctl = (argv: readonly string[], io: Io, signal: AbortSignal): Promise<number> =>
  run(argv, visibleIo(io), signal);

async function run(argv: readonly string[], io: Io, signal: AbortSignal): Promise<number> {
  try {
    if (argv[0] === '__complete') return await printCompletion(argv.slice(1), io, signal);
    // `help get` is `get --help`.
    if (argv[0] === 'help') return await run([...argv.slice(1), '--help'], io, signal);
    const found = findCommand(commands, argv, (word) => takesValue(globalFlags, word));
    const entry = found.path.at(-1);
    if (entry === undefined) return await runProgram(found, io, signal);
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

/** `__complete -- [WORD...] CURRENT`, which completion scripts call. It is not documented for users. */
async function printCompletion(argv: readonly string[], io: Io, signal: AbortSignal): Promise<number> {
  const [{ complete }, { completionText }] = await Promise.all([
    import('./completion/complete.ts'),
    import('./completion/candidate.ts'),
  ]);
  const words = argv[0] === '--' ? argv.slice(1) : argv;
  const current = words.at(-1) ?? '';
  const completion = await complete({ entries: commands, before: words.slice(0, -1), current, io, signal });
  io.out.write(completionText(completion, current));
  return 0;
}

/** A command line without a command: a plugin, or the help of the program. */
async function runProgram({ argv }: FoundCommand, io: Io, signal: AbortSignal): Promise<number> {
  const word = argv[0]?.startsWith('-') === false ? argv[0] : undefined;
  if (word !== undefined) {
    const { findPlugin } = await import('./plugins/find-plugins.ts');
    const plugin = findPlugin(io.environment['PATH'] ?? '', argv);
    if (plugin !== undefined) return (await import('./plugins/run-plugin.ts')).runPlugin(plugin, io, signal);
  }
  const { words } = splitCommandLine(globalFlags, argv);
  const [unknown] = words;
  if (unknown !== undefined) throw unknownCommand(unknown, 'orchctl', commands);
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
  const table = commandFlags(definition.flags);
  const { given, words, wordsBeforeDash } = splitCommandLine(table, argv);
  if (definition.hasArguments === false && words.length > 0)
    throw new UsageError(`unexpected arguments: ${words.join(' ')}`);
  const own = ofTable(definition.flags, given);
  // `--user` of a binding is not the user of the client configuration.
  const ownNames = namesOf(definition.flags);
  const others = given.filter(({ name }) => !ownNames.has(name));
  const globals = flagValues(globalFlags, ofTable(globalFlags, others));
  let session: Promise<Session> | undefined;
  const open = async (): Promise<Session> => {
    // Commands without a server do not load the client library.
    const { openSession } = await import('./session/open-session.ts');
    return openSession(globals, io, signal, definition.isBrief === true ? ['http/1.1'] : undefined);
  };
  try {
    const status = await definition.run({
      io,
      flags: withKustomization(flagValues(definition.flags, own)),
      globals,
      words,
      wordsBeforeDash,
      session: () => (session ??= open()),
      signal,
      isCommand: (name) => entryNamed(commands, name) !== undefined,
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

/** Reports whether `--help` is given before `--`. */
function isHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  return flags.includes('--help') || flags.includes('-h');
}
