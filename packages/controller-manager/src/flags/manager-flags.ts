import { namesFor, namings } from '@orch/machinery';
import {
  choiceFlag,
  durationFlag,
  type FlagValues,
  listFlag,
  logFormatFlag,
  switchFlag,
  textFlag,
  wholeFlag,
} from '@orch/program';
import { controllerFlags } from './controller-flags.ts';

const SECOND_MS = 1000;

const general = (name: string, help: string) => ({ name, help, section: 'General' });
const leader = (name: string, help: string) => ({ name, help, section: 'Leader election' });

/** Every flag of the controller manager: name, type, default and help. */
export const managerFlags = {
  clientConfig: textFlag({
    ...general(
      'client-config',
      'Client configuration file with the address of the API server and the credentials of the manager. When empty, the in-cluster configuration is used.',
    ),
    alias: namesFor('kubernetes').flag('client-config'),
  }),
  naming: choiceFlag(
    general('naming', 'Identifiers of the API; must match the setting of the API server.'),
    namings,
    'orch',
  ),
  opsBindAddress: textFlag(
    general(
      'ops-bind-address',
      'Address and port for health and metrics over plain HTTP without credentials, such as 127.0.0.1:8081; port 0 picks a free one. None when empty.',
    ),
  ),
  featureGates: listFlag(
    general('feature-gates', 'Feature gates as Name=true|false; the others follow the API server.'),
  ),
  config: textFlag(
    general('config', 'YAML file with values for flags; flags on the command line take precedence.'),
  ),
  verbosity: wholeFlag(general('v', 'Log verbosity: 0 for operators, 5 with everything.'), 0, {
    least: 0,
    most: 10,
  }),
  logFormat: logFormatFlag,
  profiling: switchFlag(general('profiling', 'Serve CPU and heap profiles below /debug/profile.'), true),
  help: switchFlag(general('help', 'Print this help and exit.')),
  version: switchFlag(general('version', 'Print the version and exit.')),

  leaderElect: switchFlag(
    leader(
      'leader-elect',
      'Elect a leader: only one of several managers is active, and another takes over when it fails.',
    ),
    true,
  ),
  leaseDuration: durationFlag(
    leader(
      'leader-elect-lease-duration',
      'How long candidates wait after the last observed renewal before they take over.',
    ),
    15 * SECOND_MS,
  ),
  renewDeadline: durationFlag(
    leader(
      'leader-elect-renew-deadline',
      'How long a leader retries renewals before it stops leading; less than the lease duration.',
    ),
    10 * SECOND_MS,
  ),
  retryPeriod: durationFlag(
    leader('leader-elect-retry-period', 'Interval between attempts to acquire or renew the lease.'),
    2 * SECOND_MS,
  ),
  leaderResourceLock: choiceFlag(
    leader('leader-elect-resource-lock', 'Resource of the lock object.'),
    ['leases'],
    'leases',
  ),
  leaderResourceName: textFlag(
    leader('leader-elect-resource-name', 'Name of the lock object; the name of this program when empty.'),
  ),
  leaderResourceNamespace: textFlag(
    leader(
      'leader-elect-resource-namespace',
      'Namespace of the lock object; the system namespace when empty.',
    ),
  ),
  ...controllerFlags,
} as const;

export type ManagerFlags = FlagValues<typeof managerFlags>;
