import { join } from 'node:path';
import { run } from '@orch/testkit';

export const orchProgram = join(import.meta.dirname, '..', '..', 'bin', 'orch');

/** Runs the built program `orch` to its end. */
export const orch = (
  argv: readonly string[],
  options: Parameters<typeof run>[2] = {},
): ReturnType<typeof run> => run(orchProgram, argv, options);
