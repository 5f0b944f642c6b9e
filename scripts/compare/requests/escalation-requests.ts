import type { Exchange } from '../exchange.ts';
import { group, local, rbac, refs, roleRef, roles, rules, subjects, user } from './limited-user.ts';
import { type RequestCase, sendAll, sendInOrder } from './request-case.ts';

const merge = 'application/merge-patch+json';
const labels = { metadata: { labels: { a: 'b' } } };
const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
const collections = [`${rbac}/clusterroles`, `${local}/roles`];
const bindings = [`${rbac}/clusterrolebindings`, `${local}/rolebindings`];

/** Lets a user with few permissions create, change and bind roles, as dry runs, and review what it may do. */
export async function compareEscalationRequests(exchange: Exchange): Promise<void> {
  exchange.begin('escalation');
  await sendInOrder(exchange, existing());
  await exchange.settled(`${rbac}/clusterroles/own`);
  await waitForRole(exchange);
  await sendAll(exchange, [
    ...collections.flatMap(roleRequests),
    ...bindings.flatMap(bindingRequests),
    ...accessRequests(),
    ...impersonations(),
  ]);
  await sendInOrder(exchange, [
    ...roles.flatMap(([name]) => collections.map((path) => ({ method: 'DELETE', path: `${path}/${name}` }))),
    { method: 'DELETE', path: `${rbac}/clusterrolebindings/own` },
    ...bindings.map((path) => ({ method: 'DELETE', path: `${path}/other` })),
  ]);
}

const existing = (): readonly RequestCase[] => [
  ...roles.flatMap(([name, given]) =>
    collections
      .filter((path) => name !== 'own' || path !== collections[1])
      .map((path) => ({ method: 'POST', path, body: { metadata: { name }, rules: given } })),
  ),
  {
    method: 'POST',
    path: `${rbac}/clusterrolebindings`,
    body: {
      metadata: { name: 'own' },
      roleRef: roleRef('ClusterRole', 'own'),
      subjects: [{ kind: 'User', name: 'limited', apiGroup: group }],
    },
  },
  ...bindings.map((path) => ({
    method: 'POST',
    path,
    body: { metadata: { name: 'other' }, roleRef: roleRef('ClusterRole', 'big'), subjects },
  })),
];

function roleRequests(collection: string): readonly RequestCase[] {
  const patch = (name: string, body: object, step: string): RequestCase => ({
    method: 'PATCH',
    path: `${collection}/${name}?dryRun=All`,
    contentType: merge,
    headers: user,
    body,
    step,
  });
  const create = (body: object, step: string): RequestCase => ({
    method: 'POST',
    path: `${collection}?dryRun=All`,
    headers: user,
    body: { metadata: { name: 'new' }, ...body },
    step,
  });
  return [
    ...rules.flatMap((given) => [
      create({ rules: given }, JSON.stringify(given)),
      ...['small', 'big', 'free'].flatMap((name) => [
        patch(name, { rules: given }, JSON.stringify(given)),
        {
          ...create({ metadata: { name }, rules: given }, JSON.stringify(given)),
          method: 'PUT',
          path: `${collection}/${name}?dryRun=All`,
        },
      ]),
    ]),
    patch('big', labels, 'labels alone'),
    create({ aggregationRule }, 'aggregation'),
    patch('small', { aggregationRule }, 'aggregation'),
    {
      ...patch('absent', {}, 'apply'),
      path: `${collection}/absent?dryRun=All&fieldManager=a`,
      contentType: 'application/apply-patch+yaml',
      body: {
        apiVersion: `${group}/v1`,
        kind: collection.endsWith('clusterroles') ? 'ClusterRole' : 'Role',
        metadata: { name: 'absent' },
        rules: roles[4]?.[1],
      },
    },
  ];
}

function bindingRequests(collection: string): readonly RequestCase[] {
  const patch = (body: object, step: string): RequestCase => ({
    method: 'PATCH',
    path: `${collection}/other?dryRun=All`,
    contentType: merge,
    headers: user,
    body,
    step,
  });
  return [
    ...refs.flatMap((ref) => [
      {
        method: 'POST',
        path: `${collection}?dryRun=All`,
        headers: user,
        body: { metadata: { name: 'new' }, roleRef: ref, subjects },
        step: JSON.stringify(ref),
      },
      patch({ roleRef: ref }, JSON.stringify(ref)),
      { ...patch({ roleRef: ref }, `admin ${JSON.stringify(ref)}`), headers: {} },
    ]),
    patch({ subjects: [...subjects, ...subjects, { kind: 'Foo', name: '' }] }, 'subjects'),
    patch(labels, 'labels alone'),
  ];
}

const accessRequests = (): readonly RequestCase[] => [
  {
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
    headers: user,
    body: { spec: { namespace: 'default' } },
  },
  ...[
    '/api/v1/nodes',
    '/api/v1/namespaces/default/pods',
    '/api/v1/namespaces/default/pods/a',
    '/api/v1/pods/a',
    '/metrics',
    '/healthz/x',
    '/foo',
    '/api/v1/namespaces/default/secrets/a',
    '/api/v1/namespaces/default/secrets/c',
    '/api/v1/watch/nodes?timeoutSeconds=1',
    '/apis/apps/v1/namespaces/default/deployments/x',
    '/apis/a/v1/b',
  ].flatMap((path) =>
    ['GET', 'DELETE', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'FOO']
      .filter((method) => path !== '/metrics' || method !== 'GET')
      .map((method) => ({ method, path, headers: user })),
  ),
];

const impersonations = (): readonly RequestCase[] =>
  (
    [
      { 'impersonate-user': '' },
      { 'impersonate-group': 'x' },
      { 'impersonate-uid': 'x' },
      { 'impersonate-user': 'a', 'impersonate-group': '' },
      { 'impersonate-user': 'system:serviceaccount:default:x' },
      { 'impersonate-user': 'system:serviceaccount:default' },
      { 'impersonate-user': 'a', 'impersonate-extra-x': 'y' },
      { 'impersonate-user': 'a', 'impersonate-extra-': 'y' },
      { 'impersonate-user': 'a', 'impersonate-extra-%41': 'y' },
      { 'impersonate-user': 'system:anonymous' },
    ] as readonly Readonly<Record<string, string>>[]
  ).map((headers) => ({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    headers,
    body: {},
    step: JSON.stringify(headers),
  }));

/** Waits until both servers let the user read what its role permits: they read new roles a moment later. */
async function waitForRole(exchange: Exchange): Promise<void> {
  const path = '/api/v1/namespaces/default/pods';
  for (;;) {
    const { reference, server } = await exchange.send('GET', path, { headers: user, project: () => 'pods' });
    if ([reference, server].every((body) => JSON.stringify(body).includes('PodList'))) return;
  }
}
