import type { CommandEntry } from '../../cli/command.ts';

const section = 'Discovery';

/** Commands that describe what a server serves. */
export const discoveryCommands: readonly CommandEntry[] = [
  {
    name: 'cluster-info',
    section,
    summary: 'Print the address of the server',
    load: async () => (await import('../cluster-info/cluster-info.ts')).clusterInfo,
    commands: [
      {
        name: 'dump',
        summary: 'Print the objects and logs that are needed to find a fault',
        load: async () => (await import('../cluster-info/dump.ts')).dump,
      },
    ],
  },
  {
    name: 'api-resources',
    section,
    summary: 'Print the resources that the server serves',
    load: async () => (await import('../api-resources.ts')).apiResources,
  },
  {
    name: 'api-versions',
    section,
    summary: 'Print the API versions that the server serves',
    load: async () => (await import('../api-versions.ts')).apiVersions,
  },
  {
    name: 'explain',
    section,
    summary: 'Describe a resource and its fields',
    load: async () => (await import('../explain/explain.ts')).explain,
  },
];
