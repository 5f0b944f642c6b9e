import { buildFacts, endProcess, runProgram } from '@orch/program';
import { orchFlags } from './orch-flags.ts';
import { up } from './up.ts';

const build = buildFacts();

const status = await runProgram(
  {
    name: 'orch',
    usage: 'orch up [flags]',
    about: 'Runs the whole control plane in one process, with everything it keeps in one folder.',
    build,
    flags: orchFlags,
    commands: ['up'],
    run: (flags, _command, signal) => up(flags, build, signal),
  },
  process.argv.slice(2),
);
endProcess(status);
