import { StartError } from '@orch/program';
import type { FileFlag } from './reloaded-files.ts';

/** Does what may find that the content of a file is invalid, and turns that error into a `StartError` with flag and path. */
export function asStartError<T>(
  { flag, path }: FileFlag,
  invalid: abstract new (...parts: never) => Error,
  work: () => T,
): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof invalid)) throw error;
    throw new StartError(`--${flag} ${path}: ${error.message}`, { cause: error });
  }
}
