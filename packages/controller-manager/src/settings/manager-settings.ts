import { type Names, namesFor } from '@orch/machinery';
import { type HostPort, readHostPort } from '@orch/program';
import type { ManagerFlags } from '../flags/index.ts';
import { type ControllerSettings, controllerSettings, readFeatureGates } from './controller-settings.ts';
import { type ElectionSettings, electionSettings } from './election-settings.ts';

/** The validated flags of a controller manager. */
export interface ManagerSettings {
  readonly flags: ManagerFlags;
  readonly names: Names;
  readonly controllers: ControllerSettings;
  readonly election: ElectionSettings | undefined;
  readonly ops: HostPort | undefined;
}

/** Validates flags, and the files that they name. Throws `UsageError` and `StartError`. */
export function managerSettings(flags: ManagerFlags): ManagerSettings {
  const names = namesFor(flags.naming);
  return {
    flags,
    names,
    controllers: controllerSettings(flags, { names, gates: readFeatureGates(flags.featureGates) }),
    election: electionSettings(flags, names),
    ops: flags.opsBindAddress === '' ? undefined : readHostPort('ops-bind-address', flags.opsBindAddress),
  };
}
