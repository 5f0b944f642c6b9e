import { announce } from './announce.ts';
import { apiServerFlags } from './api-server-flags.ts';
import { buildFacts, embeddedWorkerUrl } from './build-facts.ts';
import { runProgram } from './program.ts';
import { programEnv } from './program-env.ts';
import { runApiServer } from './run-api-server.ts';
import { settingsOf } from './settings.ts';

process.exitCode = await runProgram(
  {
    name: 'orch-apiserver',
    usage: 'orch-apiserver [flags]',
    about:
      'Serves the API of the control plane: stores objects in its embedded store or in etcd, and serves reads and watches from memory.',
    build: buildFacts(),
    flags: apiServerFlags,
    run: (flags, _command, signal) =>
      runApiServer(
        settingsOf(flags),
        {
          ...programEnv(flags.verbosity),
          build: buildFacts(),
          ...embeddedWorkerUrl(),
          onReady: announce,
        },
        signal,
      ),
  },
  process.argv.slice(2),
);
