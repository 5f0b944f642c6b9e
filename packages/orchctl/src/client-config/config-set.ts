import { existsSync, readFileSync } from 'node:fs';
import { asObjects, asText, isJsonObject, type JsonObject, objectAt } from '@orch/machinery/json';
import { changeYaml, parseYaml, type YamlChange, YamlSyntaxError } from '@orch/machinery/yaml';
import { UsageError } from '@orch/program/flags';
import { CommandError } from '../command-error.ts';
import { changeFile } from '../files/replace-file.ts';
import type { GlobalValues } from '../global-flags.ts';
import type { Io } from '../io.ts';
import { configFiles } from './config-files.ts';

/** The lists of a client configuration with the field of their entries, and how messages name them. */
export const entryFields = { clusters: 'cluster', contexts: 'context', users: 'user' } as const;
export type EntryList = keyof typeof entryFields;

/** A client configuration file. */
export interface ConfigFile {
  readonly path: string;
  readonly value: JsonObject;
}

/** The client configuration files of a command line, in order of precedence. Missing ones are empty. */
export class ConfigSet {
  readonly files: readonly ConfigFile[];
  readonly #io: Io;

  private constructor(files: readonly ConfigFile[], io: Io) {
    this.files = files;
    this.#io = io;
  }

  /** Throws a CommandError for a file that cannot be read. */
  static read(globals: Pick<GlobalValues, 'clientConfig'>, io: Io): ConfigSet {
    const paths = configFiles(globals.clientConfig, io);
    return new ConfigSet(
      paths.map((path) => ({ path, value: readValue(path) })),
      io,
    );
  }

  get currentContext(): string {
    return asText(this.#currentFile()?.value['current-context']);
  }

  /** The file that new entries are written to: the first that exists, otherwise the last. */
  get defaultPath(): string {
    const existing = this.files.find(({ path }) => existsSync(path));
    return (existing ?? this.files.at(-1))?.path ?? '';
  }

  /** The path of the file with the current context. */
  get currentPath(): string {
    return this.#currentFile()?.path ?? this.defaultPath;
  }

  /** The entries of a list by name, in alphabetical order. The first file with a name takes precedence. */
  entries(list: EntryList): ReadonlyMap<string, JsonObject> {
    const found = new Map<string, JsonObject>();
    for (const { value } of this.files)
      for (const entry of asObjects(value[list])) {
        const name = asText(entry['name']);
        if (!found.has(name)) found.set(name, objectAt(entry, entryFields[list]));
      }
    return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The file with an entry; undefined without one. */
  fileOf(list: EntryList, name: string): ConfigFile | undefined {
    return this.files.find(({ value }) => indexOf(value, list, name) >= 0);
  }

  /** The path of the file in which an entry is, or will be. */
  pathFor(list: EntryList, name: string): string {
    return this.fileOf(list, name)?.path ?? this.defaultPath;
  }

  /** Sets and removes fields of an entry, which is created if necessary. Undefined removes a field. */
  async setFields(list: EntryList, name: string, fields: readonly YamlChange[]): Promise<void> {
    const path = this.pathFor(list, name);
    await this.change(path, (value) => {
      const found = indexOf(value, list, name);
      const index = found < 0 ? asObjects(value[list]).length : found;
      const field = entryFields[list];
      const empty = list === 'contexts' ? { cluster: '', user: '' } : {};
      const create = { path: [list, index], value: { [field]: empty, name } };
      const set = fields.map((one) => ({ ...one, path: [list, index, field, ...one.path] }));
      return found < 0 ? [...header(value), create, ...set] : set;
    });
  }

  /** Removes an entry. */
  async removeEntry(list: EntryList, name: string, { path }: ConfigFile): Promise<void> {
    await this.change(path, (value) => {
      const index = indexOf(value, list, name);
      return index < 0 ? [] : [{ path: [list, index] }];
    });
  }

  async setCurrentContext(name: string): Promise<void> {
    await this.change(this.currentPath, (value) => [
      ...header(value),
      { path: ['current-context'], value: name },
    ]);
  }

  /** Changes a file. `changes` receives the value of the file while it is locked. */
  async change(path: string, changes: (value: JsonObject) => readonly YamlChange[]): Promise<void> {
    await changeFile(path, this.#io.env, (text) => changeYaml(text, changes(parsedValue(text, path))));
  }

  #currentFile(): ConfigFile | undefined {
    return this.files.find(({ value }) => asText(value['current-context']) !== '');
  }
}

/** The position of an entry in its list; -1 without one. */
export const indexOf = (value: JsonObject, list: EntryList, name: string): number =>
  asObjects(value[list]).findIndex((entry) => entry['name'] === name);

/** The fields that identify a client configuration, where they are missing. */
const header = (value: JsonObject): readonly YamlChange[] =>
  [
    { path: ['apiVersion'], value: 'v1' },
    { path: ['kind'], value: 'Config' },
  ].filter(({ path: [field = ''] }) => value[field] === undefined);

const readValue = (path: string): JsonObject =>
  existsSync(path) ? parsedValue(readFileSync(path, 'utf8'), path) : {};

function parsedValue(text: string, path: string): JsonObject {
  try {
    const value = parseYaml(Buffer.from(text), { maxBytes: 10 * 1024 * 1024 });
    if (value === null || value === undefined) return {};
    if (isJsonObject(value)) return checkedLists(value, path);
    throw new CommandError(`${path}: the client configuration is not an object`);
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    // The text at the error may be part of a secret: only its position is reported.
    throw new CommandError(`${path}: not YAML at line ${error.line}, column ${error.column}`, {
      cause: error,
    });
  }
}

/** Throws a CommandError for a value that is not a list: its entries would be missing silently. */
function checkedLists(value: JsonObject, path: string): JsonObject {
  for (const list of Object.keys(entryFields))
    if ((value[list] ?? undefined) !== undefined && !Array.isArray(value[list]))
      throw new CommandError(`${path}: ${list} must be a list`);
  return value;
}

/** The only argument of a command line, a name. Throws a UsageError. */
export function neededName(words: readonly string[], usage: string): string {
  const [name = '', ...more] = words;
  if (name === '' || more.length > 0) throw new UsageError(`exactly one name is required: ${usage}`);
  return name;
}
