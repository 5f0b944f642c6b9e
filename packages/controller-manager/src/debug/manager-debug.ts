import { createClient, type Transport } from '@orch/client';
import type { Env, LogVerbosity } from '@orch/machinery';
import { type BuildFacts, type OpsDebug, processDebug } from '@orch/program';
import type { ManagerSettings } from '../settings/manager-settings.ts';

export interface ManagerDebugHost {
  readonly env: Env;
  readonly verbosity: LogVerbosity;
  readonly build: BuildFacts;
}

/** The endpoints below `/debug` of a manager, and who may use them. */
export async function managerDebug(
  { names, flags }: Pick<ManagerSettings, 'names' | 'flags'>,
  { env, verbosity, build }: ManagerDebugHost,
  transport: Transport,
): Promise<OpsDebug> {
  // Loaded here, because it is needed with an ops port only.
  const { delegatedRefusal } = await import('./delegated-refusal.ts');
  const userAgent = `${names.programs.controllerManager}/${build.version} (debug)`;
  const client = createClient({ transport, names, env, userAgent });
  return {
    endpoints: processDebug({ env, verbosity, hasProfiles: flags.profiling }),
    refusal: delegatedRefusal(client, env.clock),
  };
}
