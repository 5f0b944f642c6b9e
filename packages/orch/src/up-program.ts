import type { Announce, ServerProcess } from '@orch/apiserver';
import { buildFacts, type Program, UsageError } from '@orch/program';
import { orchFlags } from './orch-flags.ts';
import { up } from './up.ts';

/** The program `orch up`. */
export const upProgram = (
  announce: Announce,
  serverProcess: ServerProcess = {},
): Program<typeof orchFlags> => ({
  name: 'orch',
  usage: 'orch up|init|repair|backup|restore|migrate [flags]',
  about:
    'Runs the whole control plane in one process, with its data in one folder. "orch init --help" describes how to create the certificates and keys that several servers share, "orch repair --help" describes the repair of a damaged folder, "orch backup --help" how all objects are saved in a file, "orch restore --help" how they are restored, and "orch migrate --help" how they are moved to another store while servers run.',
  build: buildFacts(),
  flags: orchFlags,
  commands: ['up', 'init', 'repair', 'backup', 'restore', 'migrate'],
  async run(flags, command, signal) {
    if (command !== 'up') throw new UsageError(`${command} must stand before its flags`);
    await up(flags, { build: buildFacts(), announce, ...serverProcess }, signal);
  },
});
