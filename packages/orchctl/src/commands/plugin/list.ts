import { basename } from 'node:path';
import { switchFlag } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import { CommandError } from '../../command-error.ts';
import { type Plugin, pluginsOn } from '../../plugins/find-plugins.ts';

export const listPlugins = command({
  usage: 'plugin list [--name-only]',
  about:
    'Prints the programs on the path whose names begin with orchctl-, and reports those that are never run: one that is not executable, one behind another of the same name, and one with the name of a command of orchctl, which comes first.',
  examples: [{ comment: 'All plugins with their paths', line: 'orchctl plugin list' }],
  flags: {
    nameOnly: switchFlag({ name: 'name-only', help: 'Print names instead of paths.', section: 'Flags' }),
  },
  hasArguments: false,
  async run({ io, flags, isCommand }) {
    const plugins = pluginsOn(io.environment['PATH'] ?? '');
    if (plugins.length === 0)
      throw new CommandError('unable to find any orchctl plugins in your PATH: programs named orchctl-NAME');
    io.out.write('The following compatible plugins are available:\n\n');
    const seen = new Map<string, Plugin>();
    let warnings = 0;
    for (const plugin of plugins) {
      const name = basename(plugin.path);
      io.out.write(`${flags.nameOnly ? name : plugin.path}\n`);
      for (const warning of warningsOf(plugin, seen.get(name), isCommand(plugin.words[0] ?? ''))) {
        io.err.write(`  - warning: ${warning}\n`);
        warnings += 1;
      }
      if (!seen.has(name)) seen.set(name, plugin);
    }
    if (warnings === 0) return 0;
    throw new CommandError(
      warnings === 1 ? 'one plugin warning was found' : `${warnings} plugin warnings were found`,
    );
  },
});

function warningsOf(plugin: Plugin, earlier: Plugin | undefined, isShadowed: boolean): readonly string[] {
  const { path, isExecutable } = plugin;
  return [
    ...(isExecutable ? [] : [`${path} identified as an orchctl plugin, but it is not executable`]),
    ...(isShadowed
      ? [`${basename(path)} overwrites existing command: "orchctl ${plugin.words.join(' ')}"`]
      : []),
    ...(earlier === undefined
      ? []
      : [`${path} is overshadowed by a similarly named plugin: ${earlier.path}`]),
  ];
}
