import type { CommandEntry } from '../../cli/command.ts';

const section = 'Client configuration';

/** Commands that read and change the client configuration. */
export const configCommands: readonly CommandEntry[] = [
  {
    name: 'login',
    section,
    summary: 'Log in at an OpenID Connect provider, in a browser or by device code',
    load: async () => (await import('../login/login.ts')).login,
  },
  {
    name: 'logout',
    section,
    summary: 'Remove and revoke the tokens of a login',
    load: async () => (await import('../login/logout.ts')).logout,
  },
  {
    name: 'config',
    section,
    summary: 'Read and change the client configuration',
    commands: [
      {
        name: 'view',
        summary: 'Print the merged client configuration',
        load: async () => (await import('../config/view.ts')).view,
      },
      {
        name: 'get-contexts',
        summary: 'Print contexts',
        load: async () => (await import('../config/contexts.ts')).getContexts,
      },
      {
        name: 'current-context',
        summary: 'Print the name of the current context',
        load: async () => (await import('../config/contexts.ts')).currentContext,
      },
      {
        name: 'use-context',
        aliases: ['use'],
        summary: 'Make a context the current one',
        load: async () => (await import('../config/contexts.ts')).useContext,
      },
      {
        name: 'set-context',
        summary: 'Create or change a context',
        load: async () => (await import('../config/contexts.ts')).setContext,
      },
      {
        name: 'rename-context',
        summary: 'Rename a context',
        load: async () => (await import('../config/contexts.ts')).renameContext,
      },
      {
        name: 'delete-context',
        summary: 'Remove a context',
        load: async () => (await import('../config/contexts.ts')).deleteContext,
      },
      {
        name: 'get-clusters',
        summary: 'Print the names of clusters',
        load: async () => (await import('../config/contexts.ts')).getClusters,
      },
      {
        name: 'set-cluster',
        summary: 'Create or change a cluster',
        load: async () => (await import('../config/set-entries.ts')).setCluster,
      },
      {
        name: 'delete-cluster',
        summary: 'Remove a cluster',
        load: async () => (await import('../config/contexts.ts')).deleteCluster,
      },
      {
        name: 'get-users',
        summary: 'Print the names of users',
        load: async () => (await import('../config/contexts.ts')).getUsers,
      },
      {
        name: 'set-credentials',
        summary: 'Create or change a user',
        load: async () => (await import('../config/set-entries.ts')).setCredentials,
      },
      {
        name: 'delete-user',
        summary: 'Remove a user',
        load: async () => (await import('../config/contexts.ts')).deleteUser,
      },
      {
        name: 'set',
        summary: 'Set one field',
        load: async () => (await import('../config/properties.ts')).set,
      },
      {
        name: 'unset',
        summary: 'Remove one field or entry',
        load: async () => (await import('../config/properties.ts')).unset,
      },
    ],
  },
];
