import type { CommandEntry } from '../../cli/command.ts';

const section = 'Other commands';

export const otherCommands: readonly CommandEntry[] = [
  {
    name: 'version',
    section,
    summary: 'Print the versions of this program and of the server',
    load: async () => (await import('../version.ts')).version,
  },
  {
    name: 'completion',
    section,
    summary: 'Print the completion script of a shell',
    load: async () => (await import('../completion/completion.ts')).completion,
  },
  {
    name: 'plugin',
    section,
    summary: 'Plugins: programs on the path named orchctl-NAME, which add commands',
    commands: [
      {
        name: 'list',
        summary: 'Print the plugins on the path',
        load: async () => (await import('../plugin/list.ts')).listPlugins,
      },
    ],
  },
  {
    name: 'options',
    section,
    summary: 'List the flags of all commands',
    load: async () => (await import('../options.ts')).options,
  },
];
