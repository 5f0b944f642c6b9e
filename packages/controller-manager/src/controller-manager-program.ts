import { buildFacts, type Program, programEnv, reclaimIdleMemory } from '@orch/program';
import { connectionSettings } from './connection/connection.ts';
import { managerFlags } from './flags/index.ts';
import { runControllerManager } from './run-controller-manager.ts';
import { managerSettings } from './settings/manager-settings.ts';

/** The program `orch-controller-manager`. */
export const controllerManagerProgram = (): Program<typeof managerFlags> => ({
  name: 'orch-controller-manager',
  usage: 'orch-controller-manager [flags]',
  about:
    'Runs the built-in controllers: garbage collection, deletion of namespaces, service accounts and their tokens, certificates and others. One of several managers is active.',
  build: buildFacts(),
  flags: managerFlags,
  async run(flags, _command, signal) {
    const settings = managerSettings(flags);
    const processEnv = programEnv(flags);
    using _memory = reclaimIdleMemory(processEnv.env.clock);
    const connection = await connectionSettings({
      path: flags.clientConfig,
      environment: process.env,
      names: settings.names,
      env: processEnv.env,
    });
    await runControllerManager(
      settings,
      {
        ...processEnv,
        build: buildFacts(),
        connection,
        onStarted(ops) {
          if (ops !== undefined) process.stdout.write(`health and metrics on http://${ops}\n`);
        },
      },
      signal,
    );
  },
});
