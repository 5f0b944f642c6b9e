import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf } from '@orch/machinery';
import { asObject, asText, isJsonObject, type JsonObject } from '@orch/machinery/json';
import { switchFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { ConfigSet, type EntryList, entryFields } from '../../client-config/config-set.ts';
import { CommandError } from '../../command-error.ts';
import { objectText } from '../../print/object-text.ts';
import { outputFlags, parseOutputFormat } from '../../print/output-format.ts';

const section = 'Flags';

export const view = command({
  usage: 'config view [--raw] [--minify] [--flatten] [flags]',
  about:
    'Prints the client configuration, merged from its files. Keys, certificates, tokens and passwords are replaced unless --raw or --flatten is given.',
  examples: [
    { comment: 'The configuration without secrets', line: 'orchctl config view' },
    { comment: 'The current context alone, portable', line: 'orchctl config view --minify --flatten' },
    {
      comment: 'The server of the current context',
      line: "orchctl config view --minify -o jsonpath='{.clusters[0].cluster.server}'",
    },
  ],
  flags: {
    ...outputFlags(section),
    raw: switchFlag({ name: 'raw', help: 'Print secrets, too.', section }),
    minify: switchFlag({ name: 'minify', help: 'Only what the current context uses.', section }),
    flatten: switchFlag({
      name: 'flatten',
      help: 'Replace paths of certificates and keys by their content.',
      section,
    }),
    merge: switchFlag(
      { name: 'merge', help: 'Merge all files; false requires a single one.', section },
      true,
    ),
  },
  hasArguments: false,
  async run({ flags, globals, io }) {
    const format = parseOutputFormat({ ...flags, output: flags.output === '' ? 'yaml' : flags.output }, io);
    if (format.kind === 'table') throw new UsageError('--output wide is for tables');
    if (format.kind === 'name') throw new UsageError('--output name is for objects with names');
    const config = ConfigSet.read(globals, io);
    if (!flags.merge && config.files.length > 1)
      throw new UsageError('--merge=false requires a single file: --client-config=FILE');
    const context = globals.context === '' ? config.currentContext : globals.context;
    const merged = flags.minify ? minified(config, context) : allEntries(config);
    const shown = merged.map((entry) => changedEntry(entry, config, flags));
    const list = (name: EntryList) => {
      const entries = shown.filter((entry) => entry.list === name);
      return entries.map((entry) => ({ [entryFields[name]]: entry.value, name: entry.name }));
    };
    const object = {
      ...{ apiVersion: 'v1', kind: 'Config' },
      ...{ clusters: orNull(list('clusters')), contexts: orNull(list('contexts')) },
      ...{ 'current-context': context, preferences: asObject(config.files[0]?.value['preferences']) },
      users: orNull(list('users')),
    };
    io.out.write(objectText(format, { objects: [object as never], isList: false }));
    return 0;
  },
});

interface Entry {
  readonly list: EntryList;
  readonly name: string;
  readonly value: JsonObject;
}

const orNull = <T>(entries: readonly T[]): readonly T[] | null => (entries.length === 0 ? null : entries);

const allEntries = (config: ConfigSet): readonly Entry[] =>
  (Object.keys(entryFields) as EntryList[]).flatMap((list) =>
    [...config.entries(list)].map(([name, value]) => ({ list, name, value })),
  );

function minified(config: ConfigSet, context: string): readonly Entry[] {
  if (context === '') throw new CommandError('current-context must exist in order to minify');
  const used = config.entries('contexts').get(context);
  if (used === undefined) throw new CommandError(`cannot locate context ${context}`);
  const names = { contexts: context, clusters: asText(used['cluster']), users: asText(used['user']) };
  return allEntries(config).filter(({ list, name }) => names[list] === name);
}

/** Fields with paths, and those for their content. */
const fileFields = ['certificate-authority', 'client-certificate', 'client-key'] as const;
const dataFields: ReadonlySet<string> = new Set(fileFields.map((field) => `${field}-data`));
const secretFields: ReadonlySet<string> = new Set(['token', 'password']);
/** Arguments of auth providers that are secret. */
const secretArguments: ReadonlySet<string> = new Set([
  'id-token',
  'refresh-token',
  'client-secret',
  'access-token',
]);

function changedEntry(
  entry: Entry,
  config: ConfigSet,
  { raw, flatten }: { readonly raw: boolean; readonly flatten: boolean },
): Entry {
  const file = config.fileOf(entry.list, entry.name)?.path ?? '';
  const value = withDefaults(flatten ? flattened(entry.value, file) : entry.value);
  return { ...entry, value: raw || flatten ? value : redacted(value) };
}

/** An entry with the fields of plugins that other clients expect to see. */
const withDefaults = (value: JsonObject): JsonObject =>
  isJsonObject(value['exec']) ? { ...value, exec: { provideClusterInfo: false, ...value['exec'] } } : value;

function flattened(value: JsonObject, file: string): JsonObject {
  const changed: Record<string, unknown> = { ...value };
  for (const field of fileFields) {
    const path = asText(value[field]);
    if (path === '') continue;
    changed[`${field}-data`] ??= contentOf(resolve(dirname(file), path)).toString('base64');
    delete changed[field];
  }
  return changed;
}

export function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

const redacted = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).map(([field, content]) => {
      if (dataFields.has(field)) return [field, 'DATA+OMITTED'];
      if (secretFields.has(field)) return [field, 'REDACTED'];
      if (field === 'auth-provider' && isJsonObject(content)) return [field, redactedProvider(content)];
      return [field, content];
    }),
  );

const redactedProvider = (provider: JsonObject): JsonObject => ({
  ...provider,
  config: Object.fromEntries(
    Object.entries(asObject(provider['config'])).map(([field, value]) => [
      field,
      secretArguments.has(field) ? 'REDACTED' : value,
    ]),
  ),
});
