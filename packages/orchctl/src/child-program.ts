import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Io } from './io.ts';

/**
 * Runs a program with the environment, folder and standard streams of this one. Resolves with its exit status; for a
 * program that a signal ended, with 128 plus the number of the signal. Aborting `signal` ends the program. Rejects when
 * it cannot be started.
 */
export function runChildProgram(
  [program = '', ...argv]: readonly string[],
  { environment, folder }: Pick<Io, 'environment' | 'folder'>,
  signal: AbortSignal,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const child = spawn(program, argv, { cwd: folder, env: { ...environment }, stdio: 'inherit' });
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  child.once('error', reject);
  child.once('exit', (code, ended) => resolve(code ?? 128 + (ended === null ? 0 : constants.signals[ended])));
  return promise.finally(() => signal.removeEventListener('abort', stop));
}
