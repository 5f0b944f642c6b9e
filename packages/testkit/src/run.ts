import { execFile } from 'node:child_process';

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How long a program may take to end by itself after its time is over. */
const END_MS = 10_000;

/** Runs a program to its end. After `timeoutMs` (60 s by default) it is asked to end, `endMs` later it is killed. */
export function run(
  path: string,
  args: readonly string[],
  options: {
    env?: NodeJS.ProcessEnv;
    cwd?: string;
    input?: string;
    signal?: AbortSignal;
    timeoutMs?: number;
    endMs?: number;
  } = {},
): Promise<CommandResult> {
  const { timeoutMs = 60_000, endMs = END_MS } = options;
  return new Promise((resolve) => {
    const child = execFile(
      path,
      args,
      {
        env: { ...process.env, ...options.env },
        timeout: timeoutMs,
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        maxBuffer: 64 * 1024 * 1024,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      },
      (error, stdout, stderr) => {
        clearTimeout(kill);
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, stdout, stderr: stderr + (error !== null && stderr === '' ? error.message : '') });
      },
    );
    const kill = setTimeout(() => child.kill('SIGKILL'), timeoutMs + endMs);
    // A program that ends without reading its input is not an error of the test.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
  });
}
