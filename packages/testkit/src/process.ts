import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface RunningProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Everything printed so far on both streams, bounded to the last 256 KiB. */
  output(): string;
  /** Resolves with the match when the output matches; rejects when the process exits or the deadline passes first. */
  waitFor(pattern: RegExp, deadlineMs: number): Promise<RegExpExecArray>;
  /** Sends a signal and waits for the exit. */
  stop(
    signal?: NodeJS.Signals,
  ): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

const KEEP_BYTES = 256 * 1024;

/** Starts a program whose output decides when it is ready, and which is killed when the test ends. */
export function start(
  command: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): RunningProcess {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      text = (text + chunk).slice(-KEEP_BYTES);
      notify();
    });
  }
  let exited: { code: number | null; signal: NodeJS.Signals | null } | undefined;
  child.on('error', (error) => {
    text += `\n${error.message}`;
  });
  child.on('close', (code, signal) => {
    exited = { code, signal };
    notify();
  });

  const waitFor = (pattern: RegExp, deadlineMs: number): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const finish = (act: () => void): void => {
        clearTimeout(timer);
        listeners.delete(check);
        act();
      };
      const check = (): void => {
        const match = pattern.exec(text);
        if (match !== null) finish(() => resolve(match));
        else if (exited !== undefined)
          finish(() => reject(new Error(`${command} exited with ${exited?.code}: ${text}`)));
      };
      const timer = setTimeout(
        () =>
          finish(() => reject(new Error(`${command}: no ${pattern} within ${deadlineMs} ms in: ${text}`))),
        deadlineMs,
      );
      listeners.add(check);
      check();
    });

  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (exited === undefined) {
      child.kill(signal);
      await once(child, 'close');
    }
    return exited ?? { code: null, signal: null };
  };

  return {
    child,
    output: () => text,
    waitFor,
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL');
    },
  };
}
