import type { FlagTable, FlagValues } from '@orch/program/flags';
import type { GlobalValues } from '../global-flags.ts';
import type { Io } from '../io.ts';
import type { Session } from '../session/session.ts';

/** An invocation from the documentation of a command. Tests run it. */
export interface Example {
  readonly comment: string;
  /** Complete: `orchctl get pods -o wide`. */
  readonly line: string;
}

/** The invocation of a command. */
export interface Invocation<Values> {
  readonly io: Io;
  readonly flags: Values;
  readonly globals: GlobalValues;
  /** Arguments that are not flags. */
  readonly words: readonly string[];
  /** Number of `words` before `--`; undefined without it. */
  readonly wordsBeforeDash: number | undefined;
  /** The connection to the server, opened by the first call. Rejects with a `CommandError`. */
  session(): Promise<Session>;
  /** Aborted by SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** Reports whether this program has a built-in command of that name, which plugins cannot replace. */
  isCommand(name: string): boolean;
}

/** One command. Its module is loaded when the command is used. */
export interface Command<Table extends FlagTable = FlagTable> {
  /** After the name of the program: `get (TYPE[/NAME] | -f FILE) [flags]`. */
  readonly usage: string;
  /** The topic, its guarantees and limits; paragraphs are separated by empty lines. */
  readonly about: string;
  readonly examples: readonly Example[];
  readonly flags: Table;
  /** False for a command that takes no arguments. */
  readonly hasArguments?: false;
  /** Whether most invocations send one or two requests. HTTP/1.1, for which the runtime loads less, is used then. */
  readonly isBrief?: true;
  /** Resolves with the exit status. Rejects with `UsageError`, `CommandError`, `ApiError` or `TransportError`. */
  run(invocation: Invocation<FlagValues<Table>>): Promise<number>;
}

/** Infers the types of the flags of a command. */
export const command = <Table extends FlagTable>(definition: Command<Table>): Command<Table> => definition;

/** A command in the list of commands, or a group of commands such as `config`. */
export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Section of the help of the program. */
  readonly section?: string;
  /** One line for lists of commands. */
  readonly summary: string;
  /** Absent for a group without an action. */
  readonly load?: () => Promise<Command>;
  readonly commands?: readonly CommandEntry[];
}
