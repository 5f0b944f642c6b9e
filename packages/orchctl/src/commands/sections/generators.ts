import type { CommandEntry } from '../../cli/command.ts';

/** Commands below `create`: each makes one object from its flags. */
export const generatorCommands: readonly CommandEntry[] = [
  {
    name: 'token',
    summary: 'Request a token of a service account',
    load: async () => (await import('../auth/token.ts')).createToken,
  },
];
