import { type Clock, systemEnv } from '@orch/machinery';
import type { Io, Terminal, TextOutput } from '../io.ts';
import { runOrchctl } from '../run-orchctl.ts';

export { commands } from '../commands/index.ts';

/** The surroundings of a command in a test. */
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

/** Runs `orchctl ARGV` in this process. */
export async function runCommandLine(
  argv: readonly string[],
  surroundings: CommandSurroundings = {},
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
  readonly #onWrite: (text: string) => void;

  constructor(columns: number | undefined, onWrite: (text: string) => void = () => {}) {
    this.columns = columns;
    this.#onWrite = onWrite;
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  write(text: string | Uint8Array): void {
    this.#chunks.push(typeof text === 'string' ? Buffer.from(text) : text);
    this.#onWrite(this.text);
  }

  async drained(): Promise<void> {}
}
