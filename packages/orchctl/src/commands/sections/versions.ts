import type { CommandEntry } from '../../cli/command.ts';

const section = 'Versions';

/** Commands about versions of kinds and releases. */
export const versionCommands: readonly CommandEntry[] = [
  {
    name: 'convert',
    section,
    summary: 'Print objects in another version, without a server',
    load: async () => (await import('../versions/convert.ts')).convert,
  },
  {
    name: 'check',
    section,
    summary: 'Report what an upgrade changes for objects',
    load: async () => (await import('../versions/check.ts')).check,
  },
];
