import { messageOf } from '@orch/machinery';
import { keepProcessAlive } from '@orch/machinery/env';
import type { BuildFacts } from './build-facts.ts';
import { StartError } from './failure.ts';
import type { FlagValues } from './flags/index.ts';
import {
  type CommonFlags,
  type ProgramDescription,
  type Request,
  readRequest,
  UsageError,
} from './flags/index.ts';

/** A program as `runProgram` runs it. */
export interface Program<Table extends CommonFlags> extends ProgramDescription<Table> {
  readonly name: string;
  readonly build: BuildFacts;
  /** Runs until the signal aborts. Throws `UsageError` and `StartError` for errors that the user can correct. */
  run(values: FlagValues<Table>, command: string | undefined, signal: AbortSignal): Promise<void>;
}

/** The standard streams to which a program prints. */
export interface ProgramOutput {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/**
 * Runs a program to its end and returns its exit status: 0 after help, version, or a clean stop; 1 when it could not
 * start or failed; 2 for an invalid command line. The first SIGINT or SIGTERM requests a clean stop, the second ends
 * the process at once.
 */
export async function runProgram<Table extends CommonFlags>(
  program: Program<Table>,
  argv: readonly string[],
  output: ProgramOutput = process,
): Promise<number> {
  const printLine = (text: string): void => void output.stderr.write(`${program.name}: ${text}\n`);
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stop.signal.aborted) {
      printLine(`second ${signal}: stopping at once`);
      process.exit(1);
    }
    stop.abort(new Error(`received ${signal}`));
  };
  // The reader of standard output may close it before the program ends; the program then continues.
  process.stdout.on('error', () => undefined);
  let request: Request<Table>;
  try {
    request = readRequest(program, argv);
    if (request.kind === 'help') {
      output.stdout.write(request.text);
      return 0;
    }
    if (request.kind === 'version') {
      output.stdout.write(`${program.name} ${versionText(program.build)}\n`);
      return 0;
    }
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
    using _alive = keepProcessAlive();
    await program.run(request.values, request.command, stop.signal);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      printLine(oneLine(error.message));
      return 2;
    }
    if (stop.signal.aborted && error === stop.signal.reason) return 0;
    printLine(
      error instanceof StartError ? oneLine(error.message) : `unexpected failure: ${detailOf(error)}`,
    );
    return 1;
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

const versionText = ({ version, commit }: BuildFacts): string =>
  commit === '' ? version : `${version} (${commit.slice(0, 12)})`;

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, '; ');

const detailOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
