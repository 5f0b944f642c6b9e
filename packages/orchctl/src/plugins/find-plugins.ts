import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join } from 'node:path';

/** The prefix of the names of plugins. */
const PREFIX = 'orchctl-';

/** A plugin: a program on the path, such as `orchctl-tree` for `orchctl tree`. */
export interface Plugin {
  readonly path: string;
  /** Name of its command: `tree`, or `view secret` for `orchctl-view-secret`; `_` in the name of the file means `-`. */
  readonly words: readonly string[];
  readonly isExecutable: boolean;
}

/**
 * The folders of a path list. Relative ones are left out: a plugin in the current folder, such as that of a repository of others, is
 * never run.
 */
const foldersOf = (path: string): readonly string[] => [
  ...new Set(path.split(delimiter).filter((folder) => isAbsolute(folder))),
];

/** The path of an executable with this name; undefined when no folder of the path list has one. */
export const programOn = (path: string, name: string): string | undefined =>
  foldersOf(path)
    .map((folder) => join(folder, name))
    .find((file) => pluginAt(file)?.isExecutable === true);

/** All plugins on a path, in its order. */
export const pluginsOn = (path: string): readonly Plugin[] =>
  foldersOf(path).flatMap((folder) =>
    filesOf(folder)
      .filter((name) => name.startsWith(PREFIX) && name.length > PREFIX.length)
      .toSorted()
      .flatMap((name) => pluginAt(join(folder, name)) ?? []),
  );

/** A plugin for the words of a command line, and the words that are its arguments. */
export interface FoundPlugin {
  readonly plugin: Plugin;
  readonly argv: readonly string[];
}

/** The plugin with the longest name that the first words of a command line make, flags excluded. */
export function findPlugin(path: string, argv: readonly string[]): FoundPlugin | undefined {
  const end = argv.findIndex((word) => word.startsWith('-'));
  const words = end < 0 ? argv : argv.slice(0, end);
  // A word with a separator would lead to a file outside of the folders of the path.
  const separator = words.findIndex((word) => word === '' || /[/\\]/.test(word));
  for (let length = separator < 0 ? words.length : separator; length > 0; length--) {
    const name = `${PREFIX}${words
      .slice(0, length)
      .map((word) => word.replaceAll('-', '_'))
      .join('-')}`;
    for (const folder of foldersOf(path)) {
      const plugin = pluginAt(join(folder, name));
      if (plugin?.isExecutable === true) return { plugin, argv: argv.slice(length) };
    }
  }
  return undefined;
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The path may list folders that do not exist.
    return [];
  }
}

function pluginAt(path: string): Plugin | undefined {
  try {
    if (!statSync(path).isFile()) return undefined;
  } catch {
    return undefined;
  }
  const words = basename(path)
    .slice(PREFIX.length)
    .split('-')
    .map((word) => word.replaceAll('_', '-'));
  return { path, words, isExecutable: isExecutable(path) };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
