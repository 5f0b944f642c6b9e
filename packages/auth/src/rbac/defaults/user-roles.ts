import type { Names } from '@orch/machinery';
import {
  account,
  type DeclaredRole,
  type EmulatedRelease,
  gated,
  group,
  on,
  onPaths,
  read,
  since,
  until,
  user,
  write,
} from './declare.ts';

/** The differences between releases and servers. */
export interface DefaultRbacOptions extends EmulatedRelease {
  /** The server serves storage version migrations, which a controller executes. */
  readonly storageMigrations: boolean;
  /** The server serves PodGroups, whose finalizer a controller removes. */
  readonly podGroups: boolean;
  /** The server explains objects, permissions and requests to every user, within what the user may read (design 0017). */
  readonly explanations: boolean;
  /** The server names the resources without objects in a namespace, for the controller that deletes the content of namespaces. */
  readonly emptyResources: boolean;
}

const written =
  'configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy';

/** The roles for users and their programs. */
export const userRoles = (
  names: Names,
  { explanations, emptyResources }: Pick<DefaultRbacOptions, 'explanations' | 'emptyResources'>,
): readonly DeclaredRole[] => [
  {
    name: 'admin',
    madeOf: names.labels.aggregateToAdmin,
  },
  {
    name: 'cluster-admin',
    rules: [on('*', '*', '*'), onPaths('*', '*')],
    boundTo: [group(names.userGroups.masters)],
  },
  {
    name: 'edit',
    partOf: names.labels.aggregateToAdmin,
    madeOf: names.labels.aggregateToEdit,
  },
  {
    name: 'system:aggregate-to-admin',
    partOf: names.labels.aggregateToAdmin,
    rules: [
      on('create', 'authorization', 'localsubjectaccessreviews'),
      on('create delete deletecollection get list patch update watch', 'rbac', 'rolebindings roles'),
    ],
  },
  {
    name: 'system:aggregate-to-edit',
    partOf: names.labels.aggregateToEdit,
    rules: [
      on(read, 'core', 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
      on('impersonate', 'core', 'serviceaccounts'),
      on(write, 'core', 'pods pods/attach pods/exec pods/portforward pods/proxy'),
      ...since('1.24', on('create', 'core', 'pods/eviction')),
      // Roles for editing may no longer write Endpoints (access-control document, 5.13).
      ...until(
        '1.22',
        on(
          write,
          'core',
          'configmaps endpoints persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
        ),
      ),
      ...since('1.22', ...until('1.24', on(write, 'core', written))),
      ...since('1.24', ...until('1.35', on(write, 'core', written.replace(' ', ' events ')))),
      ...since('1.35', on(write, 'core', written)),
      ...since('1.24', on('create', 'core', 'serviceaccounts/token')),
      ...since('1.35', on(write, 'core events', 'events')),
      on(
        write,
        'apps',
        'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
      ),
      on(write, 'autoscaling', 'horizontalpodautoscalers'),
      on(write, 'batch', 'cronjobs jobs'),
      on(
        write,
        'extensions',
        'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
      ),
      on(write, 'policy', 'poddisruptionbudgets'),
      on(write, 'networking', 'ingresses networkpolicies'),
      ...since(
        '1.24',
        on('create delete deletecollection get list patch update watch', 'coordination', 'leases'),
      ),
      ...gated(
        'DynamicResourceAllocation',
        '1.33',
        ...since('1.34', on(write, 'resource', 'resourceclaims resourceclaimtemplates')),
      ),
      ...gated('GenericWorkload', '1.36', on(write, 'scheduling', 'podgroups workloads')),
      ...gated('CompositePodGroup', '1.37', on(write, 'scheduling', 'compositepodgroups')),
      ...gated('EvictionRequestAPI', '1.37', on(write, 'lifecycle', 'evictionrequests')),
    ],
  },
  {
    name: 'system:aggregate-to-view',
    partOf: names.labels.aggregateToView,
    rules: [
      on(
        read,
        'core',
        'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
      ),
      ...until(
        '1.35',
        on(
          read,
          'core',
          'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
        ),
      ),
      ...since(
        '1.35',
        on(
          read,
          'core',
          'bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
        ),
      ),
      on(read, 'core', 'namespaces'),
      ...since('1.35', on(read, 'core events', 'events')),
      ...since('1.24', on(read, 'discovery', 'endpointslices')),
      on(
        read,
        'apps',
        'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
      ),
      on(read, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
      on(read, 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
      on(
        read,
        'extensions',
        'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
      ),
      on(read, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
      on(read, 'networking', 'ingresses ingresses/status networkpolicies'),
      ...gated(
        'DynamicResourceAllocation',
        '1.33',
        ...since('1.34', on(read, 'resource', 'resourceclaims resourceclaims/status resourceclaimtemplates')),
      ),
      ...gated('GenericWorkload', '1.36', on(read, 'scheduling', 'podgroups podgroups/status workloads')),
      ...gated(
        'CompositePodGroup',
        '1.37',
        on(read, 'scheduling', 'compositepodgroups compositepodgroups/status'),
      ),
      ...gated('EvictionRequestAPI', '1.37', on(read, 'lifecycle', 'evictionrequests evictions')),
    ],
  },
  {
    name: 'system:auth-delegator',
    rules: [
      on('create', 'authentication', 'tokenreviews'),
      on('create', 'authorization', 'subjectaccessreviews'),
    ],
  },
  {
    name: 'system:basic-user',
    rules: [
      on('create', 'authorization', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
      ...since('1.27', on('create', 'authentication', 'selfsubjectreviews')),
    ],
    boundTo: [group(names.userGroups.authenticated)],
  },
  {
    name: 'system:discovery',
    rules: [
      onPaths(
        'get',
        '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/',
      ),
    ],
    boundTo: [group(names.userGroups.authenticated)],
  },
  ...(explanations
    ? [
        {
          name: 'system:explanation-viewer',
          rules: [onPaths('get', '/why/access /why/health /why/object /why/requests')],
          boundTo: [group(names.userGroups.authenticated)],
        },
      ]
    : []),
  ...(emptyResources
    ? [
        {
          name: 'system:empty-resource-viewer',
          rules: [onPaths('get', '/empty-resources')],
          boundTo: [user(names.users.controllerManager), account('namespace-controller')],
        },
      ]
    : []),
  {
    name: 'system:monitoring',
    rules: [
      ...until('1.28', onPaths('get', '/healthz /healthz/* /livez /livez/* /metrics /readyz /readyz/*')),
      ...since(
        '1.28',
        ...until(
          '1.36',
          onPaths('get', '/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*'),
        ),
      ),
      ...since(
        '1.36',
        onPaths(
          'get',
          '/flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz',
        ),
      ),
      ...since('1.34', on('get', 'core', 'nodes/metrics')),
      ...gated('ComponentFlagz', '1.32', ...until('1.36', onPaths('get', '/flagz'))),
      ...gated('ComponentStatusz', '1.32', ...until('1.36', onPaths('get', '/statusz'))),
    ],
    boundTo: [group(names.userGroups.monitoring)],
  },
  {
    name: 'system:public-info-viewer',
    rules: [onPaths('get', '/healthz /livez /readyz /version /version/')],
    boundTo: [group(names.userGroups.authenticated), group(names.userGroups.unauthenticated)],
  },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [
      ...until('1.28', onPaths('get', '/.well-known/openid-configuration /openid/v1/jwks')),
      ...since(
        '1.28',
        onPaths(
          'get',
          '/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/',
        ),
      ),
    ],
    boundTo: [group(names.userGroups.serviceAccounts)],
  },
  {
    name: 'system:cluster-trust-bundle-discovery',
    since: '1.37',
    gate: 'ClusterTrustBundle',
    gatedSince: '1.27',
    rules: [on(read, 'certificates', 'clustertrustbundles')],
    boundTo: [group(names.userGroups.serviceAccounts)],
  },
  {
    name: 'view',
    partOf: names.labels.aggregateToEdit,
    madeOf: names.labels.aggregateToView,
  },
];
