import { access, constants, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own, removed with everything in it when disposed. */
export interface TempDir extends AsyncDisposable {
  readonly path: string;
}

/** Makes a temporary folder, in memory (`/dev/shm`) where the machine has that: a test's fsync then costs nothing. */
export async function tempDir(prefix: string): Promise<TempDir> {
  const path = await mkdtemp(join(await fastestParent(), prefix));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

async function fastestParent(): Promise<string> {
  const shared = '/dev/shm';
  try {
    await access(shared, constants.W_OK);
    return shared;
  } catch {
    return tmpdir();
  }
}
