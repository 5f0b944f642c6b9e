import { buildFacts, endProcess, programEnv, reclaimIdleMemory, runProgram } from '@orch/program';
import { apiServerFlags } from './flags/api-server-flags.ts';
import { announce, embeddedWorkerUrl, threadUrl } from './program-host.ts';
import { runApiServer } from './run-api-server.ts';
import { settingsOf } from './settings/settings.ts';

const status = await runProgram(
  {
    name: 'orch-apiserver',
    usage: 'orch-apiserver [flags]',
    about:
      'Serves the API of the control plane: stores objects in its embedded store or in etcd, and serves reads and watches from memory.',
    build: buildFacts(),
    flags: apiServerFlags,
    async run(flags, _command, signal) {
      const settings = settingsOf(flags);
      const processEnv = programEnv(flags, settings.metricRelease);
      using _memory = reclaimIdleMemory(processEnv.env.clock);
      await runApiServer(
        settings,
        {
          ...processEnv,
          build: buildFacts(),
          ...embeddedWorkerUrl(),
          ...threadUrl(),
          onReady: (running) => announce(running, flags.logFormat),
        },
        signal,
      );
    },
  },
  process.argv.slice(2),
);
endProcess(status);
