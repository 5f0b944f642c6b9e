import type { Names } from '@orch/machinery';
import {
  account,
  type DeclaredRole,
  type DeclaredRule,
  gated,
  on,
  read,
  since,
  until,
  user,
} from './declare.ts';

const SYSTEM = 'system:';

const readUpdate = 'get list patch update watch';
const DRA = 'DynamicResourceAllocation';

/** What the scheduler needs to allocate devices: the kinds of the feature have changed in each release of its first stage. */
const allocatesDevices: readonly DeclaredRule[] = [
  ...gated(DRA, '1.27', ...until('1.30', on(read, 'resource', 'resourceclaims resourceclasses'))),
  ...gated(DRA, '1.30', ...until('1.31', on(read, 'resource', 'resourceclasses'))),
  ...gated(DRA, '1.31', ...since('1.34', on(read, 'resource', 'deviceclasses'))),
  ...gated(DRA, '1.30', ...since('1.34', on(readUpdate, 'resource', 'resourceclaims'))),
  ...gated(DRA, '1.27', ...since('1.34', on(readUpdate, 'resource', 'resourceclaims/status'))),
  ...gated(
    DRA,
    '1.27',
    ...until(
      '1.32',
      on('create delete deletecollection get list patch update watch', 'resource', 'podschedulingcontexts'),
      on(read, 'resource', 'podschedulingcontexts/status'),
    ),
  ),
  ...gated(DRA, '1.30', ...until('1.34', on(readUpdate, 'core', 'pods/finalizers'))),
  ...gated(DRA, '1.34', ...since('1.34', on('update', 'core', 'pods/finalizers'))),
  ...gated(
    DRA,
    '1.30',
    ...until('1.31', on(read, 'resource', 'resourceclaimparameters resourceclassparameters resourceslices')),
  ),
  ...gated(DRA, '1.31', ...since('1.34', on(read, 'resource', 'resourceslices'))),
  ...gated(
    'DRAExtendedResource',
    '1.34',
    ...since('1.36', on('create delete', 'resource', 'resourceclaims')),
  ),
  ...gated(DRA, '1.33', ...until('1.34', on(read, 'resource', 'devicetaintrules'))),
  ...gated('DRADeviceTaints', '1.34', ...until('1.35', on(read, 'resource', 'devicetaintrules'))),
  ...gated('DRADeviceTaintRules', '1.35', ...since('1.37', on(read, 'resource', 'devicetaintrules'))),
];

