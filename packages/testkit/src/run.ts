import { execFile } from 'node:child_process';

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, for at most `timeoutMs` (60 s by default). */
export function run(
  path: string,
  args: readonly string[],
  options: {
    env?: NodeJS.ProcessEnv;
    cwd?: string;
    input?: string;
    signal?: AbortSignal;
    timeoutMs?: number;
  } = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(
      path,
      args,
      {
        env: { ...process.env, ...options.env },
        timeout: options.timeoutMs ?? 60_000,
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        maxBuffer: 64 * 1024 * 1024,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, stdout, stderr: stderr + (error !== null && stderr === '' ? error.message : '') });
      },
    );
    // A program that ends without reading its input is not an error of the test.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
  });
}
