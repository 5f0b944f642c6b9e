import {
  type Announce,
  automaticThreads,
  embeddedWorkerUrl,
  type LocalHealth,
  type RunningApiServer,
  runApiServer,
  type ServerProcess,
  settingsOf,
  threadUrl,
  yamlThreadUrl,
} from '@orch/apiserver';
import { controllerFlags } from '@orch/controller-manager/flags';
import { abortable, deferred } from '@orch/machinery/concurrency';
import { type BuildFacts, type FlagValues, idleRuntime, programEnv, reclaimIdleMemory } from '@orch/program';
import type { orchFlags } from './orch-flags.ts';
import { type Part, runTogether } from './run-together.ts';

type OrchFlags = FlagValues<typeof orchFlags>;

/** The machine has other work to do. */
const MOST_THREADS = 2;

/** The code of the controllers is loaded once the server is ready. */
const controllersModule = () => import('./controllers-part.ts');

/** Facts about the program, its report of a server that is ready, and its process. */
interface UpHost extends ServerProcess {
  readonly build: BuildFacts;
  readonly announce: Announce;
}

/** Runs the API server and, once it is ready, the controllers over it, until the signal aborts. */
export async function up(
  flags: OrchFlags,
  { build, announce, write, sharedWriter }: UpHost,
  signal: AbortSignal,
): Promise<void> {
  const settings = settingsOf(flags, automaticThreads(MOST_THREADS));
  // Invalid flags are reported before anything starts; default values are valid.
  if (hasControllerFlags(flags)) (await controllersModule()).checkControllerFlags(flags, settings);
  const processEnv = programEnv(flags, settings.metricRelease, write);
  const { env } = processEnv;
  using _memory = reclaimIdleMemory(
    env.clock,
    idleRuntime(settings.flags.threads > 1 ? 'process' : 'thread'),
  );
  const ready = deferred<RunningApiServer>();
  let controllersHealth = (): LocalHealth => ({ healthy: false, text: 'the controllers are starting' });
  const server: Part = {
    name: 'the API server',
    run: (stop) =>
      runApiServer(
        settings,
        {
          ...processEnv,
          build,
          ...embeddedWorkerUrl(),
          sharedWriter,
          ...threadUrl(),
          ...yamlThreadUrl(),
          loopbackUser: settings.names.users.controllerManager,
          // On etcd the processes elect a leader, and the health of controllers is that of the leader.
          localPrograms: settings.storage === 'etcd' ? {} : { controllerManager: () => controllersHealth() },
          onReady(running) {
            announce(running, flags.logFormat);
            ready.resolve(running);
          },
        },
        stop,
      ),
  };
  const controllers: Part = {
    name: 'the controllers',
    async run(stop) {
      const running = await abortable(ready.promise, stop).catch(() => undefined);
      if (running?.loopback === undefined) return;
      const { runControllers } = await controllersModule();
      const { loopback, own } = running;
      const onHealth = (health: () => LocalHealth): void => {
        controllersHealth = health;
      };
      await runControllers(
        { env, settings, flags, version: build.version, server: { loopback, own }, onHealth },
        stop,
      );
    },
  };
  await runTogether([server, controllers], env.clock, signal);
}

const hasControllerFlags = (flags: OrchFlags): boolean =>
  Object.entries(controllerFlags).some(
    ([key, flag]) => key !== 'useAccounts' && flags[key as keyof typeof controllerFlags] !== flag.initial,
  );
