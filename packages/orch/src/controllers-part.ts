import { hostname } from 'node:os';
import type { LocalHealth, LoopbackTransport, OwnSecrets, Settings } from '@orch/apiserver';
import { type Credentials, measuredTransport, type Transport } from '@orch/client';
import {
  ControllerStates,
  controllerSettings,
  currentContent,
  defaultElection,
  ElectionState,
  fixedContent,
  type Pauses,
  readFeatureGates,
  runManager,
} from '@orch/controller-manager';
import type { ControllerFlags } from '@orch/controller-manager/flags';
import type { Env } from '@orch/machinery';
import { localTransport, loopbackCredentials } from './local-transport.ts';

/** The dependencies of the controllers of this process. */
export interface ControllersPart {
  readonly env: Env;
  readonly settings: Settings;
  readonly flags: ControllerFlags;
  /** Version of the program. */
  readonly version: string;
  readonly server: { readonly loopback: LoopbackTransport; readonly own: OwnSecrets };
  /** See `ControllerOptions`: a shorter time where this process has the only API server. */
  readonly namespace?: { readonly finalizeDelayMs: number; readonly isServerIdle?: () => boolean };
  /** See `ControllerOptions`: shorter delays in tests. */
  readonly jobs?: { readonly backoffMs?: number; readonly batchMs?: number };
  /** Lets a test control plane end the work of the controllers for a reset. */
  readonly pauses?: Pauses;
  /** Called once at the start, with the health of the controllers, and their states. */
  readonly onHealth: (health: () => LocalHealth, states: ControllerStates) => void;
}

const gatesOf = ({ flags }: Settings) => readFeatureGates(flags.featureGates);

/** Validates flags, and the files that they name. Throws `UsageError` and `StartError`. */
export const checkControllerFlags = (flags: ControllerFlags, settings: Settings): void =>
  void controllerSettings(flags, { names: settings.names, gates: gatesOf(settings) });

/**
 * Runs controllers against the server in the same process until the signal aborts. Keys and authorities without flags
 * are those of the server. The embedded store has a single process and needs no leader election; on etcd the processes
 * elect a leader, and one that has lost its Lease becomes a candidate again.
 */
export async function runControllers(part: ControllersPart, signal: AbortSignal): Promise<void> {
  const { env, settings, flags, version, server } = part;
  const { names } = settings;
  const { loopback, own } = server;
  const controllers = controllerSettings(
    flags,
    { names, gates: gatesOf(settings) },
    {
      authority: {
        cert: fixedContent(
          'the certificate of the client authority of this server',
          own.clientAuthority.cert,
        ),
        key: fixedContent('the key of the client authority of this server', own.clientAuthority.key),
      },
      ...(part.namespace !== undefined && { namespace: part.namespace }),
      ...(part.jobs !== undefined && { jobs: part.jobs }),
      rootCa: fixedContent('the authority of serving certificates of this server', own.servingCa),
      ...(own.tokenKey !== undefined && {
        serviceAccountKey: currentContent('the key that the server signs tokens with', () => own.tokenKey),
      }),
    },
  );
  const transportAs = (credentials: Credentials): Transport =>
    measuredTransport(localTransport(loopback, credentials), { ...env, host: 'loopback' });
  const states = new ControllerStates(controllers.selected.map(({ name }) => name));
  part.onHealth(() => healthOf(states), states);
  await runManager(
    {
      env,
      controllers,
      election: settings.storage === 'etcd' ? defaultElection(names) : undefined,
      transport: transportAs(loopbackCredentials(loopback)),
      transportOf: transportAs,
      version,
      host: hostname(),
      states,
      electionState: new ElectionState(),
      // The API server of this process continues to run.
      whenLost: 'campaign',
      pauses: part.pauses,
    },
    signal,
  );
}

function healthOf(states: ControllerStates): LocalHealth {
  const failed = states.failed();
  return failed.length === 0
    ? { healthy: true, text: 'ok' }
    : { healthy: false, text: `failed controllers: ${failed.join(', ')}` };
}
