import { type Clock, messageOf } from '@orch/machinery';
import { ConfigError } from './config-error.ts';
import { Members } from './members.ts';
import { maxConfigBytes, readConfigFile } from './small-file.ts';

/** The lists of a client configuration file, and what their entries hold. */
const lists = { contexts: 'context', clusters: 'cluster', users: 'user' } as const;
export type ListName = keyof typeof lists;

/** The entries of all files by name; where they stand is part of them. */
export interface MergedFiles {
  readonly files: readonly string[];
  readonly currentContext: { readonly name: string; readonly file: string } | undefined;
  readonly entries: Readonly<Record<ListName, ReadonlyMap<string, Members>>>;
}

/**
 * Reads and merges files. The first that has an entry of a name, or a current context, decides; entries are never
 * mixed. Empty names and files that do not exist are left out as long as one remains. Throws a ConfigError.
 */
export async function readConfigFiles(paths: readonly string[], clock: Clock): Promise<MergedFiles> {
  const named = paths.filter((path) => path !== '');
  if (named.length === 0) throw new ConfigError('no client configuration file is given');
  const files: Members[] = [];
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

function mergedEntries(files: readonly Members[], list: ListName): ReadonlyMap<string, Members> {
  const merged = new Map<string, Members>();
  for (const file of files) {
    const own = entriesOf(file, list);
    for (const [name, entry] of own) if (!merged.has(name)) merged.set(name, entry);
  }
  return merged;
}

function entriesOf(file: Members, list: ListName): ReadonlyMap<string, Members> {
  const entries = new Map<string, Members>();
  for (const one of file.objects(list)) {
    const name = one.needed('name');
    if (entries.has(name)) one.fail('name', `${JSON.stringify(name)} is there twice`);
    const { file: inFile, path } = one.place;
    // An entry without content says nothing, which is how a user without credentials may be written.
    entries.set(
      name,
      one.object(lists[list]) ?? new Members({}, { file: inFile, path: `${path}.${lists[list]}` }),
    );
  }
  return entries;
}

async function readOne(path: string, clock: Clock): Promise<Members | undefined> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readConfigFile(path, clock);
  } catch (error) {
    throw new ConfigError(`cannot be read: ${messageOf(error)}`, { file: path });
  }
  if (bytes === undefined) return undefined;
  const file = new Members((await parsed(path, bytes)) ?? {}, { file: path, path: '' });
  expectText(file, 'apiVersion', 'v1');
  expectText(file, 'kind', 'Config');
  return file;
}

function expectText(file: Members, member: string, expected: string): void {
  const value = file.text(member);
  if (value !== undefined && value !== expected) file.fail(member, `must be ${expected}`);
}

async function parsed(path: string, bytes: Uint8Array): Promise<unknown> {
  // The reader of YAML is more than half of what the client would otherwise load.
  const { parseYaml, YamlSyntaxError } = await import('@orch/machinery/yaml');
  try {
    return parseYaml(bytes, { maxBytes: maxConfigBytes });
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    // What the reader found there may be part of a secret: only the place is said.
    const what = error.kind === 'limit' ? 'goes beyond a limit of YAML' : 'is not YAML';
    throw new ConfigError(`${what} at line ${error.line}, column ${error.column}`, { file: path });
  }
}
