import { repairData } from '@orch/apiserver';
import { systemEnv } from '@orch/machinery';
import { buildFacts, endProcess, type Program, programEnv, runProgram, UsageError } from '@orch/program';
import { initFlags, runInit } from './init/index.ts';
import { orchFlags } from './orch-flags.ts';
import { repairFlags } from './repair-flags.ts';
import { up } from './up.ts';

const build = buildFacts();

const upProgram: Program<typeof orchFlags> = {
  name: 'orch',
  usage: 'orch up [flags], orch init [flags], or orch repair [flags]',
  about:
    'Runs the whole control plane in one process, with its data in one folder. "orch init --help" describes how certificates and keys are made that several servers share, and "orch repair --help" describes the repair of a damaged folder.',
  build,
  flags: orchFlags,
  commands: ['up', 'init', 'repair'],
  async run(flags, command, signal) {
    if (command !== 'up') throw new UsageError(`${command} must stand before its flags`);
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

const initProgram: Program<typeof initFlags> = {
  name: 'orch init',
  usage: 'orch init [flags]',
  about:
    'Makes what the servers of a cluster share, in a folder: authorities, certificates, keys, and client configurations for administrators and controller managers. Run it again to renew certificates before they expire and to add missing files; existing keys are never replaced, except by a rotation. A rotation has three steps, each a separate run, and clients work throughout.',
  build,
  flags: initFlags,
  run: (flags, _, signal) =>
    runInit(
      flags,
      { env: programEnv(0).env, environment: process.env, print: (text) => void process.stdout.write(text) },
      signal,
    ),
};

const argv = process.argv.slice(2);
const [command, ...rest] = argv;
const status = await (command === 'repair'
  ? runProgram(repairProgram, rest)
  : command === 'init'
    ? runProgram(initProgram, rest)
    : runProgram(upProgram, argv));
endProcess(status);
