import type { Names } from '@orch/machinery';
import { account, type DeclaredRole, type DeclaredRule, gated, on, read, since, until } from './declare.ts';
import { laterControllers } from './later-controllers.ts';
import type { DefaultRbacOptions } from './user-roles.ts';

/** Volumes of some types have a service, which these releases let controllers read. */
const readsServices = since('1.32', on('get', 'core', 'services')).map((rule) => ({
  ...rule,
  until: '1.36',
}));

/** The permissions of each control loop, by the name of its service account. */
const rulesOf = (names: Names): Readonly<Record<string, readonly DeclaredRule[]>> => ({
  'attachdetach-controller': [
    on('list watch', 'core', 'persistentvolumeclaims persistentvolumes'),
    on(read, 'core', 'nodes'),
    on('patch update', 'core', 'nodes/status'),
    on('list watch', 'core', 'pods'),
    on('create patch update', 'core events', 'events'),
    on('create delete get list watch', 'storage', 'volumeattachments'),
    on(read, 'storage', 'csidrivers'),
    on(read, 'storage', 'csinodes'),
  ],
  'certificate-controller': [
    on('delete get list watch', 'certificates', 'certificatesigningrequests'),
    on('update', 'certificates', 'certificatesigningrequests/approval certificatesigningrequests/status'),
    on('approve', 'certificates', 'signers', [names.signers.apiserverClientNodeagent]),
    on('sign', 'certificates', 'signers', [
      names.signers.apiserverClient,
      names.signers.apiserverClientNodeagent,
      names.signers.nodeagentServing,
      names.signers.legacyUnknown,
    ]),
    on('create', 'authorization', 'subjectaccessreviews'),
    on('create patch update', 'core events', 'events'),
  ],
  'clusterrole-aggregation-controller': [on('escalate get list patch update watch', 'rbac', 'clusterroles')],
  'cronjob-controller': [
    on('get list update watch', 'batch', 'cronjobs'),
    on('create delete get list patch update watch', 'batch', 'jobs'),
    on('update', 'batch', 'cronjobs/status'),
    on('update', 'batch', 'cronjobs/finalizers'),
    ...until('1.32', on('delete list', 'core', 'pods')),
    ...since('1.32', on('delete list watch', 'core', 'pods')),
    on('create patch update', 'core events', 'events'),
  ],
  'daemon-set-controller': [
    on(read, 'apps extensions', 'daemonsets'),
    on('update', 'apps extensions', 'daemonsets/status'),
    on('update', 'apps extensions', 'daemonsets/finalizers'),
    on('list watch', 'core', 'nodes'),
    on('create delete list patch watch', 'core', 'pods'),
    on('create', 'core', 'pods/binding'),
    on('create delete get list patch update watch', 'apps', 'controllerrevisions'),
    on('create patch update', 'core events', 'events'),
  ],
  'deployment-controller': [
    on('get list update watch', 'apps extensions', 'deployments'),
    on('update', 'apps extensions', 'deployments/status'),
    on('update', 'apps extensions', 'deployments/finalizers'),
    on('create delete get list patch update watch', 'apps extensions', 'replicasets'),
    on('get list update watch', 'core', 'pods'),
    on('create patch update', 'core events', 'events'),
  ],
  'disruption-controller': [
    on(read, 'apps extensions', 'deployments'),
    on(read, 'apps extensions', 'replicasets'),
    on(read, 'core', 'replicationcontrollers'),
    on(read, 'policy', 'poddisruptionbudgets'),
    on(read, 'apps', 'statefulsets'),
    on('update', 'policy', 'poddisruptionbudgets/status'),
    ...since('1.31', on('patch update', 'core', 'pods/status')),
    on('get', '*', '*/scale'),
    on('create patch update', 'core events', 'events'),
    ...since('1.28', ...until('1.31', on('patch update', 'core', 'pods/status'))),
  ],
  'endpoint-controller': [
    on(read, 'core', 'pods services'),
    ...until('1.32', on('create delete get list update', 'core', 'endpoints')),
    ...since('1.32', on('create delete get list update watch', 'core', 'endpoints')),
    on('create', 'core', 'endpoints/restricted'),
    on('create patch update', 'core events', 'events'),
  ],
  'endpointslice-controller': [
    on(read, 'core', 'nodes pods services'),
    on('update', 'core', 'services/finalizers'),
    ...until('1.32', on('create delete get list update', 'discovery', 'endpointslices')),
    ...since('1.32', on('create delete get list update watch', 'discovery', 'endpointslices')),
    on('create patch update', 'core events', 'events'),
  ],
  'endpointslicemirroring-controller': [
    on(read, 'core', 'endpoints services'),
    on('update', 'core', 'services/finalizers'),
    on('update', 'core', 'endpoints/finalizers'),
    ...until('1.32', on('create delete get list update', 'discovery', 'endpointslices')),
    ...since('1.32', on('create delete get list update watch', 'discovery', 'endpointslices')),
    on('create patch update', 'core events', 'events'),
  ],
  'expand-controller': [
    on('get list patch update watch', 'core', 'persistentvolumes'),
    on('patch update', 'core', 'persistentvolumeclaims/status'),
    on(read, 'core', 'persistentvolumeclaims'),
    ...until(
      '1.32',
      on(read, 'storage', 'storageclasses'),
      on('get', 'core', 'endpoints services'),
      on('get', 'core', 'secrets'),
    ),
    on('create patch update', 'core events', 'events'),
    ...readsServices,
  ],
  'generic-garbage-collector': [
    on('delete get list patch update watch', '*', '*'),
    on('create patch update', 'core events', 'events'),
  ],
  'horizontal-pod-autoscaler': [
    on(read, 'autoscaling', 'horizontalpodautoscalers'),
    on('update', 'autoscaling', 'horizontalpodautoscalers/status'),
    on('get update', '*', '*/scale'),
    ...until('1.32', on('list', 'core', 'pods')),
    ...since('1.32', on('list watch', 'core', 'pods')),
    ...until('1.28', on('get', 'core', 'services/proxy', ['http:heapster:', 'https:heapster:'])),
    ...until('1.32', on('list', 'metrics', 'pods'), on('get list', 'customMetrics', '*')),
    ...since('1.24', ...until('1.32', on('get list', 'externalMetrics', '*'))),
    ...since(
      '1.32',
      on('list watch', 'metrics', 'pods'),
      on('get list watch', 'customMetrics', '*'),
      on('get list watch', 'externalMetrics', '*'),
    ),
    on('create patch update', 'core events', 'events'),
  ],
  'job-controller': [
    ...until('1.24', on('get list update watch', 'batch', 'jobs')),
    ...since('1.24', on('get list patch update watch', 'batch', 'jobs')),
    on('update', 'batch', 'jobs/status'),
    on('update', 'batch', 'jobs/finalizers'),
    on('create delete list patch watch', 'core', 'pods'),
    on('create patch update', 'core events', 'events'),
    ...until(
      '1.37',
      ...gated('WorkloadWithJob', '1.36', on('create get list watch', 'scheduling', 'podgroups workloads')),
    ),
    ...gated(
      'WorkloadWithJob',
      '1.37',
      on('create get list patch update watch', 'scheduling', 'podgroups workloads'),
    ),
  ],
  'namespace-controller': [
    on('delete get list watch', 'core', 'namespaces'),
    on('update', 'core', 'namespaces/finalize namespaces/status'),
    ...until('1.32', on('delete deletecollection get list', '*', '*')),
    ...since('1.32', on('delete deletecollection get list watch', '*', '*')),
  ],
  'node-controller': [
    ...until('1.32', on('delete get list patch update', 'core', 'nodes')),
    ...since('1.32', on('delete get list patch update watch', 'core', 'nodes')),
    on('patch update', 'core', 'nodes/status'),
    ...until('1.28', on('update', 'core', 'pods/status')),
    ...since('1.28', on('patch update', 'core', 'pods/status')),
    ...until('1.31', on('delete list', 'core', 'pods')),
    ...since('1.31', ...until('1.32', on('delete get list', 'core', 'pods'))),
    ...since('1.32', on('delete get list watch', 'core', 'pods')),
    ...since('1.28', ...until('1.30', on('create get list update', 'networking', 'clustercidrs'))),
    ...since('1.37', on(read, 'coordination', 'leases')),
    on('create patch update', 'core events', 'events'),
    ...since('1.28', ...until('1.31', on('get', 'core', 'pods'))),
  ],
  'persistent-volume-binder': [
    on('create delete get list update watch', 'core', 'persistentvolumes'),
    on('update', 'core', 'persistentvolumes/status'),
    on('get list update watch', 'core', 'persistentvolumeclaims'),
    on('update', 'core', 'persistentvolumeclaims/status'),
    on('create delete get list watch', 'core', 'pods'),
    on(read, 'storage', 'storageclasses'),
    ...until(
      '1.32',
      on('create delete get update', 'core', 'endpoints'),
      on('create delete get', 'core', 'services'),
      on('get', 'core', 'secrets'),
      on('get list', 'core', 'nodes'),
    ),
    ...until('1.32', on('watch', 'core', 'events')),
    ...since('1.32', on('list watch', 'core', 'nodes')),
    on('create patch update', 'core events', 'events'),
    ...since('1.32', on('watch', 'core', 'events')),
    ...readsServices,
  ],
  'pod-garbage-collector': [
    on('delete list watch', 'core', 'pods'),
    ...until('1.32', on('get list', 'core', 'nodes')),
    ...since('1.32', on('get list watch', 'core', 'nodes')),
    ...since('1.28', on('patch', 'core', 'pods/status')),
  ],
  'pv-protection-controller': [
    on('get list update watch', 'core', 'persistentvolumes'),
    on('create patch update', 'core events', 'events'),
  ],
  'pvc-protection-controller': [
    on('get list update watch', 'core', 'persistentvolumeclaims'),
    ...since('1.36', on('update', 'core', 'persistentvolumeclaims/status')),
    on(read, 'core', 'pods'),
    on('create patch update', 'core events', 'events'),
  ],
  'replicaset-controller': [
    on('get list update watch', 'apps extensions', 'replicasets'),
    on('update', 'apps extensions', 'replicasets/status'),
    on('update', 'apps extensions', 'replicasets/finalizers'),
    on('create delete list patch watch', 'core', 'pods'),
    on('create patch update', 'core events', 'events'),
  ],
  'replication-controller': [
    on('get list update watch', 'core', 'replicationcontrollers'),
    on('update', 'core', 'replicationcontrollers/status'),
    on('update', 'core', 'replicationcontrollers/finalizers'),
    on('create delete list patch watch', 'core', 'pods'),
    on('create patch update', 'core events', 'events'),
  ],
  'resourcequota-controller': [
    on('list watch', '*', '*'),
    on('update', 'core', 'resourcequotas/status'),
    on('create patch update', 'core events', 'events'),
  ],
  'root-ca-cert-publisher': [
    on('create update', 'core', 'configmaps'),
    on('create patch update', 'core events', 'events'),
  ],
  'route-controller': [
    on('list watch', 'core', 'nodes'),
    on('patch', 'core', 'nodes/status'),
    on('create patch update', 'core events', 'events'),
  ],
  'service-account-controller': [
    on('create', 'core', 'serviceaccounts'),
    on('create patch update', 'core events', 'events'),
  ],
  'service-controller': [
    on(read, 'core', 'services'),
    on('patch update', 'core', 'services/status'),
    on('list watch', 'core', 'nodes'),
    on('create patch update', 'core events', 'events'),
  ],
  'statefulset-controller': [
    on('list watch', 'core', 'pods'),
    on(read, 'apps', 'statefulsets'),
    on('update', 'apps', 'statefulsets/status'),
    on('update', 'apps', 'statefulsets/finalizers'),
    on('create delete get patch update', 'core', 'pods'),
    on('create delete get list patch update watch', 'apps', 'controllerrevisions'),
    ...until('1.28', on('create get', 'core', 'persistentvolumeclaims')),
    ...since('1.28', on('create get list watch', 'core', 'persistentvolumeclaims')),
    ...until('1.35', on('create patch update', 'core events', 'events')),
    ...gated(
      'StatefulSetAutoDeletePVC',
      '1.23',
      ...until('1.27', on('update', 'core', 'persistentvolumeclaims')),
    ),
    ...since(
      '1.28',
      on('delete update', 'core', 'persistentvolumeclaims'),
      on('update', 'core', 'pods/finalizers'),
    ),
    ...since('1.35', on('create patch update', 'core events', 'events')),
  ],
  'ttl-controller': [
    on('list patch update watch', 'core', 'nodes'),
    on('create patch update', 'core events', 'events'),
  ],
});

