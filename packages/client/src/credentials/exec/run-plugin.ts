import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Clock } from '@orch/machinery';
import { formatDurationMs } from '@orch/machinery/time';
import { CredentialError } from '../credential-error.ts';

export interface PluginRun {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment: nothing else is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the plugin reads from the terminal of this process. */
  readonly isInteractive: boolean;
  readonly installHint?: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Maximum size of the output: a token, a certificate chain and a key are far shorter. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;
/** Wait for output after the exit: a child process may keep it open. */
const DRAIN_MS = 1_000;
/** Time between the request to terminate and the forced termination. */
const KILL_MS = 2_000;

/** Without output when too many files are open to start a program; an `error` event follows then. */
type Child = Omit<ChildProcessByStdio<null, Readable, null>, 'stdout'> & {
  readonly stdout: Readable | undefined;
};

/**
 * Runs a plugin and resolves with its output. Its standard error is that of this process, for messages to users. Rejects
 * with a CredentialError that never contains arguments, variables or output.
 */
export async function runPlugin(run: PluginRun): Promise<Uint8Array> {
  const child = start(run);
  try {
    return await ended(child, run);
  } finally {
    child.stdout?.destroy();
    stop(child, run.clock);
  }
}

function start(run: PluginRun): Child {
  // Modules of the runtime are loaded on first use, so that the client loads quickly.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { command, args, environment, isInteractive } = run;
  try {
    return spawn(command, args, {
      env: environment,
      stdio: [isInteractive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      windowsHide: true,
    });
  } catch (cause) {
    throw startError(run, cause);
  }
}

/** Resolves with the output of a successful plugin. */
function ended(child: Child, run: PluginRun): Promise<Uint8Array> {
  const { clock, timeoutMs } = run;
  const timers: (() => void)[] = [];
  let isOver = false;
  const promise = new Promise<Uint8Array>((resolve, reject) => {
    const fail = (problem: string): void => reject(pluginError(run, problem));
    const output = collect(child, () => fail(`has printed more than ${MAX_OUTPUT_BYTES} bytes`));
    const finish = (): void => {
      const problem = problemOfExit(child);
      if (problem === undefined) resolve(output());
      else fail(problem);
    };
    timers.push(
      clock.scheduleAwaited(timeoutMs, () => fail(`has not ended within ${formatDurationMs(timeoutMs)}`)),
    );
    child.on('error', (cause) => reject(startError(run, cause)));
    child.on('exit', () => isOver || timers.push(clock.scheduleAwaited(DRAIN_MS, finish)));
    child.on('close', finish);
  });
  return promise.finally(() => {
    isOver = true;
    for (const cancel of timers) cancel();
  });
}

/** Returns the function that joins the received chunks. */
function collect(child: Child, tooMuch: () => void): () => Uint8Array {
  const chunks: Buffer[] = [];
  let length = 0;
  child.stdout?.on('error', () => undefined);
  child.stdout?.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_OUTPUT_BYTES) {
      chunks.length = 0;
      tooMuch();
    } else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks);
}

/** Terminates the process, first by a request, so that the plugin can clean up. */
function stop(child: Child, clock: Clock): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const cancel = clock.schedule(KILL_MS, () => child.kill('SIGKILL'));
  child.once('exit', cancel);
}

function problemOfExit({ exitCode, signalCode }: Child): string | undefined {
  if (signalCode !== null) return `was ended by ${signalCode}`;
  return exitCode === 0 ? undefined : `has failed with exit status ${exitCode}`;
}

function startError(run: PluginRun, cause: unknown): CredentialError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
  if (code !== 'ENOENT') return pluginError(run, `cannot be started: ${code}`);
  const hint = run.installHint === undefined ? '' : `\n\n${run.installHint}`;
  return pluginError(run, `cannot be started: there is no such program${hint}`);
}

// Without the error of the runtime as the cause, because it contains all arguments.
const pluginError = ({ command }: PluginRun, problem: string): CredentialError =>
  new CredentialError(`exec plugin ${command} ${problem}`);
