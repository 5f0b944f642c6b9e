import type { ControlPlaneOptions } from './options.ts';
import { type PlaneServer, startPlaneServer } from './plane-server.ts';
import { type PlaneEnv, planeEnv, type RunningControllers, startControllers } from './server.ts';
import { runNodes } from './workloads/run-nodes.ts';
import { workloadsOf } from './workloads/workload-options.ts';

/** The parts of a control plane. */
export interface PlaneParts {
  readonly options: ControlPlaneOptions;
  readonly env: PlaneEnv;
  readonly server: PlaneServer;
  /** Undefined without controllers. */
  readonly controllers: RunningControllers | undefined;
}

/** Starts the controllers of a server, and its nodes with workloads, unless the options have none. */
export function controllersOf(parts: Omit<PlaneParts, 'controllers'>): RunningControllers | undefined {
  const { options, server, env } = parts;
  const workloads = workloadsOf(options);
  if (options.controllers === false && workloads === undefined) return undefined;
  const { settings, flags, config } = server;
  const controllers = startControllers({ settings, flags, env }, server);
  if (workloads === undefined) return controllers;
  const start = () => runNodes(config, env, workloads.rules);
  let nodes = start();
  return {
    haveStarted: () => controllers.haveStarted(),
    haveReached: (moment) => controllers.haveReached(moment),
    async pause() {
      await nodes.stop();
      await controllers.pause();
    },
    resume() {
      controllers.resume();
      nodes = start();
    },
    async stop() {
      await nodes.stop();
      await controllers.stop();
    },
  };
}

/**
 * The control planes that wait to become forks. Each has a server and controllers over the objects of the first one, so their caches
 * are up to date when its store gets a content that only it changes.
 */
export class Reserve {
  readonly #parts: Omit<PlaneParts, 'controllers'>;
  readonly #size: number;
  readonly #waiting: Promise<PlaneParts>[] = [];
  #isStopped = false;

  constructor(parts: Omit<PlaneParts, 'controllers'>, size: number) {
    this.#parts = parts;
    this.#size = size;
  }

  /** Starts control planes until the reserve is full. */
  fill(): void {
    while (this.#waiting.length < this.#size && !this.#isStopped) this.#waiting.push(this.#start());
  }

  /** Resolves when those that are started now are ready. */
  async ready(): Promise<void> {
    await Promise.all(this.#waiting);
  }

  /** One that waits, or a new one when none does. Rejects with a `StartError`. */
  async take(): Promise<PlaneParts> {
    if (this.#isStopped) throw new Error('the control plane is stopped');
    const taken = this.#waiting.shift() ?? this.#start();
    return await taken;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const waiting = this.#waiting.splice(0);
    await Promise.all(waiting.map((parts) => parts.then((one) => stopParts(one)).catch(() => undefined)));
  }

  #start(): Promise<PlaneParts> {
    const started = this.#startReplica();
    // Reported by `take`.
    started.catch(() => undefined);
    return started;
  }

  async #startReplica(): Promise<PlaneParts> {
    const { options: asked, server: first } = this.#parts;
    const env = planeEnv();
    const options = { ...asked, forks: 0 };
    const { store, certificates } = first;
    const server = await startPlaneServer({ options, env, store: store.follower(env.clock), certificates });
    return { options, env, server, controllers: controllersOf({ options, env, server }) };
  }
}

const stopParts = async ({ controllers, server }: PlaneParts): Promise<void> => {
  await controllers?.stop();
  await server.stop();
};
