import { nearest, UsageError } from '@orch/program/flags';
import type { CommandEntry } from './command.ts';

/** The command that a command line names. */
export interface FoundCommand {
  /** From the outermost group to the command. Empty for the program. */
  readonly path: readonly CommandEntry[];
  /** The remaining arguments, without the names of `path`. */
  readonly argv: readonly string[];
}

/**
 * Finds the command of a command line. Flags may stand before its name; `takesValue` reports whether the value of such a flag is
 * the next argument. Words after the first command without subcommands of that name are its arguments.
 */
export function findCommand(
  entries: readonly CommandEntry[],
  argv: readonly string[],
  takesValue: (flag: string) => boolean,
): FoundCommand {
  const path: CommandEntry[] = [];
  const rest: string[] = [];
  let candidates = entries;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    const found = word.startsWith('-') ? undefined : entryNamed(candidates, word);
    if (found !== undefined) {
      path.push(found);
      candidates = found.commands ?? [];
    } else if (word.startsWith('-') && word !== '--' && candidates.length > 0) {
      rest.push(word);
      if (!word.includes('=') && takesValue(word) && i + 1 < argv.length) rest.push(argv[++i] ?? '');
    } else {
      rest.push(...argv.slice(i));
      break;
    }
  }
  return { path, argv: rest };
}

export const entryNamed = (entries: readonly CommandEntry[], name: string): CommandEntry | undefined =>
  entries.find((entry) => entry.name === name || entry.aliases?.includes(name));

/** The error for a word that names no command. */
export function unknownCommand(word: string, program: string, entries: readonly CommandEntry[]): UsageError {
  const meant = nearest(
    word,
    entries.map(({ name }) => name),
  );
  const hint =
    meant === undefined ? `run "${program} --help" for the list of commands` : `did you mean ${meant}?`;
  return new UsageError(`unknown command ${JSON.stringify(word)} for "${program}"; ${hint}`);
}