type Rules = Readonly<Record<string, readonly DeclaredRule[]>>;

/** The controller lists the metadata of objects and patches each; `*` includes the status of migrations and definitions. */
const storageMigrationRules: Rules = {
  'storage-version-migrator-controller': [
    on('list patch', '*', '*'),
    on('get', 'storagemigration', 'storageversionmigrations'),
    on('get', 'apiextensions', 'customresourcedefinitions'),
  ],
};

const podGroupRules: Rules = {
  'podgroup-protection-controller': [
    on('get list update watch', 'scheduling', 'podgroups'),
    on(read, 'core', 'pods'),
  ],
};

/** The roles of the control loops: each is bound to a separate service account. */
export function controllerRoles(
  names: Names,
  { storageMigrations, podGroups }: Pick<DefaultRbacOptions, 'storageMigrations' | 'podGroups'>,
): readonly DeclaredRole[] {
  const controllers: Rules = {
    ...rulesOf(names),
    ...(storageMigrations ? storageMigrationRules : {}),
    ...(podGroups ? podGroupRules : {}),
  };
  const roleOf = (name: string, rules: readonly DeclaredRule[]): DeclaredRole => ({
    name: `${names.clusterRoles.controllerPrefix}${name}`,
    rules,
    boundTo: [account(name)],
  });
  return [
    ...Object.entries(controllers).map(([name, rules]) => roleOf(name, rules)),
    ...laterControllers(names).flatMap(({ release, name, rules, ...gate }) =>
      since(release, { ...roleOf(name, rules), ...gate }),
    ),
  ];
}
