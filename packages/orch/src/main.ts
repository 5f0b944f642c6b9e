import { announce, embeddedWorkerUrl, repairData } from '@orch/apiserver';
import { buildFacts, endProcess, type LogFlags, type Program, programEnv, runProgram } from '@orch/program';
import {
  type BackupHost,
  backupFlags,
  migrateFlags,
  restoreFlags,
  runBackup,
  runMigrate,
  runRestore,
  runVerify,
  verifyFlags,
} from './backup/index.ts';
import { initFlags, runInit } from './init/index.ts';
import { repairFlags } from './repair-flags.ts';
import { upProgram } from './up-program.ts';

const build = buildFacts();

const repairProgram: Program<typeof repairFlags> = {
  name: 'orch repair',
  usage: 'orch repair [flags]',
  about:
    'Builds a store from the readable data of a damaged data directory, and reports losses. No server may use the directory meanwhile. The damaged files are kept in a folder beside it. Exit status 1 when nothing can be recovered, and when --dry-run finds damage.',
  build,
  flags: repairFlags,
  run: (flags) => repairData(flags, programEnv(flags).env, (text) => void process.stdout.write(text)),
};

const initProgram: Program<typeof initFlags> = {
  name: 'orch init',
  usage: 'orch init [flags]',
  about:
    'Creates the files that the servers of a cluster share in a folder: authorities, certificates, keys, and client configurations for administrators and controller managers. Run it again to renew certificates before they expire and to add missing files; existing keys are never replaced, except by a rotation. A rotation has three steps, each a separate run, and clients work throughout.',
  build,
  flags: initFlags,
  run: (flags, _, signal) =>
    runInit(
      flags,
      {
        env: programEnv(flags).env,
        environment: process.env,
        print: (text) => void process.stdout.write(text),
      },
      signal,
    ),
};

const backupHost = (flags: LogFlags): BackupHost => ({
  env: programEnv(flags).env,
  environment: process.env,
  workerUrl: embeddedWorkerUrl().workerUrl,
  stdout: process.stdout,
  stderr: process.stderr,
});

const backupProgram: Program<typeof backupFlags> = {
  name: 'orch backup',
  usage: 'orch backup FILE [flags], or orch backup verify FILE [flags]',
  about:
    'Saves all objects as they are at one moment in a new file, or on standard output (-), while servers run: from etcd directly (--etcd-servers), through a running server (--client-config), or from the folder of an embedded store that no server uses. "orch backup verify FILE" checks every byte of a backup.',
  build,
  flags: backupFlags,
  operand: 'FILE',
  run: (flags, file = '', signal) => runBackup(flags, file, backupHost(flags), signal),
};

const verifyProgram: Program<typeof verifyFlags> = {
  name: 'orch backup verify',
  usage: 'orch backup verify FILE [flags]',
  about: 'Reads a backup to its end, checks every byte of it, and prints what it contains.',
  build,
  flags: verifyFlags,
  operand: 'FILE',
  run: (flags, file = '', signal) => runVerify(flags, file, backupHost(flags), signal),
};

const restoreProgram: Program<typeof restoreFlags> = {
  name: 'orch restore',
  usage: 'orch restore FILE [flags]',
  about:
    'Restores a backup into etcd or into the folder of an embedded store. All servers must be stopped. Clients that were connected before list everything again: resourceVersions continue beyond all that they have seen. When it was interrupted, run it again with the same file; servers do not start before it has ended.',
  build,
  flags: restoreFlags,
  operand: 'FILE',
  run: (flags, file = '', signal) => runRestore(flags, file, backupHost(flags), signal),
};

const migrateProgram: Program<typeof migrateFlags> = {
  name: 'orch migrate',
  usage: 'orch migrate --client-config=FILE [flags], or orch migrate --by-resource [flags]',
  about:
    'Moves all objects from an embedded store to etcd or back, or to another etcd, while servers run and clients write. The server names the other store in the file of its flag --migration-target-file. Writes wait for less than a second, watches continue, and resourceVersions continue to grow. When it was interrupted, run it again, or undo it (--abort). Afterwards, start servers with the flags of the other store. With --by-resource and all servers stopped, it moves the objects of resources between the stores of --etcd-servers-overrides.',
  build,
  flags: migrateFlags,
  run: (flags, _, signal) => runMigrate(flags, backupHost(flags), signal),
};

/** Runs the program selected by the first arguments; returns its exit status. */
function runNamed(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv;
  switch (command) {
    case 'repair':
      return runProgram(repairProgram, rest);
    case 'init':
      return runProgram(initProgram, rest);
    case 'backup':
      return rest[0] === 'verify'
        ? runProgram(verifyProgram, rest.slice(1))
        : runProgram(backupProgram, rest);
    case 'migrate':
      return runProgram(migrateProgram, rest);
    case 'restore':
      return runProgram(restoreProgram, rest);
    default:
      return runProgram(upProgram(announce), argv);
  }
}

endProcess(await runNamed(process.argv.slice(2)));
