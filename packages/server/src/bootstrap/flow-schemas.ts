import type { Release } from '@orch/apis';
import type { Names } from '@orch/machinery';
import { formatTime } from '@orch/machinery/time';
import { danglingCondition } from '../flow-control/dangling-condition.ts';
import type { BootstrapObject } from './bootstrap-object.ts';

interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly [field: string]: unknown;
}

/** A flow schema: subjects, rules and priority level. */
interface Flow {
  readonly name: string;
  readonly level: string;
  readonly precedence: number;
  readonly by?: 'ByUser' | 'ByNamespace';
  readonly subjects: readonly Subject[];
  readonly resourceRules?: readonly object[];
  readonly nonResourceRules?: readonly object[];
  readonly mandatory?: true;
  readonly introduced?: Release;
  readonly removed?: Release;
}

const user = (name: string): Subject => ({ kind: 'User', user: { name } });
const group = (name: string): Subject => ({ kind: 'Group', group: { name } });
const account = (namespace: string, name: string): Subject => ({
  kind: 'ServiceAccount',
  serviceAccount: { namespace, name },
});

const anyResource = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
];
const everything = {
  resourceRules: anyResource,
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};
const electionVerbs = ['get', 'create', 'update'];

/** From this release on, the components of the system elect leaders with Leases only. */
const SYSTEM_LEASES_ONLY: Release = '1.24';
/** From this release on, leader election has only Leases as locks. */
const LEASES_ONLY: Release = '1.34';

const leaseElection = (names: Names) => ({
  verbs: electionVerbs,
  apiGroups: [names.group('coordination')],
  resources: ['leases'],
  namespaces: ['*'],
});

/** Requests of leader election, with locks in these namespaces. */
const election = (names: Names, namespace: string) => [
  {
    verbs: electionVerbs,
    apiGroups: [''],
    resources: ['endpoints', 'configmaps'],
    namespaces: [namespace],
  },
  leaseElection(names),
];

const everyUser = ({ userGroups }: Names) => [
  group(userGroups.unauthenticated),
  group(userGroups.authenticated),
];

const systemAccountsOf = ({ namespaces }: Names) => account(namespaces.system, '*');

/** Mandatory flows, and health probes. */
function generalFlows(names: Names): readonly Flow[] {
  const { userGroups } = names;
  const allUsers = everyUser(names);
  return [
    {
      name: 'exempt',
      level: 'exempt',
      precedence: 1,
      subjects: [group(userGroups.masters)],
      ...everything,
      mandatory: true,
    },
    {
      name: 'catch-all',
      level: 'catch-all',
      precedence: 10_000,
      by: 'ByUser',
      subjects: allUsers,
      ...everything,
      mandatory: true,
    },
    {
      name: 'probes',
      level: 'exempt',
      precedence: 2,
      subjects: allUsers,
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
      introduced: '1.21',
    },
  ];
}

/** Leader election, and endpoints. */
function electionFlows(names: Names): readonly Flow[] {
  const { users, namespaces } = names;
  const systemAccounts = systemAccountsOf(names);
  const systemElection: Flow = {
    name: 'system-leader-election',
    level: 'leader-election',
    precedence: 100,
    by: 'ByUser',
    subjects: [user(users.controllerManager), user(users.scheduler), systemAccounts],
  };
  return [
    { ...systemElection, resourceRules: election(names, namespaces.system), removed: SYSTEM_LEASES_ONLY },
    { ...systemElection, resourceRules: [leaseElection(names)], introduced: SYSTEM_LEASES_ONLY },
    {
      name: 'endpoint-controller',
      level: 'workload-high',
      precedence: 150,
      by: 'ByUser',
      subjects: [
        user(users.controllerManager),
        account(namespaces.system, 'endpoint-controller'),
        account(namespaces.system, 'endpointslicemirroring-controller'),
      ],
      resourceRules: [{ verbs: electionVerbs, apiGroups: [''], resources: ['endpoints'], namespaces: ['*'] }],
      introduced: '1.22',
      removed: LEASES_ONLY,
    },
    {
      name: 'workload-leader-election',
      level: 'leader-election',
      precedence: 200,
      by: 'ByUser',
      subjects: [systemAccounts],
      resourceRules: election(names, '*'),
      removed: LEASES_ONLY,
    },
  ];
}

