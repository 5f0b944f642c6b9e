import { type Clock, messageOf } from '@orch/machinery';
import { parsePlainYaml } from '@orch/machinery/yaml';
import { MAX_CONFIG_BYTES, readConfigFile } from '../files/small-file.ts';
import { ConfigError } from './config-error.ts';
import { Fields } from './fields.ts';

/** The lists of a client configuration file, with the field of their entries. */
const lists = { contexts: 'context', clusters: 'cluster', users: 'user' } as const;
export type ListName = keyof typeof lists;

/** The entries of all files by name, with their places. */
export interface MergedFiles {
  readonly files: readonly string[];
  readonly currentContext: { readonly name: string; readonly file: string } | undefined;
  readonly entries: Readonly<Record<ListName, ReadonlyMap<string, Fields>>>;
}

/**
 * Reads and merges files. The first file with an entry of a name, or a current context, takes precedence; entries are not
 * merged. Empty names and missing files are ignored as long as one remains. Throws a ConfigError.
 */
export async function readConfigFiles(paths: readonly string[], clock: Clock): Promise<MergedFiles> {
  const named = paths.filter((path) => path !== '');
  if (named.length === 0) throw new ConfigError('no client configuration file is given');
  const files: Fields[] = [];
  for (const path of named) {
    const file = await readOne(path, clock);
    if (file !== undefined) files.push(file);
  }
  if (files.length === 0) throw new ConfigError('there is no such file', { file: named.join(', ') });
  const setting = files.find((file) => file.text('current-context') !== undefined);
  return {
    files: files.map(({ place }) => place.file),
    currentContext: setting && { name: setting.needed('current-context'), file: setting.place.file },
    entries: {
      contexts: mergedEntries(files, 'contexts'),
      clusters: mergedEntries(files, 'clusters'),
      users: mergedEntries(files, 'users'),
    },
  };
}

function mergedEntries(files: readonly Fields[], list: ListName): ReadonlyMap<string, Fields> {
  const merged = new Map<string, Fields>();
  for (const file of files) {
    const own = entriesOf(file, list);
    for (const [name, entry] of own) if (!merged.has(name)) merged.set(name, entry);
  }
  return merged;
}

function entriesOf(file: Fields, list: ListName): ReadonlyMap<string, Fields> {
  const entries = new Map<string, Fields>();
  for (const one of file.objects(list)) {
    const name = one.needed('name');
    if (entries.has(name)) one.fail('name', `${JSON.stringify(name)} is duplicated`);
    const { file: inFile, path } = one.place;
    // An entry without content is valid, such as a user without credentials.
    entries.set(
      name,
      one.object(lists[list]) ?? new Fields({}, { file: inFile, path: `${path}.${lists[list]}` }),
    );
  }
  return entries;
}

async function readOne(path: string, clock: Clock): Promise<Fields | undefined> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readConfigFile(path, clock);
  } catch (error) {
    throw new ConfigError(`cannot be read: ${messageOf(error)}`, { file: path });
  }
  if (bytes === undefined) return undefined;
  const file = new Fields((await parsed(path, bytes)) ?? {}, { file: path, path: '' });
  expectText(file, 'apiVersion', 'v1');
  expectText(file, 'kind', 'Config');
  return file;
}

function expectText(file: Fields, field: string, expected: string): void {
  const value = file.text(field);
  if (value !== undefined && value !== expected) file.fail(field, `must be ${expected}`);
}

async function parsed(path: string, bytes: Uint8Array): Promise<unknown> {
  const plain = parsePlainYaml(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
  );
  if (plain !== undefined) return plain;
  // The YAML parser is more than half of the code that the client loads otherwise.
  const { parseYaml, YamlSyntaxError } = await import('@orch/machinery/yaml');
  try {
    return parseYaml(bytes, { maxBytes: MAX_CONFIG_BYTES });
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    // The text at the error may be part of a secret: only its position is reported.
    const what = error.kind === 'limit' ? 'goes beyond a limit of YAML' : 'is not YAML';
    throw new ConfigError(`${what} at line ${error.line}, column ${error.column}`, { file: path });
  }
}
