import type { CommandEntry } from '../../cli/command.ts';

const section = 'Access';

/** Commands about users and their permissions. */
export const accessCommands: readonly CommandEntry[] = [
  {
    name: 'auth',
    section,
    summary: 'Inspect users and permissions',
    commands: [
      {
        name: 'can-i',
        summary: 'Ask whether an action is allowed',
        load: async () => (await import('../auth/can-i.ts')).canI,
      },
      {
        name: 'whoami',
        summary: 'Print the user that the server sees',
        load: async () => (await import('../auth/whoami.ts')).whoami,
      },
      {
        name: 'reconcile',
        summary: 'Give roles and bindings the permissions and subjects of files',
        load: async () => (await import('../auth/reconcile.ts')).reconcile,
      },
    ],
  },
  {
    name: 'certificate',
    section,
    summary: 'Decide about certificate signing requests',
    commands: [
      {
        name: 'approve',
        summary: 'Approve certificate signing requests',
        load: async () => (await import('../certificate/decide.ts')).approve,
      },
      {
        name: 'deny',
        summary: 'Deny certificate signing requests',
        load: async () => (await import('../certificate/decide.ts')).deny,
      },
    ],
  },
];
