import { systemEnv } from '@orch/machinery';
import type { Io, TextOutput } from '../io.ts';
import { runOrchctl } from '../run-orchctl.ts';

/** The surroundings of a command in a test. */
export interface CommandSurroundings {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** The width of a terminal on standard output; none when absent. */
  readonly columns?: number;
  readonly folder?: string;
  readonly homeFolder?: string;
  readonly signal?: AbortSignal;
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
  const { environment = {}, input = '', columns, folder = '/', homeFolder = '/nonexistent' } = surroundings;
  const [out, err] = [new Collected(columns), new Collected(undefined)];
  const io: Io = {
    ...{ out, err, environment, folder, homeFolder },
    input: (async function* () {
      yield Buffer.from(input);
    })(),
    isInputTerminal: false,
    env: systemEnv(),
  };
  const status = await runOrchctl(argv, io, surroundings.signal ?? new AbortController().signal);
  return { status, out: out.text, err: err.text };
}

class Collected implements TextOutput {
  readonly columns: number | undefined;
  text = '';

  constructor(columns: number | undefined) {
    this.columns = columns;
  }

  write(text: string): void {
    this.text += text;
  }

  async drained(): Promise<void> {}
}
