import { repairData } from '@orch/apiserver';
import { systemEnv } from '@orch/machinery';
import { buildFacts, endProcess, type Program, runProgram, UsageError } from '@orch/program';
import { orchFlags } from './orch-flags.ts';
import { repairFlags } from './repair-flags.ts';
import { up } from './up.ts';

const build = buildFacts();

const upProgram: Program<typeof orchFlags> = {
  name: 'orch',
  usage: 'orch up [flags], or orch repair [flags]',
  about:
    'Runs the whole control plane in one process, with its data in one folder. "orch repair --help" describes the repair of a damaged folder.',
  build,
  flags: orchFlags,
  commands: ['up', 'repair'],
  async run(flags, command, signal) {
    if (command === 'repair') throw new UsageError('repair must stand before its flags');
    await up(flags, build, signal);
  },
};

const repairProgram: Program<typeof repairFlags> = {
  name: 'orch repair',
  usage: 'orch repair [flags]',
  about:
    'Builds a store from the readable data of a damaged data directory, and reports losses. No server may use the directory meanwhile. The damaged files are kept in a folder beside it. Exit status 1 when nothing can be recovered, and when --dry-run finds damage.',
  build,
  flags: repairFlags,
  run: (flags) => repairData(flags, systemEnv(), (text) => void process.stdout.write(text)),
};

const argv = process.argv.slice(2);
const status = await (argv[0] === 'repair'
  ? runProgram(repairProgram, argv.slice(1))
  : runProgram(upProgram, argv));
endProcess(status);
