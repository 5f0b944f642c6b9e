import type { CommandEntry } from '../../cli/command.ts';

const section = 'Diagnosis';

/** Commands that explain objects, permissions and requests. */
export const diagnosisCommands: readonly CommandEntry[] = [
  {
    name: 'why',
    section,
    summary:
      'Explain why an object is there, a field has its value, or a request was refused or slow; or who uses deprecated versions',
    load: async () => (await import('../why/why.ts')).why,
    commands: [
      {
        name: 'can-i',
        summary: 'Explain why an action is allowed or refused',
        load: async () => (await import('../why/can-i.ts')).whyCanI,
      },
      {
        name: 'deprecated',
        summary: 'Show who uses deprecated versions of resources',
        load: async () => (await import('../why/deprecated.ts')).whyDeprecated,
      },
      {
        name: 'refused',
        summary: 'Explain why an object or a request is refused',
        load: async () => (await import('../why/refused.ts')).whyRefused,
      },
      {
        name: 'slow',
        summary: 'Explain why requests were slow',
        load: async () => (await import('../why/slow.ts')).whySlow,
      },
    ],
  },
  {
    name: 'trace',
    section,
    summary: 'Follow a request through the replicas by its audit id',
    load: async () => (await import('../trace/trace.ts')).trace,
  },
  {
    name: 'top',
    section,
    summary: 'Show the server live: requests, latencies, watches, flow control, replicas',
    load: async () => (await import('../top/top.ts')).top,
    commands: [
      {
        name: 'node',
        aliases: ['nodes', 'no'],
        summary: 'Print the CPU and memory usage of nodes',
        load: async () => (await import('../top/usage/nodes.ts')).topNode,
      },
      {
        name: 'pod',
        aliases: ['pods', 'po'],
        summary: 'Print the CPU and memory usage of pods and containers',
        load: async () => (await import('../top/usage/pods.ts')).topPod,
      },
    ],
  },
];
