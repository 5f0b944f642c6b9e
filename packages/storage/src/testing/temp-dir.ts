import { access, constants, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder, removed with its content when disposed. */
export interface TempDir extends AsyncDisposable {
  readonly path: string;
}

/** Creates a temporary folder, in memory (`/dev/shm`) where available: fsync then costs nothing in tests. */
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