/** Requests of nodes. */
function nodeFlows(names: Names): readonly Flow[] {
  const { userGroups } = names;
  return [
    {
      name: 'system-node-high',
      level: 'node-high',
      precedence: 400,
      by: 'ByUser',
      subjects: [group(userGroups.nodes)],
      resourceRules: [
        {
          verbs: ['*'],
          apiGroups: [''],
          resources: ['nodes', 'nodes/status'],
          clusterScope: true,
          namespaces: ['*'],
        },
        { verbs: ['*'], apiGroups: [names.group('coordination')], resources: ['leases'], namespaces: ['*'] },
      ],
      introduced: '1.21',
    },
    {
      name: 'system-nodes',
      level: 'system',
      precedence: 500,
      by: 'ByUser',
      subjects: [group(userGroups.nodes)],
      ...everything,
    },
  ];
}

/** Controllers, the scheduler, service accounts, and all others. */
function workloadFlows(names: Names): readonly Flow[] {
  const { users, userGroups, namespaces, programs } = names;
  const systemAccounts = systemAccountsOf(names);
  const allUsers = everyUser(names);
  return [
    {
      name: programs.controllerManager,
      level: 'workload-high',
      precedence: 800,
      by: 'ByNamespace',
      subjects: [user(users.controllerManager)],
      ...everything,
    },
    {
      name: programs.scheduler,
      level: 'workload-high',
      precedence: 800,
      by: 'ByNamespace',
      subjects: [user(users.scheduler)],
      ...everything,
    },
    {
      name: `${namespaces.system}-service-accounts`,
      level: 'workload-high',
      precedence: 900,
      by: 'ByNamespace',
      subjects: [systemAccounts],
      ...everything,
    },
    {
      name: 'service-accounts',
      level: 'workload-low',
      precedence: 9000,
      by: 'ByUser',
      subjects: [group(userGroups.serviceAccounts)],
      ...everything,
    },
    {
      name: 'global-default',
      level: 'global-default',
      precedence: 9900,
      by: 'ByUser',
      subjects: allUsers,
      ...everything,
    },
  ];
}

const flows = (names: Names): readonly Flow[] => [
  ...generalFlows(names),
  ...electionFlows(names),
  ...nodeFlows(names),
  ...workloadFlows(names),
];

function specOf({ level, precedence, by, subjects, resourceRules, nonResourceRules }: Flow): object {
  return {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence: precedence,
    ...(by === undefined ? {} : { distinguisherMethod: { type: by } }),
    rules: [
      {
        subjects,
        ...(resourceRules === undefined ? {} : { resourceRules }),
        ...(nonResourceRules === undefined ? {} : { nonResourceRules }),
      },
    ],
  };
}

/** The flow schemas of a new cluster. Their levels are created with them, so none is dangling. */
export function flowSchemas(
  names: Names,
  nowMs: number,
  has: (since?: Release) => boolean,
): readonly BootstrapObject[] {
  return flows(names)
    .filter(({ introduced, removed }) => has(introduced) && (removed === undefined || !has(removed)))
    .map((flow) => ({
      group: 'flowcontrol',
      resource: 'flowschemas',
      name: flow.name,
      content: {
        kind: 'FlowSchema',
        apiVersion: names.apiVersion('flowcontrol', 'v1beta3'),
        metadata: {},
        spec: specOf(flow),
      },
      status: {
        conditions: [danglingCondition(flow.level, true, formatTime(nowMs))],
      },
      whenPresent: flow.mandatory === true ? 'restore' : 'refresh',
    }));
}
