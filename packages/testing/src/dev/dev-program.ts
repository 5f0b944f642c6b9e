import { buildFacts, endProcess, type Program, runProgram, UsageError } from '@orch/program';
import { dev } from './dev.ts';
import { devFlags } from './dev-flags.ts';

const devProgram: Program<typeof devFlags> = {
  name: 'orch dev',
  usage: 'orch dev [flags]',
  about:
    'Runs a control plane with its objects in memory, for the development of operators and for their tests in any language: API server, controllers and, on request, workloads. Its data are gone when it stops.',
  build: buildFacts(),
  flags: devFlags,
  commands: ['dev'],
  async run(values, command, signal) {
    if (command !== 'dev') throw new UsageError(`${command} must stand before its flags`);
    await dev(values, process, signal);
  },
};

endProcess(await runProgram(devProgram, process.argv.slice(2)));
