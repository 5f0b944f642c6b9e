import type { CommandEntry } from '../../cli/command.ts';

const section = 'Workloads';

/** Commands that start workloads and change them. */
export const workloadCommands: readonly CommandEntry[] = [
  {
    name: 'run',
    section,
    summary: 'Create a pod from an image',
    load: async () => (await import('../start/run.ts')).run,
  },
  {
    name: 'expose',
    section,
    summary: 'Create a service for pods or workloads',
    load: async () => (await import('../start/expose.ts')).expose,
  },
  {
    name: 'autoscale',
    section,
    summary: 'Create an autoscaler for a workload',
    load: async () => (await import('../start/autoscale.ts')).autoscale,
  },
  {
    name: 'rollout',
    section,
    summary: 'Follow, restart and undo rollouts',
    commands: [
      {
        name: 'history',
        summary: 'Print the revisions of workloads',
        load: async () => (await import('../rollout/history.ts')).history,
      },
      {
        name: 'pause',
        summary: 'Stop the rollout of changes',
        load: async () => (await import('../rollout/pause.ts')).pause,
      },
      {
        name: 'restart',
        summary: 'Replace the pods of workloads',
        load: async () => (await import('../rollout/restart.ts')).restart,
      },
      {
        name: 'resume',
        summary: 'Continue a rollout',
        load: async () => (await import('../rollout/pause.ts')).resume,
      },
      {
        name: 'status',
        summary: 'Follow a rollout to its end',
        load: async () => (await import('../rollout/status.ts')).status,
      },
      {
        name: 'undo',
        summary: 'Restore an earlier revision',
        load: async () => (await import('../rollout/undo.ts')).undo,
      },
    ],
  },
  {
    name: 'set',
    section,
    summary: 'Set fields of workloads, services and role bindings',
    commands: [
      {
        name: 'env',
        summary: 'Set environment variables',
        load: async () => (await import('../set/env.ts')).env,
      },
      {
        name: 'image',
        summary: 'Set the images of containers',
        load: async () => (await import('../set/image.ts')).image,
      },
      {
        name: 'resources',
        summary: 'Set requests and limits',
        load: async () => (await import('../set/resources.ts')).resources,
      },
      {
        name: 'selector',
        summary: 'Set the selector of services',
        load: async () => (await import('../set/selector.ts')).selector,
      },
      {
        name: 'serviceaccount',
        aliases: ['sa'],
        summary: 'Set the service account of pods',
        load: async () => (await import('../set/service-account.ts')).serviceAccount,
      },
      {
        name: 'subject',
        summary: 'Add subjects to role bindings',
        load: async () => (await import('../set/subject.ts')).subject,
      },
    ],
  },
];
