import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { messageOf } from '@orch/machinery';
import { configMapKey } from '@orch/machinery/formats';
import { listFlag, switchFlag, UsageError } from '@orch/program/flags';
import { CommandError } from '../../../command-error.ts';
import type { Io } from '../../../io.ts';
import { section, textsFlag } from '../generator.ts';

/** Flags that supply keys and values. */
export const dataFlags = {
  fromFile: listFlag({
    name: 'from-file',
    help: 'A file whose name is the key, KEY=FILE, or a folder of such files; may be repeated.',
    section,
  }),
  fromLiteral: textsFlag({ name: 'from-literal', help: 'KEY=VALUE; may be repeated.', section }),
  fromEnvFile: listFlag({
    name: 'from-env-file',
    help: 'A file with a line KEY=VALUE for each key; a line KEY takes the value of the environment.',
    section,
  }),
} as const;

export const appendHashFlag = {
  appendHash: switchFlag({ name: 'append-hash', help: 'Append a hash of the content to the name.', section }),
} as const;

/** Values of the flags of `dataFlags`. */
export interface DataSources {
  readonly fromFile: readonly string[];
  readonly fromLiteral: readonly string[];
  readonly fromEnvFile: readonly string[];
}

/** The keys and values of the flags. Throws a UsageError for invalid or repeated keys, a CommandError for unreadable files. */
export function readData(sources: DataSources, io: Io): ReadonlyMap<string, Buffer> {
  const { fromFile, fromLiteral, fromEnvFile } = sources;
  if (fromEnvFile.length > 0 && fromFile.length + fromLiteral.length > 0)
    throw new UsageError('from-env-file cannot be combined with from-file or from-literal');
  const data = new Map<string, Buffer>();
  const add = (key: string, value: Buffer): void => {
    const problem = configMapKey(key);
    if (problem !== undefined)
      throw new UsageError(`${JSON.stringify(key)} is not a valid key name: ${problem}`);
    if (data.has(key))
      throw new UsageError(`cannot add key ${JSON.stringify(key)}, another key by that name already exists`);
    data.set(key, value);
  };
  for (const source of fromFile) for (const [key, path] of filesOf(source, io)) add(key, readBytes(path));
  for (const source of fromLiteral) {
    const at = source.indexOf('=');
    if (at <= 0) throw new UsageError(`invalid literal source ${source}, expected key=value`);
    add(source.slice(0, at), Buffer.from(source.slice(at + 1)));
  }
  for (const path of fromEnvFile)
    for (const [key, value] of environmentLines(readBytes(resolve(io.folder, path)), io))
      add(key, Buffer.from(value));
  return data;
}

/** The files of `FILE`, `KEY=FILE` or `FOLDER` with their keys. */
function filesOf(source: string, { folder }: Io): readonly (readonly [string, string])[] {
  const [first = '', second, ...more] = source.split('=');
  if (more.length > 0) throw new UsageError("key names or file paths cannot contain '='");
  if (second !== undefined && first === '') throw new UsageError(`key name for file path ${second} missing`);
  if (second === '') throw new UsageError(`file path for key name ${first} missing`);
  const path = resolve(folder, second ?? first);
  if (!isFolder(path)) return [[second === undefined ? basename(path) : first, path]];
  if (second !== undefined) throw new UsageError('cannot give a key name for a directory path');
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }): readonly [string, string] => [name, join(path, name)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw new CommandError(`error reading ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** The bytes of a file. Throws a CommandError. */
export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CommandError(`error reading ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** The keys and values of an environment file. Empty lines and comments are skipped. */
function environmentLines(bytes: Buffer, { environment }: Io): readonly (readonly [string, string])[] {
  const lines = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split(/\r?\n/);
  return lines.flatMap((line) => {
    const text = line.trimStart();
    if (text === '' || text.startsWith('#')) return [];
    const [key = '', ...rest] = text.split('=');
    if (!/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(key))
      throw new UsageError(`${JSON.stringify(key)} is not a valid name of an environment variable`);
    return [[key, rest.length === 0 ? (environment[key] ?? '') : rest.join('=')] as const];
  });
}
