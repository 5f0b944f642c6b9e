import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { namesFor } from '@orch/machinery';

/** The places of client configuration files. */
export interface ConfigPlaces {
  /** The environment variables of the program. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that paths are relative to. */
  readonly folder: string;
  readonly homeFolder: string;
}

/**
 * The client configuration files that the environment lists, by the variables of both namings, that of this project first. Undefined
 * when none is set.
 */
export function listedConfigFiles({
  environment,
  folder,
}: Pick<ConfigPlaces, 'environment' | 'folder'>): readonly string[] | undefined {
  for (const naming of ['orch', 'kubernetes'] as const) {
    const listed = environment[namesFor(naming).environment.clientConfig] ?? '';
    if (listed !== '')
      return listed
        .split(delimiter)
        .filter((path) => path !== '')
        .map((path) => resolve(folder, path));
  }
  return undefined;
}

/**
 * The client configuration file in the home folder. A file in the current folder is never read unless it is named: it can name
 * programs to run.
 */
export function homeConfigFile({ homeFolder }: Pick<ConfigPlaces, 'homeFolder'>): string {
  const own = join(homeFolder, '.orch', 'config');
  const other = join(homeFolder, '.kube', 'config');
  return existsSync(own) || !existsSync(other) ? own : other;
}
