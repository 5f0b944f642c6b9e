import type { Names } from '@orch/machinery';
import { type DeclaredRole, group, on, onPaths, read, write } from './declare.ts';

/** The differences between releases. */
export interface DefaultRbacOptions {
  /** Roles for editing may write Endpoints: no more since release 1.22 (access-control document, 5.13). */
  readonly writeEndpoints: boolean;
  /** Every user may create self subject reviews: since release 1.27. */
  readonly selfReviews: boolean;
  /** Jobs may have a time to live after they finish: since release 1.21; a controller deletes them. */
  readonly expiringJobs: boolean;
  /** The server serves storage version migrations, which a controller executes. */
  readonly storageMigrations: boolean;
  /** The server explains objects, permissions and requests to every user, within what the user may read (design 0017). */
  readonly explanations: boolean;
}

/** The roles for users and their programs. */
export const userRoles = (
  names: Names,
  { writeEndpoints, selfReviews, explanations }: DefaultRbacOptions,
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
      on(
        write,
        'core',
        `configmaps${writeEndpoints ? ' endpoints' : ''} persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy`,
      ),
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
      on(
        read,
        'core',
        'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
      ),
      on(read, 'core', 'namespaces'),
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
      ...(selfReviews ? [on('create', 'authentication', 'selfsubjectreviews')] : []),
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
          rules: [onPaths('get', '/why/access /why/object /why/requests')],
          boundTo: [group(names.userGroups.authenticated)],
        },
      ]
    : []),
  {
    name: 'system:monitoring',
    rules: [onPaths('get', '/healthz /healthz/* /livez /livez/* /metrics /readyz /readyz/*')],
    boundTo: [group(names.userGroups.monitoring)],
  },
  {
    name: 'system:public-info-viewer',
    rules: [onPaths('get', '/healthz /livez /readyz /version /version/')],
    boundTo: [group(names.userGroups.authenticated), group(names.userGroups.unauthenticated)],
  },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [onPaths('get', '/.well-known/openid-configuration /openid/v1/jwks')],
    boundTo: [group(names.userGroups.serviceAccounts)],
  },
  {
    name: 'view',
    partOf: names.labels.aggregateToEdit,
    madeOf: names.labels.aggregateToView,
  },
];
