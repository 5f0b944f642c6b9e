import { readConfigFile } from './config-file.ts';
import type { Flag, FlagTable, FlagValues } from './define.ts';
import { helpText } from './help.ts';
import { flagValues, splitCommandLine, UsageError } from './parse.ts';

/** The flags that every program has. */
export interface CommonFlags extends FlagTable {
  readonly help: Flag<boolean>;
  readonly version: Flag<boolean>;
  readonly config: Flag<string>;
}

export interface ProgramDescription<Table extends CommonFlags> {
  readonly usage: string;
  readonly about: string;
  readonly flags: Table;
  /** Words that may stand besides flags: `up`. */
  readonly commands?: readonly string[];
}

/** The options of a command line. */
export type Request<Table extends CommonFlags> =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'run'; readonly command: string | undefined; readonly values: FlagValues<Table> };

/** Reads a command line, with the configuration file that it names. Throws `UsageError`. */
export function readRequest<Table extends CommonFlags>(
  program: ProgramDescription<Table>,
  argv: readonly string[],
): Request<Table> {
  const { given, words } = splitCommandLine(program.flags, argv);
  const values: FlagValues<Table> = flagValues(program.flags, given);
  const common = flagValues<CommonFlags>(program.flags, given);
  if (common.help) return { kind: 'help', text: helpText(program.usage, program.about, program.flags) };
  if (common.version) return { kind: 'version' };
  const command = commandOf(words, program.commands ?? []);
  if (common.config === '') return { kind: 'run', command, values };
  return { kind: 'run', command, values: flagValues(program.flags, readConfigFile(common.config), given) };
}

function commandOf(words: readonly string[], commands: readonly string[]): string | undefined {
  const [command, extra] = words;
  if (command === undefined && commands.length > 0)
    throw new UsageError(`missing argument: ${commands.join(' or ')}`);
  if (command !== undefined && !commands.includes(command))
    throw new UsageError(`unknown argument: ${command}`);
  if (extra !== undefined) throw new UsageError(`unknown argument: ${extra}`);
  return command;
}
