import { readFileSync } from 'node:fs';
import { messageOf } from '@orch/machinery';
import { StartError } from './failure.ts';

/** The content of a file that a flag names; throws a `StartError` that names the flag when it cannot be read. */
export function readFlagFile(flag: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(`--${flag}: ${messageOf(error)}`);
  }
}
