import { hostname } from 'node:os';
import { type ConnectionSettings, measuredTransport, networkTransport, type Transport } from '@orch/client';
import { type Env, type LogVerbosity, messageOf } from '@orch/machinery';
import {
  type BuildFacts,
  Cleanup,
  Health,
  processMetrics,
  StartError,
  serveOps,
  versionInfo,
} from '@orch/program';
import { managerDebug } from './debug/manager-debug.ts';
import { managerChecks } from './manager-health.ts';
import { ControllerStates } from './running/controller-states.ts';
import { ElectionState } from './running/election-state.ts';
import { runManager } from './running/run-manager.ts';
import type { ManagerSettings } from './settings/manager-settings.ts';

export interface ManagerHost {
  readonly env: Env;
  /** Number of lines that the log of `env` has lost. */
  readonly droppedLogLines: () => number;
  /** Verbosity of the log of `env`; the manager may change it. */
  readonly verbosity: LogVerbosity;
  readonly build: BuildFacts;
  /** Address of the API server and credentials of the manager. */
  readonly connection: ConnectionSettings;
  /** Called once health and metrics are served, with their address `host:port`; undefined without one. */
  readonly onStarted: (ops: string | undefined) => void;
}

/**
 * Runs a controller manager until the signal aborts, then ends its work and releases its lease. Rejects with a
 * `StartError` when it cannot start or continue.
 */
export async function runControllerManager(
  settings: ManagerSettings,
  host: ManagerHost,
  signal: AbortSignal,
): Promise<void> {
  const { env, connection } = host;
  const cleanup = new Cleanup(env.log);
  const states = new ControllerStates(settings.controllers.selected.map(({ name }) => name));
  const electionState = new ElectionState();
  try {
    describeProcess(settings, host);
    const transport = transportTo(connection, env);
    cleanup.add('closing the connection', () => transport.close());
    const ops = await openOps(settings, host, { states, electionState, signal, cleanup, transport });
    host.onStarted(ops);
    await runManager(
      {
        env,
        controllers: settings.controllers,
        election: settings.election,
        transport,
        // The same server; others must not present the client certificate of the manager.
        transportOf: (credentials) => transportTo({ ...connection, credentials }, env),
        version: host.build.version,
        host: hostname(),
        states,
        electionState,
        whenLost: 'exit',
      },
      signal,
    );
  } catch (error) {
    if (error instanceof StartError || (signal.aborted && error === signal.reason)) throw error;
    throw new StartError(`cannot continue: ${messageOf(error)}`, { cause: error });
  } finally {
    await cleanup.run();
  }
}

const transportTo = (connection: ConnectionSettings, env: Env): Transport =>
  measuredTransport(networkTransport(connection, env), { ...env, host: new URL(connection.server).host });

function describeProcess({ names }: ManagerSettings, { env, build }: ManagerHost): void {
  const [major = '0', minor = '0'] = build.version.split('.');
  processMetrics(env.metrics, {
    names,
    version: versionInfo({
      release: `${major}.${minor}`,
      product: 'orch',
      build,
      runtime: process.version,
      platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
    }),
  });
}

async function openOps(
  settings: ManagerSettings,
  host: ManagerHost,
  parts: {
    readonly states: ControllerStates;
    readonly electionState: ElectionState;
    readonly signal: AbortSignal;
    readonly cleanup: Cleanup;
    readonly transport: Transport;
  },
): Promise<string | undefined> {
  const { ops } = settings;
  const { env, droppedLogLines } = host;
  if (ops === undefined) return undefined;
  const checks = managerChecks({ ...parts, droppedLogLines, isStopping: () => parts.signal.aborted });
  const health = new Health({ checks, clock: env.clock, log: env.log, livezGraceMs: 0 });
  try {
    const debug = await managerDebug(settings, host, parts.transport);
    const server = await serveOps({ env, health, debug, ...ops });
    parts.cleanup.add('closing the ops port', () => server.close());
    return `${server.host}:${server.port}`;
  } catch (error) {
    throw new StartError(`cannot serve on --ops-bind-address ${ops.host}:${ops.port}: ${messageOf(error)}`);
  }
}
