import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { messageOf } from '@orch/machinery';
import { CommandError } from '../command-error.ts';
import type { Io } from '../io.ts';
import type { FoundPlugin } from './find-plugins.ts';

/**
 * Runs a plugin in the place of this program: with its arguments, environment, folder and standard streams. Resolves with its exit
 * status, which is 128 and the number of the signal for one that a signal ended.
 */
export function runPlugin({ plugin, argv }: FoundPlugin, io: Io, signal: AbortSignal): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const child = spawn(plugin.path, argv, {
    cwd: io.folder,
    env: { ...io.environment },
    stdio: 'inherit',
  });
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  child.once('error', (error) =>
    reject(
      new CommandError(`the plugin ${plugin.path} cannot be run: ${messageOf(error)}`, { cause: error }),
    ),
  );
  child.once('exit', (code, ended) => resolve(code ?? 128 + (ended === null ? 0 : constants.signals[ended])));
  return promise.finally(() => signal.removeEventListener('abort', stop));
}
