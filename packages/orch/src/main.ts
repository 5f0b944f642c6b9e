import {
  announce,
  buildFacts,
  embeddedWorkerUrl,
  programEnv,
  runApiServer,
  runProgram,
  settingsOf,
} from '@orch/apiserver';
import { orchFlags } from './orch-flags.ts';
import { runTogether } from './run-together.ts';

const build = buildFacts();

process.exitCode = await runProgram(
  {
    name: 'orch',
    usage: 'orch up [flags]',
    about: 'Runs the whole control plane in one process, with everything it keeps in one folder.',
    build,
    flags: orchFlags,
    commands: ['up'],
    run(flags, _command, signal) {
      const settings = settingsOf(flags);
      const surroundings = programEnv(flags.verbosity);
      return runTogether(
        [
          {
            name: 'the API server',
            run: (stop) =>
              runApiServer(
                settings,
                { ...surroundings, build, ...embeddedWorkerUrl(), onReady: announce },
                stop,
              ),
          },
        ],
        signal,
      );
    },
  },
  process.argv.slice(2),
);
