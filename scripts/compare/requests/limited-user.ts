export const rbac = '/apis/rbac.authorization.k8s.io/v1';
export const group = 'rbac.authorization.k8s.io';
export const user = { 'impersonate-user': 'limited' };

const rule = (apiGroups: readonly string[], resources: readonly string[], verbs: readonly string[]) => ({
  apiGroups,
  resources,
  verbs,
});
/** What the limited user may do itself. */
const own = [
  {
    apiGroups: [group],
    resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
    verbs: ['create', 'update', 'patch', 'get', 'delete'],
  },
  rule([''], ['pods', 'pods/log'], ['get', 'list']),
  rule(['apps'], ['*'], ['get']),
  rule([''], ['*/status'], ['get']),
  { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get'] },
  { nonResourceURLs: ['/metrics', '/healthz/*'], verbs: ['get'] },
  { apiGroups: [group], resources: ['clusterroles'], resourceNames: ['bindable'], verbs: ['bind'] },
  { apiGroups: [group], resources: ['clusterroles', 'roles'], resourceNames: ['free'], verbs: ['escalate'] },
];
export const rules: readonly (readonly object[])[] = [
  [],
  [rule([''], ['pods'], ['get'])],
  [rule([''], ['pods'], ['get', 'list', 'watch'])],
  [rule([''], ['pods'], ['*'])],
  [rule(['*'], ['pods'], ['get'])],
  [rule([''], ['*'], ['get'])],
  [rule([''], ['pods/log'], ['get'])],
  [rule([''], ['pods/exec'], ['get'])],
  [rule([''], ['pods/*'], ['get'])],
  [rule([''], ['pods/status'], ['get'])],
  [rule([''], ['*/status'], ['get'])],
  [rule(['apps'], ['deployments', 'deployments/scale'], ['get'])],
  [rule(['apps'], ['*'], ['get'])],
  [rule(['apps', ''], ['pods'], ['get'])],
  [rule(['apps', ''], ['pods', 'deployments'], ['get'])],
  [{ ...rule([''], ['secrets'], ['get']), resourceNames: ['a'] }],
  [{ ...rule([''], ['secrets'], ['get']), resourceNames: ['a', 'b'] }],
  [{ ...rule([''], ['secrets'], ['get']), resourceNames: ['c'] }],
  [{ ...rule([''], ['secrets'], ['get']), resourceNames: [''] }],
  [rule([''], ['secrets'], ['get'])],
  [{ ...rule([''], ['pods'], ['get']), resourceNames: ['x'] }],
  [rule([''], ['pods'], ['get']), rule([''], ['nodes'], ['get'])],
  [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  [{ nonResourceURLs: ['/metrics/*'], verbs: ['get'] }],
  [{ nonResourceURLs: ['/healthz/a'], verbs: ['get'] }],
  [{ nonResourceURLs: ['/healthz/a*'], verbs: ['get'] }],
  [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }],
  [{ nonResourceURLs: ['*'], verbs: ['get'] }],
  [{ nonResourceURLs: ['/healthz/*'], verbs: ['get', 'post'] }],
  [{ nonResourceURLs: ['/healthz/*'], resources: ['pods'], apiGroups: [''], verbs: ['get'] }],
  [rule([], [], ['get'])],
  [rule([''], ['pods'], [])],
  [rule(['*'], ['*'], ['*'])],
];

export const subjects = [{ kind: 'User', name: 'x', apiGroup: group }];
export const roleRef = (kind: string, name: string) => ({ apiGroup: group, kind, name });
export const refs = [
  ...[
    'bindable',
    'admin',
    'view',
    'absent',
    'own',
    'small',
    'big',
    'system:basic-user',
    'system:discovery',
  ].map((name) => roleRef('ClusterRole', name)),
  ...['small', 'big', 'absent'].map((name) => roleRef('Role', name)),
  { apiGroup: '', kind: 'ClusterRole', name: 'small' },
  { apiGroup: group, kind: 'Foo', name: 'small' },
  { apiGroup: group, kind: 'ClusterRole', name: '' },
  { kind: 'ClusterRole', name: 'small' },
];
export const local = `${rbac}/namespaces/default`;

const [small, big] = [[rule([''], ['pods'], ['get'])], [rule([''], ['nodes'], ['get'])]];

/** Roles that exist, each as a role of the cluster and of the namespace: only the first is that of the user. */
export const roles: readonly (readonly [string, readonly object[]])[] = [
  ['own', own],
  ['bindable', big],
  ['free', small],
  ['small', small],
  ['big', big],
];
