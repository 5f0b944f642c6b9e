import { readFileSync } from 'node:fs';
import { messageOf } from '@orch/machinery';
import { StartError } from './failure.ts';

/** The content of a file that a flag names; throws a `StartError` that names the flag when it cannot be read. */
export const readFlagFile = (flag: string, path: string): string =>
  readFlagBytes(flag, path).toString('utf8');

/** As `readFlagFile`, for a file that is not text. */
export function readFlagBytes(flag: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartError(`--${flag}: ${messageOf(error)}`);
  }
}
