import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { type Clock, formatDurationMs } from '@orch/machinery';
import { CredentialError } from '../credential-error.ts';

export interface PluginRun {
  readonly command: string;
  readonly args: readonly string[];
  /** All of it: nothing else is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the plugin reads from the terminal of this process. */
  readonly isInteractive: boolean;
  readonly installHint?: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** A token, a chain of certificates and a key are far shorter. */
export const maxOutputBytes = 1024 * 1024;
/** What a plugin leaves running may hold its output open; what the plugin itself has written is there by then. */
const drainMs = 1_000;
/** From the request to end until there is no choice. */
const killMs = 2_000;

/** Without output when the process has too many files open to start a program; an `error` follows then. */
type Child = Omit<ChildProcessByStdio<null, Readable, null>, 'stdout'> & {
  readonly stdout: Readable | undefined;
};

/**
 * Runs a plugin and answers what it printed. Its standard error is that of this process: plugins talk to their users
 * there. Rejects with a CredentialError that never holds an argument, a variable, or what was printed.
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
  // Modules of the runtime are loaded when they are used, so that importing the client costs little.
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

/** Resolves with the output of a plugin that has ended well. */
function ended(child: Child, run: PluginRun): Promise<Uint8Array> {
  const { clock, timeoutMs } = run;
  const timers: (() => void)[] = [];
  let isOver = false;
  const promise = new Promise<Uint8Array>((resolve, reject) => {
    const fail = (problem: string): void => reject(pluginError(run, problem));
    const output = collect(child, () => fail(`has printed more than ${maxOutputBytes} bytes`));
    const finish = (): void => {
      const problem = problemOfExit(child);
      if (problem === undefined) resolve(output());
      else fail(problem);
    };
    timers.push(
      clock.scheduleAwaited(timeoutMs, () => fail(`has not ended within ${formatDurationMs(timeoutMs)}`)),
    );
    child.on('error', (cause) => reject(startError(run, cause)));
    child.on('exit', () => isOver || timers.push(clock.scheduleAwaited(drainMs, finish)));
    child.on('close', finish);
  });
  return promise.finally(() => {
    isOver = true;
    for (const cancel of timers) cancel();
  });
}

/** Answers the function that puts together what has come. */
function collect(child: Child, tooMuch: () => void): () => Uint8Array {
  const pieces: Buffer[] = [];
  let length = 0;
  child.stdout?.on('error', () => undefined);
  child.stdout?.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length > maxOutputBytes) {
      pieces.length = 0;
      tooMuch();
    } else pieces.push(piece);
  });
  return () => Buffer.concat(pieces);
}

/** Ends what still runs: asks first, so that the plugin can tidy up. */
function stop(child: Child, clock: Clock): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const cancel = clock.schedule(killMs, () => child.kill('SIGKILL'));
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

// The error of the runtime is no cause to hand on: it carries all arguments.
const pluginError = ({ command }: PluginRun, problem: string): CredentialError =>
  new CredentialError(`exec plugin ${command} ${problem}`);
