import type { Env } from '@orch/machinery';
import { anySignal } from '@orch/machinery/concurrency';
import type { Client } from '../client.ts';
import { type LoadedConfig, loadConfig } from '../connect/load-config.ts';
import { stopSignal, thisProcess } from '../connect/this-process.ts';
import { runControllers } from '../controller/run-controllers.ts';
import type { Controller, ControllerContext } from '../controller/types.ts';
import { type ClientOptions, createClient } from '../create-client.ts';
import { eventRecorder } from '../events/event-recorder.ts';
import { informerFactory } from '../informer/factory.ts';
import { fencedTransport } from '../leader/fenced-transport.ts';
import {
  candidateIdentity,
  type LeaderElectionOptions,
  type LeaderElector,
  leaderElector,
} from '../leader/leader-elector.ts';
import type { Leadership } from '../leader/leadership.ts';
import { type OpsOptions, serveOps } from './ops-server.ts';

/** The election of a manager: the Lease has the name of the manager, in the namespace of the configuration, when absent. */
export type ElectionChoice = Partial<Omit<LeaderElectionOptions, 'client' | 'env'>>;

/** The server of a manager beside its controllers, such as one for webhooks or an extension API. */
export type ManagedServer = (context: ServerContext, signal: AbortSignal) => Promise<void>;

/** What a server of a manager works with. */
export interface ServerContext {
  readonly env: Env;
  /** Not fenced: servers run in every replica. */
  readonly client: Client;
}

/** What a manager needs of a `LoadedConfig`. */
export type ManagerConfig = ClientOptions & Partial<Pick<LoadedConfig, 'namespace' | 'stopped'>>;

/** The parts of a program that a manager runs. */
export interface ManagerOptions {
  /** The component in events, and the name of the Lease. */
  readonly name: string;
  /** The server and the identity; those of `loadConfig` when absent. */
  readonly config?: ManagerConfig;
  /** Whether one of several replicas works, and how it is elected; all work when absent. */
  readonly election?: boolean | ElectionChoice;
  /** The port for health and metrics; none when absent. */
  readonly ops?: OpsOptions;
  /** Servers that run in every replica. */
  readonly servers?: readonly ManagedServer[];
  /** Creates the controllers, for each leadership again. Writes of the client of the context are fenced. */
  readonly controllers: (
    context: ControllerContext,
  ) => readonly Controller[] | Promise<readonly Controller[]>;
}

/**
 * Runs the controllers and servers of a program until it is told to stop: by the signal, or without one by SIGINT or SIGTERM; or until
 * the server of its configuration has been stopped for good. Resolves when all work has ended. Rejects when a part fails, and when the leadership was lost: the program has to be started again then.
 */
export async function runManager(options: ManagerOptions, signal?: AbortSignal): Promise<void> {
  using asked = signal === undefined ? stopSignal() : anySignal([signal]);
  const config = options.config ?? (await loadConfig({}, asked.signal));
  try {
    const { stopped } = config;
    using scope = anySignal(stopped === undefined ? [asked.signal] : [asked.signal, stopped]);
    await new Manager(options, config).run(scope.signal);
  } finally {
    // The transport of a caller stays open.
    if (options.config === undefined) await config.transport.close();
  }
}

class Manager {
  readonly #options: ManagerOptions;
  readonly #config: ManagerConfig;
  readonly #client: Client;
  readonly #elector: LeaderElector | undefined;
  #isRunning = false;

  constructor(options: ManagerOptions, config: ManagerConfig) {
    this.#options = options;
    this.#config = config;
    this.#client = createClient(config);
    this.#elector = this.#electorOf(options.election ?? false);
  }

  #electorOf(election: boolean | ElectionChoice): LeaderElector | undefined {
    if (election === false) return undefined;
    const { env, namespace = 'default' } = this.#config;
    return leaderElector({
      client: this.#client,
      env,
      namespace,
      name: this.#options.name,
      identity: candidateIdentity(thisProcess().host, env.random),
      ...(election === true ? {} : election),
    });
  }

  async run(asked: AbortSignal): Promise<void> {
    using scope = anySignal([asked]);
    const { env } = this.#config;
    const { ops, servers = [] } = this.#options;
    const state = {
      unhealthy: () => this.#elector?.problem(),
      unready: () => (this.#isRunning ? undefined : 'the manager is starting'),
    };
    const parts = [
      this.#work(scope.signal),
      ...servers.map((server) => server({ env, client: this.#client }, scope.signal)),
      ...(ops === undefined ? [] : [serveOps(ops, { env, state }, scope.signal)]),
    ].map(async (part) => {
      try {
        await part;
        scope.abort(new Error('a part of the manager has ended'));
      } catch (error) {
        const isAbort = scope.signal.aborted && error === scope.signal.reason;
        scope.abort(error);
        if (!isAbort) throw error;
      }
    });
    const failed = (await Promise.allSettled(parts)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** Runs the controllers, while this replica leads where there is an election. */
  async #work(signal: AbortSignal): Promise<void> {
    this.#isRunning = true;
    if (this.#elector === undefined) return this.#runControllers(this.#client, signal);
    const ended = await this.#elector.run((leadership) => this.#lead(leadership), signal);
    if (ended === 'lost') throw new Error('the leadership was lost');
  }

  #lead(leadership: Leadership): Promise<void> {
    const transport = fencedTransport(this.#config.transport, leadership);
    const client = createClient({ ...this.#config, transport });
    return this.#runControllers(client, leadership.signal, () => leadership.isValid());
  }

  async #runControllers(client: Client, signal: AbortSignal, mayWork?: () => boolean): Promise<void> {
    using scope = anySignal([signal]);
    const { env } = this.#config;
    const informers = informerFactory({ client, env });
    const events = eventRecorder({ client, env, component: this.#options.name, host: thisProcess().host });
    const recording = events.run(scope.signal);
    try {
      const controllers = await this.#options.controllers({ env, client, informers, events });
      const may = mayWork === undefined ? {} : { mayWork };
      await runControllers(env, controllers, { informers, ...may }, scope.signal);
    } finally {
      scope.abort(new Error('the controllers have ended'));
      await recording;
    }
  }
}
