import type { CommandEntry } from '../cli/command.ts';

/** All commands, in the order of the help. Each module is loaded when its command is used. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'get',
    section: 'Reading',
    summary: 'Print objects',
    load: async () => (await import('./get/get.ts')).get,
  },
  {
    name: 'api-resources',
    section: 'Discovery',
    summary: 'Print the resources that the server serves',
    load: async () => (await import('./api-resources.ts')).apiResources,
  },
  {
    name: 'version',
    section: 'Other commands',
    summary: 'Print the versions of this program and of the server',
    load: async () => (await import('./version.ts')).version,
  },
  {
    name: 'options',
    section: 'Other commands',
    summary: 'List the flags of all commands',
    load: async () => (await import('./options.ts')).options,
  },
];
