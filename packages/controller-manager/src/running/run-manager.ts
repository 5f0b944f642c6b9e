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
import type { Clock, Env } from '@orch/machinery';
import { onAbort } from '@orch/machinery/concurrency';
import { StartError } from '@orch/program';
import { controllerClients } from '../identities/controller-clients.ts';
import type { ControllerSettings } from '../settings/controller-settings.ts';
import type { ElectionSettings } from '../settings/election-settings.ts';
import type { ControllerStates } from './controller-states.ts';
import type { ElectionState } from './election-state.ts';
import type { Pauses } from './pauses.ts';
import { runControllers } from './run-controllers.ts';
import { serverRelease } from './server-release.ts';

/** The dependencies of a manager, in any process. */
export interface ManagerParts {
  readonly env: Env;
  readonly controllers: ControllerSettings;
  /** Absent when no other process can run controllers of this cluster. */
  readonly election?: ElectionSettings | undefined;
  /** Transport with the identity of the manager; closed by the caller. */
  readonly transport: Transport;
  /** Opens a transport with other credentials. */
  readonly transportOf: (credentials: Credentials) => Transport;
  /** Version of the program. */
  readonly version: string;
  /** Host of this process, for the holder identity of the Lease. */
  readonly host: string;
  readonly states: ControllerStates;
  readonly electionState: ElectionState;
  /** `exit`: the process ends with the leadership. `campaign`: it has other tasks, and becomes a candidate again. */
  readonly whenLost: 'exit' | 'campaign';
  /** See `RunningParts`. */
  readonly pauses?: Pauses | undefined;
}

/**
 * Runs controllers, as the leader if there is an election, until the signal aborts and all their work has ended; then the
 * Lease is released. When the leadership is lost, rejects with a `StartError`, or becomes a candidate again: work that
 * continues a little longer cannot write, since its writes are fenced. Waits for a server that does not respond yet.
 */
export async function runManager(parts: ManagerParts, signal: AbortSignal): Promise<void> {
  const { env, controllers, election } = parts;
  if (election === undefined) {
    await work(parts, undefined, signal);
    return;
  }
  const elector = electorOf(parts, election);
  parts.electionState.observe(elector);
  const lead = (leadership: Leadership): Promise<void> =>
    Promise.race([work(parts, leadership, leadership.signal), overdue(leadership, env.clock)]);
  const lease = `${election.namespace}/${election.name}`;
  while ((await elector.run(lead, signal)) === 'lost') {
    if (parts.whenLost === 'exit') throw new StartError(`lost the lease ${lease}: another manager may lead`);
    env.log.warn('the controllers stop, and this process becomes a candidate again', { lease });
  }
  env.log.info('controllers have ended', { controllers: controllers.selected.length });
}

/** Maximum wait for work that continues after the loss of the leadership. Its writes are fenced. */
const OVERDUE_MS = 10_000;

/** Resolves some time after the leadership was lost, and never otherwise. */
const overdue = ({ signal }: Leadership, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    onAbort(signal, () => {
      if (signal.reason instanceof LeadershipLost) clock.schedule(OVERDUE_MS, resolve);
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

/** The work of the leader, or of a process without election. */
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
      pauses: parts.pauses,
    },
    signal,
  );
}