/** The roles of the programs that make up a cluster. */
export const componentRoles = (names: Names): readonly DeclaredRole[] => [
  {
    name: names.clusterRoles.csrNodeclient,
    rules: [on('create', 'certificates', 'certificatesigningrequests/nodeclient')],
  },
  {
    name: names.clusterRoles.csrSelfnodeclient,
    rules: [on('create', 'certificates', 'certificatesigningrequests/selfnodeclient')],
  },
  {
    name: names.clusterRoles.csrApiserverClientApprover,
    rules: [on('approve', 'certificates', 'signers', [names.signers.apiserverClient])],
  },
  {
    name: names.clusterRoles.csrApiserverClientNodeagentApprover,
    rules: [on('approve', 'certificates', 'signers', [names.signers.apiserverClientNodeagent])],
  },
  {
    name: names.clusterRoles.csrNodeagentServingApprover,
    rules: [on('approve', 'certificates', 'signers', [names.signers.nodeagentServing])],
  },
  {
    name: names.clusterRoles.csrLegacyUnknownApprover,
    rules: [on('approve', 'certificates', 'signers', [names.signers.legacyUnknown])],
  },
  {
    name: 'system:heapster',
    rules: [on(read, 'core', 'events namespaces nodes pods'), on(read, 'extensions', 'deployments')],
  },
  {
    name: names.clusterRoles.aggregator,
    rules: [on(read, 'core', 'endpoints services')],
  },
  {
    name: names.clusterRoles.controllerManager,
    rules: [
      on('create patch update', 'core events', 'events'),
      on('create', 'coordination', 'leases'),
      on('get update', 'coordination', 'leases', [names.programs.controllerManager]),
      ...until(
        '1.28',
        on('create', 'core', 'endpoints'),
        on('get update', 'core', 'endpoints', [names.programs.controllerManager]),
      ),
      on('create', 'core', 'secrets serviceaccounts'),
      on('delete', 'core', 'secrets'),
      on('get', 'core', 'configmaps namespaces secrets serviceaccounts'),
      on('update', 'core', 'secrets serviceaccounts'),
      on('create', 'authentication', 'tokenreviews'),
      on('create', 'authorization', 'subjectaccessreviews'),
      on('list watch', '*', '*'),
      on('create', 'core', 'serviceaccounts/token'),
    ],
    boundTo: [user(names.users.controllerManager)],
  },
  {
    name: names.clusterRoles.dns,
    rules: [on('list watch', 'core', 'endpoints services')],
    boundTo: [account(names.clusterRoles.dns.slice(SYSTEM.length))],
  },
  {
    name: names.clusterRoles.scheduler,
    rules: [
      on('create patch update', 'core events', 'events'),
      on('create', 'coordination', 'leases'),
      ...until('1.31', on('get update', 'coordination', 'leases', [names.programs.scheduler])),
      ...since(
        '1.31',
        on('get list update watch', 'coordination', 'leases', [names.programs.scheduler]),
        on('create delete deletecollection get list patch update watch', 'coordination', 'leasecandidates'),
      ),
      ...until(
        '1.28',
        on('create', 'core', 'endpoints'),
        on('get update', 'core', 'endpoints', [names.programs.scheduler]),
      ),
      on(read, 'core', 'nodes'),
      on('delete get list watch', 'core', 'pods'),
      on('create', 'core', 'bindings pods/binding'),
      on('patch update', 'core', 'pods/status'),
      on(read, 'core', 'replicationcontrollers services'),
      on(read, 'apps extensions', 'replicasets'),
      on(read, 'apps', 'statefulsets'),
      on(read, 'policy', 'poddisruptionbudgets'),
      on(read, 'core', 'persistentvolumeclaims persistentvolumes'),
      on('create', 'authentication', 'tokenreviews'),
      on('create', 'authorization', 'subjectaccessreviews'),
      on(read, 'storage', 'csinodes'),
      ...since('1.32', on(read, 'storage', 'volumeattachments')),
      ...since(
        '1.24',
        on(read, 'core', 'namespaces'),
        on(read, 'storage', 'csidrivers'),
        on(read, 'storage', 'csistoragecapacities'),
      ),
      ...allocatesDevices,
      ...since('1.36', on('patch update', 'resource', 'resourceclaims/binding')),
      ...gated('GenericWorkload', '1.35', ...until('1.36', on(read, 'scheduling', 'workloads'))),
      ...gated(
        'GenericWorkload',
        '1.36',
        on(read, 'scheduling', 'podgroups'),
        on('patch update', 'scheduling', 'podgroups/status'),
      ),
      ...gated(
        'CompositePodGroup',
        '1.37',
        on(read, 'scheduling', 'compositepodgroups'),
        on('patch update', 'scheduling', 'compositepodgroups/status'),
      ),
    ],
    boundTo: [user(names.users.scheduler)],
  },
  {
    name: names.clusterRoles.nodeagentApiAdmin,
    rules: [
      on(read, 'core', 'nodes'),
      on('proxy', 'core', 'nodes'),
      ...until('1.28', on('*', 'core', 'nodes/log nodes/metrics nodes/proxy nodes/spec nodes/stats')),
      ...since('1.28', on('*', 'core', 'nodes/log nodes/metrics nodes/proxy nodes/stats')),
      ...gated(
        'NodeagentFineGrainedAuthz',
        '1.32',
        ...since('1.33', on('*', 'core', 'nodes/configz nodes/healthz nodes/pods')),
      ),
    ],
  },
  {
    name: 'system:node',
    rules: [
      on('create', 'authentication', 'tokenreviews'),
      on('create', 'authorization', 'localsubjectaccessreviews subjectaccessreviews'),
      on(read, 'core', 'services'),
      on('create get list watch', 'core', 'nodes'),
      on('patch update', 'core', 'nodes/status'),
      on('patch update', 'core', 'nodes'),
      ...until('1.35', on('create patch update', 'core', 'events')),
      ...since('1.35', on('create patch update', 'core events', 'events')),
      on(read, 'core', 'pods'),
      on('create delete', 'core', 'pods'),
      on('patch update', 'core', 'pods/status'),
      on('create', 'core', 'pods/eviction'),
      on(read, 'core', 'configmaps secrets'),
      on('get', 'core', 'persistentvolumeclaims persistentvolumes'),
      on('get', 'core', 'endpoints'),
      on('create get list watch', 'certificates', 'certificatesigningrequests'),
      on('create delete get patch update', 'coordination', 'leases'),
      on('get', 'storage', 'volumeattachments'),
      on('create', 'core', 'serviceaccounts/token'),
      on('get patch update', 'core', 'persistentvolumeclaims/status'),
      on(read, 'storage', 'csidrivers'),
      on('create delete get patch update', 'storage', 'csinodes'),
      on(read, 'node', 'runtimeclasses'),
      ...gated(DRA, '1.26', ...since('1.34', on('get', 'resource', 'resourceclaims'))),
      ...gated(DRA, '1.31', ...since('1.34', on('deletecollection', 'resource', 'resourceslices'))),
      ...gated(
        'NodeagentServiceAccountTokenForCredentialProviders',
        '1.33',
        ...since('1.34', on('get', 'core', 'serviceaccounts')),
      ),
    ],
    boundTo: [],
  },
  {
    name: 'system:node-bootstrapper',
    rules: [on('create get list watch', 'certificates', 'certificatesigningrequests')],
  },
  {
    name: 'system:node-problem-detector',
    rules: [
      on('get', 'core', 'nodes'),
      on('patch', 'core', 'nodes/status'),
      on('create patch update', 'core events', 'events'),
    ],
  },
  {
    name: 'system:node-proxier',
    rules: [
      on('list watch', 'core', 'endpoints services'),
      on(read, 'core', 'nodes'),
      on('create patch update', 'core events', 'events'),
      ...gated(
        'MultiCIDRServiceAllocator',
        '1.30',
        ...since('1.33', on('list watch', 'networking', 'servicecidrs')),
      ),
      on('list watch', 'discovery', 'endpointslices'),
    ],
    boundTo: [user(names.users.proxy)],
  },
  {
    name: 'system:persistent-volume-provisioner',
    rules: [
      on('create delete get list watch', 'core', 'persistentvolumes'),
      on('get list update watch', 'core', 'persistentvolumeclaims'),
      on(read, 'storage', 'storageclasses'),
      on('watch', 'core', 'events'),
      on('create patch update', 'core events', 'events'),
    ],
  },
  {
    name: names.clusterRoles.volumeScheduler,
    rules: [
      on('get list patch update watch', 'core', 'persistentvolumes'),
      on(read, 'storage', 'storageclasses'),
      on('get list patch update watch', 'core', 'persistentvolumeclaims'),
    ],
    boundTo: [user(names.users.scheduler)],
  },
];
