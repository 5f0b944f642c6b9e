import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Path of the `etcd` program in PATH. Throws an error that names the package to install when there is none. */
export async function findEtcd(path = process.env['PATH'] ?? ''): Promise<string> {
  for (const folder of path.split(delimiter)) {
    const candidate = join(folder, 'etcd');
    try {
      await access(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Not in this folder.
    }
  }
  throw new Error('etcd was not found in PATH; on Debian it is in the package etcd-server');
}
