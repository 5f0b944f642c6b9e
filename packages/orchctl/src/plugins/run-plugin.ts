import { messageOf } from '@orch/machinery';
import { runChildProgram } from '../child-program.ts';
import { CommandError } from '../command-error.ts';
import type { Io } from '../io.ts';
import type { FoundPlugin } from './find-plugins.ts';

/**
 * Runs a plugin in the place of this program: with its arguments, environment, folder and standard streams. Resolves with its exit
 * status, which is 128 and the number of the signal for one that a signal ended.
 */
export async function runPlugin({ plugin, argv }: FoundPlugin, io: Io, signal: AbortSignal): Promise<number> {
  try {
    return await runChildProgram([plugin.path, ...argv], io, signal);
  } catch (error) {
    throw new CommandError(`the plugin ${plugin.path} cannot be run: ${messageOf(error)}`, { cause: error });
  }
}
