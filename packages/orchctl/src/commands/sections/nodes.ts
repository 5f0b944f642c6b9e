import type { CommandEntry } from '../../cli/command.ts';

const section = 'Nodes';

/** Commands for the maintenance of nodes. */
export const nodeCommands: readonly CommandEntry[] = [
  {
    name: 'cordon',
    section,
    summary: 'Mark nodes as unschedulable',
    load: async () => (await import('../nodes/cordon.ts')).cordon,
  },
  {
    name: 'uncordon',
    section,
    summary: 'Mark nodes as schedulable',
    load: async () => (await import('../nodes/cordon.ts')).uncordon,
  },
  {
    name: 'drain',
    section,
    summary: 'Evict the pods of nodes',
    load: async () => (await import('../nodes/drain.ts')).drain,
  },
  {
    name: 'taint',
    section,
    summary: 'Set and remove taints of nodes',
    load: async () => (await import('../nodes/taint.ts')).taint,
  },
];
