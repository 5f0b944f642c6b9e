import {
  type Credentials,
  candidateIdentity,
  createClient,
  fencedTransport,
  type LeaderElector,
  type Leadership,
  LeadershipLost,
  leaderElector,
  type Transport,
} from '@orch/client';
import { type Clock, type Env, onAbort } from '@orch/machinery';
import { StartError } from '@orch/program';
import { controllerClients } from '../identities/controller-clients.ts';
import type { ControllerSettings } from '../settings/controller-settings.ts';
import type { ElectionSettings } from '../settings/election-settings.ts';
import type { ControllerStates } from './controller-states.ts';
import type { ElectionState } from './election-state.ts';
import { runControllers } from './run-controllers.ts';
import { serverRelease } from './server-release.ts';

/** Everything that a manager is run with, in whatever process. */
export interface ManagerParts {
  readonly env: Env;
  readonly controllers: ControllerSettings;
  /** Absent where no other process can have controllers of this cluster. */
  readonly election?: ElectionSettings | undefined;
  /** The way to the server under the manager's own identity. Stays its owner's to close. */
  readonly transport: Transport;
  /** A way of its own under other credentials. */
  readonly transportOf: (credentials: Credentials) => Transport;
  /** Of the program. */
  readonly version: string;
  /** Where this process runs, for people who look at the Lease. */
  readonly host: string;
  readonly states: ControllerStates;
  readonly electionState: ElectionState;
}

/**
 * Runs controllers, as the leader where there is an election, until the signal aborts and all their work has ended; then
 * the Lease is given up. Rejects with a `StartError` when the leadership is lost: nobody knows then what of the work of
 * this process is still under way, so that it has to end. Waits for a server that is not there yet.
 */
export async function runManager(parts: ManagerParts, signal: AbortSignal): Promise<void> {
  const { env, controllers, election } = parts;
  if (election === undefined) {
    await work(parts, undefined, signal);
    return;
  }
  const elector = electorOf(parts, election);
  parts.electionState.follow(elector);
  const ended = await elector.run(
    (leadership) =>
      Promise.race([work(parts, leadership, leadership.signal), overdue(leadership, env.clock)]),
    signal,
  );
  if (ended === 'lost')
    throw new StartError(`lost the lease ${election.namespace}/${election.name}: another manager may lead`);
  env.log.info('controllers have ended', { controllers: controllers.selected.length });
}

/** Work that goes on after a leadership was lost is not waited for longer than this. Its writes are fenced off. */
const overdueMs = 10_000;

/** Resolves some time after the leadership was lost, and never otherwise. */
const overdue = ({ signal }: Leadership, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    onAbort(signal, () => {
      if (signal.reason instanceof LeadershipLost) clock.schedule(overdueMs, resolve);
    });
  });

function electorOf(
  { env, controllers: { names }, transport, version, host }: ManagerParts,
  election: ElectionSettings,
): LeaderElector {
  const userAgent = `${names.programs.controllerManager}/${version} (leader-election)`;
  return leaderElector({
    client: createClient({ transport, names, env, userAgent, timeoutMs: election.renewDeadlineMs }),
    env,
    identity: candidateIdentity(host, env.random),
    ...election,
  });
}

/** The work of a leader, or of the only process that there can be. */
async function work(
  parts: ManagerParts,
  leadership: Leadership | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { env, controllers, transport, transportOf, version, states } = parts;
  const { names, selected, useAccounts, options } = controllers;
  await using clients = controllerClients({
    env,
    names,
    ownTransport: transport,
    transportOf,
    version,
    signal,
    ...(leadership !== undefined && { fence: (each: Transport) => fencedTransport(each, leadership) }),
  });
  const release = await serverRelease(clients.own, env, signal);
  await runControllers(
    {
      env,
      clients,
      selected,
      useAccounts,
      states,
      options: { ...options, release },
      mayWork: () => leadership?.isValid() ?? true,
    },
    signal,
  );
}
