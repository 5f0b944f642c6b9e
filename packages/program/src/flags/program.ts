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
  /** Commands that are accepted besides flags, such as `up`. */
  readonly commands?: readonly string[];
  /** Instead of commands: the name of the one required argument, such as `FILE`. */
  readonly operand?: string;
}

/** The options of a command line. `command` is the command, or the operand. */
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
  const command =
    program.operand === undefined ? commandOf(words, program) : operandOf(words, program.operand);
  if (common.config === '') return { kind: 'run', command, values };
  return { kind: 'run', command, values: flagValues(program.flags, readConfigFile(common.config), given) };
}

function operandOf([given, extra]: readonly string[], name: string): string {
  if (given === undefined) throw new UsageError(`missing argument: ${name}`);
  if (extra !== undefined) throw new UsageError(`unknown argument: ${extra}`);
  return given;
}

function commandOf(
  words: readonly string[],
  { commands = [], usage }: Pick<ProgramDescription<CommonFlags>, 'commands' | 'usage'>,
): string | undefined {
  const [command, extra] = words;
  if (command === undefined && commands.length > 0)
    throw new UsageError(`missing argument: ${commands.join(' or ')}; run ${usage}, or --help for its flags`);
  if (command !== undefined && !commands.includes(command))
    throw new UsageError(`unknown argument: ${command}`);
  if (extra !== undefined) throw new UsageError(`unknown argument: ${extra}`);
  return command;
}
