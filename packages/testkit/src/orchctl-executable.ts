import { join } from 'node:path';
import { run } from './run.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const MAKE_MS = 5 * 60_000;

/** The folder of the executable of `orchctl` for this machine, with its licences. */
export const executableFolder = join(root, 'standalone', `${process.platform}-${process.arch}`);
export const executablePath = join(executableFolder, 'orchctl');

/** Makes the executable as `make orchctl` does. Without its runtime it writes the reason, and tests of the executable are skipped. */
export async function makeExecutable(): Promise<void> {
  const options = { cwd: root, timeoutMs: MAKE_MS };
  const { code, stderr } = await run(process.execPath, [join(root, 'scripts/standalone.ts')], options);
  if (code !== 0) process.stderr.write(stderr);
}
