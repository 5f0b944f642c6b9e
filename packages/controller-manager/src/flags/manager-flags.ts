import { namesFor, namings } from '@orch/machinery';
import {
  choiceFlag,
  durationFlag,
  type FlagValues,
  listFlag,
  switchFlag,
  textFlag,
  wholeFlag,
} from '@orch/program';
import { controllerFlags } from './controller-flags.ts';

const second = 1000;

const general = (name: string, help: string) => ({ name, help, section: 'General' });
const leader = (name: string, help: string) => ({ name, help, section: 'Leader election' });

/** Every flag of the controller manager: name, type, default, help. Nothing else knows them. */
export const managerFlags = {
  clientConfig: textFlag({
    ...general(
      'client-config',
      'Client configuration file: where the API server is, and who the manager is to it. Within a cluster the files that every pod has are used when empty.',
    ),
    alias: namesFor('kubernetes').flag('client-config'),
  }),
  naming: choiceFlag(
    general('naming', 'Which identifiers the API server uses; has to be what is said to the API server.'),
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
    general(
      'feature-gates',
      'Features to switch, as Name=true|false; what is not said follows the API server.',
    ),
  ),
  config: textFlag(general('config', 'YAML file with values for flags; flags on the command line win.')),
  verbosity: wholeFlag(general('v', 'How much is logged: 0 is what operators need, 5 is everything.'), 0, {
    least: 0,
    most: 10,
  }),
  help: switchFlag(general('help', 'Print this help and exit.')),
  version: switchFlag(general('version', 'Print the version and exit.')),

  leaderElect: switchFlag(
    leader('leader-elect', 'Whether only one of several managers works, and another one when it is gone.'),
    true,
  ),
  leaseDuration: durationFlag(
    leader('leader-elect-lease-duration', 'How long others wait for a leader that is not heard of any more.'),
    15 * second,
  ),
  renewDeadline: durationFlag(
    leader(
      'leader-elect-renew-deadline',
      'How long a leader that cannot renew goes on before it gives up; less than the lease lasts.',
    ),
    10 * second,
  ),
  retryPeriod: durationFlag(
    leader('leader-elect-retry-period', 'How long to wait between two attempts to lead, or to renew.'),
    2 * second,
  ),
  leaderResourceLock: choiceFlag(
    leader('leader-elect-resource-lock', 'Kind of the object that says who leads.'),
    ['leases'],
    'leases',
  ),
  leaderResourceName: textFlag(
    leader('leader-elect-resource-name', 'Name of that object; the name of this program when empty.'),
  ),
  leaderResourceNamespace: textFlag(
    leader('leader-elect-resource-namespace', 'Namespace of that object; the one of the system when empty.'),
  ),
  ...controllerFlags,
} as const;

export type ManagerFlags = FlagValues<typeof managerFlags>;
