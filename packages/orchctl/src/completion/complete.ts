import { type FlagTable, flagValues, splitCommandLine, UsageError } from '@orch/program/flags';
import type { CommandEntry } from '../cli/command.ts';
import { commandFlags, flagOf, takesValue } from '../cli/command-flags.ts';
import { findCommand } from '../cli/find-command.ts';
import { type GlobalValues, globalFlags } from '../global-flags.ts';
import type { Io } from '../io.ts';
import { pluginsOn } from '../plugins/find-plugins.ts';
import { type ArgumentRequest, completeArgument } from './arguments.ts';
import type { Candidate, Completion } from './candidate.ts';
import { completeFlagValue } from './flag-values.ts';
import { Sources } from './sources.ts';

export interface CompletionRequest {
  readonly entries: readonly CommandEntry[];
  /** Words before the cursor, without the name of the program. */
  readonly before: readonly string[];
  /** The word at the cursor, up to the cursor; may be empty. */
  readonly current: string;
  readonly io: Io;
  readonly signal: AbortSignal;
}

/** The completions at the cursor of a command line. */
export async function complete(request: CompletionRequest): Promise<Completion> {
  const { entries, before } = request;
  const { path, argv } = findCommand(entries, before, (word) => takesValue(globalFlags, word));
  const entry = path.at(-1);
  const definition = await entry?.load?.();
  const table = commandFlags(definition?.flags ?? {});
  // The arguments after `--` are the command of `exec`.
  if (before.includes('--')) return { candidates: [], withFiles: true };
  await using sources = new Sources(
    globalsOf(parsed(table, withoutOpenFlag(table, before))?.given ?? []),
    request,
  );
  const words = parsed(table, withoutOpenFlag(table, argv))?.words ?? [];
  return await completeWord({ ...request, entry, usage: definition?.usage, table, sources, words });
}

interface WordRequest extends CompletionRequest, ArgumentRequest {
  readonly entry: CommandEntry | undefined;
  /** Undefined for a group of commands. */
  readonly usage: string | undefined;
  readonly table: FlagTable;
}

async function completeWord(request: WordRequest): Promise<Completion> {
  const { entries, before, current, entry, usage, table, words } = request;
  const last = before.at(-1) ?? '';
  if (isOpenFlag(table, last)) return completeFlagValue(flagOf(table, last), request);
  if (current.startsWith('-')) return completeFlag(request);
  const commands = entry === undefined ? entries : (entry.commands ?? []);
  const subcommands = words.length === 0 ? [...commandNames(commands), ...pluginNames(request)] : [];
  if (usage === undefined) return { candidates: subcommands };
  const completed = await completeArgument(usage, request);
  return { ...completed, candidates: [...subcommands, ...completed.candidates] };
}

/** Reports whether a word is a flag whose value is the next word. */
const isOpenFlag = (table: FlagTable, word: string): boolean =>
  word.startsWith('-') && takesValue(table, word);

const withoutOpenFlag = (table: FlagTable, argv: readonly string[]): readonly string[] =>
  isOpenFlag(table, argv.at(-1) ?? '') ? argv.slice(0, -1) : argv;

const commandNames = (entries: readonly CommandEntry[]): readonly Candidate[] =>
  entries.map(({ name, summary }) => ({ word: name, description: summary }));

/** The first words of plugins, where a command may stand. */
const pluginNames = ({ entry, io }: WordRequest): readonly Candidate[] =>
  entry === undefined
    ? pluginsOn(io.environment['PATH'] ?? '').map(({ words, path }) => ({
        word: words[0] ?? '',
        description: path,
      }))
    : [];

/** The names of flags, or the value behind `--name=`. */
async function completeFlag(request: WordRequest): Promise<Completion> {
  const { table, current } = request;
  const at = current.indexOf('=');
  if (at < 0) return { candidates: flagNames(table) };
  const prefix = current.slice(0, at + 1);
  const value = await completeFlagValue(flagOf(table, current), {
    ...request,
    current: current.slice(at + 1),
  });
  return { ...value, candidates: value.candidates.map((one) => ({ ...one, word: `${prefix}${one.word}` })) };
}

const flagNames = (table: FlagTable): readonly Candidate[] =>
  Object.values(table)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, help }) => ({ word: `--${name}`, description: firstSentence(help) }));

const firstSentence = (text: string): string => text.split(/(?<=[.:;]) /, 1)[0] ?? '';

function parsed(table: FlagTable, argv: readonly string[]): ReturnType<typeof splitCommandLine> | undefined {
  try {
    return splitCommandLine(table, argv);
  } catch (error) {
    // An unfinished command line may be wrong.
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

function globalsOf(given: ReturnType<typeof splitCommandLine>['given']): GlobalValues {
  const names = new Set(
    Object.values<FlagTable[string]>(globalFlags).flatMap((flag) => [flag.name, flag.alias]),
  );
  try {
    return flagValues(
      globalFlags,
      given.filter(({ name }) => names.has(name)),
    );
  } catch (error) {
    if (error instanceof UsageError) return flagValues(globalFlags, []);
    throw error;
  }
}
