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
    name: 'console',
    section,
    summary: 'Serve a page that shows objects, for the browser of this user',
    load: async () => (await import('../console/console.ts')).consoleCommand,
  },
  {
    name: 'describe',
    section,
    summary: 'Describe objects with what belongs to them, and their events',
    load: async () => (await import('../describe/describe.ts')).describe,
  },
  {
    name: 'wait',
    section,
    summary: 'Wait until objects meet a condition, are created, or are deleted',
    load: async () => (await import('../wait/wait.ts')).wait,
  },
  {
    name: 'events',
    section,
    summary: 'Print events, and changes of objects between them',
    load: async () => (await import('../events/events.ts')).events,
  },
  {
    name: 'history',
    section,
    summary: 'Print who changed objects, when, and which fields',
    load: async () => (await import('../history/history.ts')).history,
  },
  {
    name: 'diff',
    section,
    summary: 'Show what apply would change, or what has changed',
    load: async () => (await import('../diff/diff.ts')).diff,
  },
];
