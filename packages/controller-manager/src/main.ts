import { buildFacts, endProcess, programEnv, runProgram } from '@orch/program';
import { connectionSettings } from './connection/connection.ts';
import { managerFlags } from './flags/manager-flags.ts';
import { runControllerManager } from './run-controller-manager.ts';
import { managerSettings } from './settings/manager-settings.ts';

const build = buildFacts();

const status = await runProgram(
  {
    name: 'orch-controller-manager',
    usage: 'orch-controller-manager [flags]',
    about:
      'Keeps a cluster in order: objects die with their owners and namespaces, accounts get tokens, certificates get signed, tokens expire. Of several managers one works.',
    build,
    flags: managerFlags,
    async run(flags, _command, signal) {
      const settings = managerSettings(flags);
      const surroundings = programEnv(flags.verbosity);
      const connection = await connectionSettings({
        path: flags.clientConfig,
        environment: process.env,
        names: settings.names,
        env: surroundings.env,
      });
      return await runControllerManager(
        settings,
        {
          ...surroundings,
          build,
          connection,
          onStarted(ops) {
            if (ops !== undefined) process.stdout.write(`health and metrics on http://${ops}\n`);
          },
        },
        signal,
      );
    },
  },
  process.argv.slice(2),
);
endProcess(status);
