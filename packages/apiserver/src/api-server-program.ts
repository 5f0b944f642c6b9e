import {
  buildFacts,
  idleRuntime,
  type LogFormat,
  type Program,
  programEnv,
  reclaimIdleMemory,
  type WriteLine,
} from '@orch/program';
import { apiServerFlags } from './flags/api-server-flags.ts';
import { MOST_AUTOMATIC_THREADS } from './flags/serving-flags.ts';
import { embeddedWorkerUrl, threadUrl, yamlThreadUrl } from './program-host.ts';
import { runApiServer } from './run-api-server.ts';
import { settingsOf } from './settings/settings.ts';
import type { ApiServerHost, RunningApiServer } from './start/start-context.ts';
import { automaticThreads } from './threads/automatic-threads.ts';

/** Reports a server that is ready, in the format of its log. */
export type Announce = (running: RunningApiServer, format: LogFormat) => void;

/** What a process that runs servers passes to each of them. */
export interface ServerProcess extends Pick<ApiServerHost, 'sharedWriter'> {
  /** Receives the log, which goes to standard error without it. */
  readonly write?: WriteLine;
}

/** The program `orch-apiserver`. */
export const apiServerProgram = (
  announce: Announce,
  { write, sharedWriter }: ServerProcess = {},
): Program<typeof apiServerFlags> => ({
  name: 'orch-apiserver',
  usage: 'orch-apiserver [flags]',
  about:
    'Serves the API of the control plane: stores objects in its embedded store or in etcd, and serves reads and watches from memory.',
  build: buildFacts(),
  flags: apiServerFlags,
  async run(flags, _command, signal) {
    const settings = settingsOf(flags, automaticThreads(MOST_AUTOMATIC_THREADS));
    const processEnv = programEnv(flags, settings.metricRelease, write);
    using _memory = reclaimIdleMemory(
      processEnv.env.clock,
      idleRuntime(settings.flags.threads > 1 ? 'process' : 'thread'),
    );
    await runApiServer(
      settings,
      {
        ...processEnv,
        build: buildFacts(),
        ...embeddedWorkerUrl(),
        sharedWriter,
        ...threadUrl(),
        ...yamlThreadUrl(),
        onReady: (running) => announce(running, flags.logFormat),
      },
      signal,
    );
  },
});
