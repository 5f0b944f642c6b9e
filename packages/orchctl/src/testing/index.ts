import type { Clock } from '@orch/machinery';
import { systemEnv } from '@orch/machinery/env';
import type { Io, Terminal, TextOutput } from '../io.ts';
import { runOrchctl } from '../run-orchctl.ts';
import { runProgram } from './run-program.ts';

export { commands } from '../commands/index.ts';

/** The environment of a command in a test. */
export interface CommandSurroundings {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** The width of a terminal on standard output; none when absent. */
  readonly columns?: number;
  readonly folder?: string;
  readonly homeFolder?: string;
  readonly signal?: AbortSignal;
  /** The clock of the command; that of this machine when absent. */
  readonly clock?: Clock;
  /** The terminal of standard input; none when absent. */
  readonly terminal?: Terminal;
  /** Called with everything on standard output so far, after each write. */
  readonly onOutput?: (text: string) => void;
  /** Called with everything on standard error so far, after each write. */
  readonly onErrorOutput?: (text: string) => void;
}

/** The result of a command line. */
export interface CommandResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** The program that commands run, if not in this process: a path, such as that of the standalone executable. */
const programUnderTest = process.env['ORCHCTL_UNDER_TEST'];

/**
 * Runs `orchctl ARGV` in this process, or as the program that ORCHCTL_UNDER_TEST names. Commands with a clock or a terminal of the
 * test run in this process always.
 */
export async function runCommandLine(
  argv: readonly string[],
  surroundings: CommandSurroundings = {},
): Promise<CommandResult> {
  const { clock, terminal, columns } = surroundings;
  const isProcess = clock === undefined && terminal === undefined && columns === undefined;
  if (programUnderTest === undefined || !isProcess) return runInProcess(argv, surroundings);
  return runProgram(programUnderTest, argv, surroundings);
}

async function runInProcess(
  argv: readonly string[],
  surroundings: CommandSurroundings,
): Promise<CommandResult> {
  const { environment = {}, input = '', columns, folder = '/', homeFolder = '/dev/null/home' } = surroundings;
  const [out, err] = [
    new Collected(columns, surroundings.onOutput),
    new Collected(undefined, surroundings.onErrorOutput),
  ];
  const io: Io = {
    ...{ out, err, environment, folder, homeFolder },
    input: (async function* () {
      yield Buffer.from(input);
    })(),
    isInputTerminal: surroundings.terminal !== undefined,
    terminal: surroundings.terminal,
    env: surroundings.clock === undefined ? systemEnv() : { ...systemEnv(), clock: surroundings.clock },
  };
  const status = await runOrchctl(argv, io, surroundings.signal ?? new AbortController().signal);
  return { status, out: out.text, err: err.text };
}

class Collected implements TextOutput {
  readonly columns: number | undefined;
  readonly #chunks: Uint8Array[] = [];
  readonly #onWrite: ((text: string) => void) | undefined;

  constructor(columns: number | undefined, onWrite: ((text: string) => void) | undefined) {
    this.columns = columns;
    this.#onWrite = onWrite;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  write(text: string | Uint8Array): void {
    this.#chunks.push(typeof text === 'string' ? Buffer.from(text) : text);
    this.#onWrite?.(this.text);
  }

  async drained(): Promise<void> {}
}
