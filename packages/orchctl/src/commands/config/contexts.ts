import { asText } from '@orch/machinery/json';
import { choiceFlag, switchFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { ConfigSet, type EntryList, indexOf, neededName } from '../../client-config/config-set.ts';
import { CommandError } from '../../command-error.ts';
import { columnText } from '../../print/columns.ts';

const section = 'Flags';

export const getContexts = command({
  usage: 'config get-contexts [CONTEXT...] [flags]',
  about: 'Prints the contexts of the client configuration; the current one is marked.',
  examples: [
    { comment: 'All contexts', line: 'orchctl config get-contexts' },
    { comment: 'Their names', line: 'orchctl config get-contexts -o name' },
  ],
  flags: {
    noHeaders: switchFlag({ name: 'no-headers', help: 'Print no header.', section }),
    output: choiceFlag(
      { name: 'output', short: 'o', help: 'name prints names only.', section },
      ['', 'name'],
      '',
    ),
  },
  async run({ flags, words, globals, io }) {
    const config = ConfigSet.read(globals, io);
    const contexts = config.entries('contexts');
    let status = 0;
    const rows: string[][] = [];
    for (const name of words.length === 0 ? contexts.keys() : words.toSorted()) {
      const context = contexts.get(name);
      if (context === undefined) {
        io.err.write(`error: context ${name} not found\n`);
        status = 1;
        continue;
      }
      const [cluster, user, namespace] = ['cluster', 'user', 'namespace'].map((field) =>
        asText(context[field]),
      );
      const mark = name === config.currentContext ? '*' : '';
      rows.push(flags.output === 'name' ? [name] : [mark, name, cluster ?? '', user ?? '', namespace ?? '']);
    }
    const header = ['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE'];
    const hasHeader = !flags.noHeaders && flags.output === '';
    io.out.write(columnText(hasHeader ? [header, ...rows] : rows));
    return status;
  },
});

export const currentContext = command({
  usage: 'config current-context',
  about: 'Prints the name of the current context.',
  examples: [{ comment: 'The current context', line: 'orchctl config current-context' }],
  flags: {},
  async run({ globals, io }) {
    const name = ConfigSet.read(globals, io).currentContext;
    if (name === '') throw new CommandError('current-context is not set');
    io.out.write(`${name}\n`);
    return 0;
  },
});

export const useContext = command({
  usage: 'config use-context CONTEXT',
  about: 'Makes a context the current one.',
  examples: [{ comment: 'Switch', line: 'orchctl config use-context production' }],
  flags: {},
  async run({ words, globals, io }) {
    const name = neededName(words, 'config use-context CONTEXT');
    const config = ConfigSet.read(globals, io);
    if (!config.entries('contexts').has(name))
      throw new CommandError(`no context exists with the name: ${JSON.stringify(name)}`);
    await config.setCurrentContext(name);
    io.out.write(`Switched to context ${JSON.stringify(name)}.\n`);
    return 0;
  },
});

export const setContext = command({
  usage: 'config set-context (CONTEXT | --current) [--cluster=NAME] [--user=NAME] [--namespace=NAME]',
  about: 'Creates a context or changes the given fields of an existing one.',
  examples: [
    {
      comment: 'Another namespace for the current context',
      line: 'orchctl config set-context --current --namespace=dev',
    },
    { comment: 'A new context', line: 'orchctl config set-context dev --cluster=local --user=admin' },
  ],
  flags: { current: switchFlag({ name: 'current', help: 'Change the current context.', section }) },
  async run({ flags, words, globals, io }) {
    const config = ConfigSet.read(globals, io);
    if (flags.current && words.length > 0)
      throw new UsageError('a name and --current cannot be given together');
    const name = flags.current ? config.currentContext : neededName(words, 'config set-context NAME');
    if (name === '') throw new CommandError('no current context is set');
    const existed = config.entries('contexts').has(name);
    const { cluster, user, namespace } = globals;
    const given = Object.entries({ cluster, user, namespace }).filter(([, value]) => value !== '');
    await config.setFields(
      'contexts',
      name,
      given.map(([field, value]) => ({ path: [field], value })),
    );
    io.out.write(`Context ${JSON.stringify(name)} ${existed ? 'modified' : 'created'}.\n`);
    return 0;
  },
});

export const renameContext = command({
  usage: 'config rename-context CONTEXT NEW_NAME',
  about: 'Renames a context. When it is the current one, it stays the current one.',
  examples: [{ comment: 'Rename', line: 'orchctl config rename-context old new' }],
  flags: {},
  async run({ words, globals, io }) {
    const [name = '', next = '', ...more] = words;
    if (next === '' || more.length > 0) throw new UsageError('two names are required: CONTEXT NEW_NAME');
    const config = ConfigSet.read(globals, io);
    const file = config.fileOf('contexts', name);
    if (file === undefined)
      throw new CommandError(
        `cannot rename the context ${JSON.stringify(name)}, it's not in ${config.defaultPath}`,
      );
    if (config.entries('contexts').has(next))
      throw new CommandError(
        `cannot rename the context ${JSON.stringify(name)}, the context ${JSON.stringify(next)} already exists in ${file.path}`,
      );
    const isCurrent = config.currentContext === name;
    await config.change(file.path, (value) => {
      const index = indexOf(value, 'contexts', name);
      return index < 0 ? [] : [{ path: ['contexts', index, 'name'], value: next }];
    });
    if (isCurrent) await config.setCurrentContext(next);
    io.out.write(`Context ${JSON.stringify(name)} renamed to ${JSON.stringify(next)}.\n`);
    return 0;
  },
});

const listNames = (list: 'clusters' | 'users') =>
  command({
    usage: `config get-${list}`,
    about: `Prints the names of the ${list} of the client configuration.`,
    examples: [{ comment: 'All names', line: `orchctl config get-${list}` }],
    flags: {},
    async run({ globals, io }) {
      const names = [...ConfigSet.read(globals, io).entries(list).keys()];
      io.out.write(['NAME', ...names].map((name) => `${name}\n`).join(''));
      return 0;
    },
  });

export const getClusters = listNames('clusters');
export const getUsers = listNames('users');

const deletion = (list: EntryList, word: string) =>
  command({
    usage: `config delete-${word} ${word.toUpperCase()}`,
    about: `Removes a ${word} from the client configuration.`,
    examples: [{ comment: `Remove a ${word}`, line: `orchctl config delete-${word} old` }],
    flags: {},
    async run({ words, globals, io }) {
      const name = neededName(words, `config delete-${word} ${word.toUpperCase()}`);
      const config = ConfigSet.read(globals, io);
      const file = config.fileOf(list, name);
      if (file === undefined)
        throw new CommandError(`cannot delete ${word} ${name}, not in ${config.defaultPath}`);
      if (list === 'contexts' && config.currentContext === name)
        io.err.write(
          'warning: this removed your active context, use "orchctl config use-context" to select a different one\n',
        );
      await config.removeEntry(list, name, file);
      io.out.write(`deleted ${word} ${name} from ${file.path}\n`);
      return 0;
    },
  });

export const deleteContext = deletion('contexts', 'context');
export const deleteCluster = deletion('clusters', 'cluster');
export const deleteUser = deletion('users', 'user');
