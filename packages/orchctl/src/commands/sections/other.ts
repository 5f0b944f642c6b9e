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
    name: 'options',
    section,
    summary: 'List the flags of all commands',
    load: async () => (await import('../options.ts')).options,
  },
];
