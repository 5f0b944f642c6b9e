import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { namesFor } from '@orch/machinery';
import type { Io } from '../io.ts';

/**
 * The client configuration files: from the flag, from the environment (variables of both namings, that of this project
 * first), or the one in the home folder. A file in the current folder is never read unless it is named: it can name
 * programs to run.
 */
export function configFiles(
  flag: string,
  io: Pick<Io, 'environment' | 'folder' | 'homeFolder'>,
): readonly string[] {
  if (flag !== '') return [resolve(io.folder, flag)];
  for (const naming of ['orch', 'kubernetes'] as const) {
    const listed = io.environment[namesFor(naming).environment.clientConfig] ?? '';
    if (listed !== '')
      return listed
        .split(delimiter)
        .filter((path) => path !== '')
        .map((path) => resolve(io.folder, path));
  }
  const own = join(io.homeFolder, '.orch', 'config');
  const other = join(io.homeFolder, '.kube', 'config');
  return [existsSync(own) || !existsSync(other) ? own : other];
}
