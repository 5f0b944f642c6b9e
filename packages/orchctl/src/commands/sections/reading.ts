import type { CommandEntry } from '../../cli/command.ts';

const section = 'Reading';

/** Commands that print objects. */
export const readingCommands: readonly CommandEntry[] = [
  {
    name: 'get',
    section,
    summary: 'Print objects',
    load: async () => (await import('../get/get.ts')).get,
  },
  {
    name: 'wait',
    section,
    summary: 'Wait until objects meet a condition, are created, or are deleted',
    load: async () => (await import('../wait/wait.ts')).wait,
  },
];
