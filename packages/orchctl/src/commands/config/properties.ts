import { switchFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { ConfigSet, type EntryList, entryFields } from '../../client-config/config-set.ts';
import { CommandError } from '../../command-error.ts';

const section = 'Flags';

/** A field of a client configuration. */
type Property =
  | { readonly kind: 'top'; readonly path: readonly string[] }
  | {
      readonly kind: 'entry';
      readonly list: EntryList;
      readonly name: string;
      readonly path: readonly string[];
    };

export const set = command({
  usage: 'config set PROPERTY VALUE [flags]',
  about:
    'Sets one field. The property is current-context, or a list, a name and a field: clusters.local.server. Names may contain dots when their entries exist. Fields that end with -data take base64.',
  examples: [
    { comment: 'An address', line: 'orchctl config set clusters.local.server https://127.0.0.1:6443' },
    { comment: 'A namespace', line: 'orchctl config set contexts.dev.namespace dev' },
  ],
  flags: {
    setRawBytes: switchFlag({
      name: 'set-raw-bytes',
      help: 'Encode the value of a field that ends with -data as base64.',
      section,
    }),
  },
  async run({ flags, words, globals, io }) {
    const [text = '', value, ...more] = words;
    if (value === undefined || more.length > 0)
      throw new UsageError('two arguments are required: PROPERTY VALUE');
    const config = ConfigSet.read(globals, io);
    const property = parseProperty(text, config);
    if (property.path.length === 0) throw new UsageError('a field to set is required after the name');
    const change = { path: property.path, value: typedValue(property.path, value, flags.setRawBytes) };
    if (property.kind === 'entry') await config.setFields(property.list, property.name, [change]);
    else if (text === 'current-context') await config.setCurrentContext(value);
    else await config.change(config.defaultPath, () => [change]);
    io.out.write(`Property ${JSON.stringify(text)} set.\n`);
    return 0;
  },
});

export const unset = command({
  usage: 'config unset PROPERTY',
  about: 'Removes one field, or a whole entry: clusters.local.server, users.old.',
  examples: [
    { comment: 'The current context', line: 'orchctl config unset current-context' },
    { comment: 'A field', line: 'orchctl config unset contexts.dev.namespace' },
  ],
  flags: {},
  async run({ words, globals, io }) {
    const [text = '', ...more] = words;
    if (text === '' || more.length > 0) throw new UsageError('one argument is required: PROPERTY');
    const config = ConfigSet.read(globals, io);
    const property = parseProperty(text, config);
    if (property.kind === 'top') {
      const path = text === 'current-context' ? config.currentPath : config.defaultPath;
      await config.change(path, () => [{ path: property.path }]);
    } else {
      const file = config.fileOf(property.list, property.name);
      if (property.path.length > 0 && file === undefined)
        throw new CommandError(`current map key ${JSON.stringify(property.name)} is invalid`);
      if (property.path.length > 0)
        await config.setFields(property.list, property.name, [{ path: property.path }]);
      // An entry that does not exist counts as removed, as in kubectl.
      else if (file !== undefined) await config.removeEntry(property.list, property.name, file);
    }
    io.out.write(`Property ${JSON.stringify(text)} unset.\n`);
    return 0;
  },
});

/** The fields that can be set; maps accept any name. */
const fields: Readonly<Record<EntryList, readonly RegExp[]>> = {
  clusters: [
    /^(?:server|tls-server-name|proxy-url|insecure-skip-tls-verify|disable-compression)$/,
    /^certificate-authority(?:-data)?$/,
  ],
  contexts: [/^(?:cluster|user|namespace)$/],
  users: [
    /^client-(?:certificate|key)(?:-data)?$/,
    /^(?:token|tokenFile|username|password|as|as-uid)$/,
    /^auth-provider\.(?:name|config\..+)$/,
    /^exec\.(?:command|apiVersion|interactiveMode|provideClusterInfo|installHint)$/,
  ],
};

function parseProperty(text: string, config: ConfigSet): Property {
  const [first = '', ...rest] = text.split('.');
  if (text === 'current-context' || (first === 'preferences' && rest.join('.') === 'colors'))
    return { kind: 'top', path: [first, ...rest] };
  const list = (Object.keys(entryFields) as EntryList[]).find((one) => one === first);
  if (list === undefined || rest.length === 0)
    throw new CommandError(
      `unknown property ${JSON.stringify(text)}: expected current-context, or clusters, contexts or users with a name and a field`,
    );
  const after = rest.join('.');
  const existing = [...config.entries(list).keys()]
    .filter((name) => after === name || after.startsWith(`${name}.`))
    .toSorted((a, b) => b.length - a.length)[0];
  const name = existing ?? newName(list, after);
  const field = after.slice(name.length + 1);
  if (field === '') return { kind: 'entry', list, name, path: [] };
  if (!fields[list].some((pattern) => pattern.test(field)))
    throw new CommandError(`unknown field ${JSON.stringify(field)} of ${list}`);
  return { kind: 'entry', list, name, path: pathOf(field) };
}

/** The name of a new entry: everything before the longest suffix that is a field, as names may contain dots. */
function newName(list: EntryList, after: string): string {
  for (let at = after.indexOf('.'); at >= 0; at = after.indexOf('.', at + 1))
    if (fields[list].some((pattern) => pattern.test(after.slice(at + 1)))) return after.slice(0, at);
  return after.split('.')[0] ?? '';
}

/** The keys of the configuration of a provider may contain dots. */
function pathOf(field: string): readonly string[] {
  const prefix = 'auth-provider.config.';
  if (field.startsWith(prefix)) return ['auth-provider', 'config', field.slice(prefix.length)];
  return field.split('.');
}

const switches: ReadonlySet<string> = new Set([
  ...['insecure-skip-tls-verify', 'disable-compression', 'provideClusterInfo', 'colors'],
]);

function typedValue(path: readonly string[], text: string, isRaw: boolean): unknown {
  const field = path.at(-1) ?? '';
  if (switches.has(field)) {
    if (text === 'true' || text === 'false') return text === 'true';
    throw new UsageError(`the value of ${field} must be true or false`);
  }
  if (!field.endsWith('-data')) return text;
  if (isRaw) return Buffer.from(text).toString('base64');
  if (Buffer.from(text, 'base64').toString('base64') !== text)
    throw new UsageError(
      `error decoding the value of ${field}: it is not base64; use --set-raw-bytes for text`,
    );
  return text;
}
