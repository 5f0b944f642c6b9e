import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answered } from '@orch/registry/testing';
import { type ApiFixture, openWithRbac } from '../testing/index.ts';

const root = { headers: { 'x-user': 'root', 'x-groups': 'system:masters' } };
const jane = { headers: { 'x-user': 'jane', 'x-groups': 'devs,system:authenticated' } };
const api = 'rbac.authorization.orch.io';
const base = `/apis/${api}/v1`;
const inNs = `${base}/namespaces/default`;

const rule = (verbs: string, resources: string, more: object = {}) => ({
  verbs: verbs.split(' '),
  apiGroups: ['', api],
  resources: resources.split(' '),
  ...more,
});
const role = (name: string, ...rules: object[]) => ({ metadata: { name }, rules });
const binding = (name: string, kind: string, roleName: string, ...users: string[]) => ({
  metadata: { name },
  roleRef: { apiGroup: api, kind, name: roleName },
  subjects: users.map((user) => ({ kind: 'User', apiGroup: api, name: user })),
});

const ok = (answered: Answered, status = 200): void => assert.equal(answered.status, status, answered.text);

function refused(answered: Answered, ...words: readonly RegExp[]): void {
  assert.equal(answered.status, 403, answered.text);
  assert.equal(answered.json.reason, 'Forbidden');
  for (const word of words) assert.match(answered.json.message, word);
}

/** Jane may read pods and write all RBAC objects, in the whole cluster or in a namespace, but not escalate. */
async function withJane(where: 'cluster' | 'namespace', ...more: object[]): Promise<ApiFixture> {
  const fixture = await openWithRbac();
  const roles = 'roles clusterroles rolebindings clusterrolebindings';
  const rights = role(
    'jane',
    rule('get list watch', 'pods'),
    rule('get list create update patch delete deletecollection', roles),
    ...more,
  );
  ok(await fixture.post(`${base}/clusterroles`, rights, root), 201);
  const path = where === 'cluster' ? `${base}/clusterrolebindings` : `${inNs}/rolebindings`;
  ok(await fixture.post(path, binding('jane', 'ClusterRole', 'jane', 'jane'), root), 201);
  await fixture.settled();
  return fixture;
}

describe('escalation check of roles', () => {
  it('a role with permissions that its author holds is allowed', async () => {
    await using fixture = await withJane('namespace');
    ok(
      await fixture.post(`${inNs}/roles`, role('a', rule('get list', 'pods', { apiGroups: [''] })), jane),
      201,
    );
  });

  for (const [title, rules, message] of [
    ['another verb', [rule('get delete', 'pods', { apiGroups: [''] })], /: delete of "pods"$/],
    ['another resource', [rule('get', 'secrets', { apiGroups: [''] })], /: get of "secrets"$/],
    ['a wider pattern', [rule('get', 'pods *', { apiGroups: [''] })], /: get of "\*"$/],
    ['everything', [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }], /\* of "\*" in group "\*"/],
    ['another group', [rule('get', 'pods', { apiGroups: ['apps'] })], /: get of "pods" in group "apps"$/],
    [
      'named objects',
      [rule('get', 'secrets', { apiGroups: [''], resourceNames: ['s'] })],
      /get of "secrets" named "s"$/,
    ],
    [
      'several things',
      [rule('get', 'nodes', { apiGroups: [''] }), rule('create', 'pods', { apiGroups: [''] })],
      /: get of "nodes"; create of "pods"$/,
    ],
  ] as const) {
    it(`a role with ${title} than its author holds is refused, and the missing rules are listed`, async () => {
      await using fixture = await withJane('namespace');
      const answered = await fixture.post(`${inNs}/roles`, role('a', ...rules), jane);
      refused(
        answered,
        /^roles\.rbac\.authorization\.orch\.io "a" is forbidden: user "jane" in the groups \["devs","system:authenticated"\]/,
        message,
      );
      assert.equal((await fixture.get(`${inNs}/roles/a`, root)).status, 404);
    });
  }

  it('dry runs of escalating roles are refused', async () => {
    await using fixture = await withJane('namespace');
    refused(await fixture.post(`${inNs}/roles?dryRun=All`, role('a', rule('get', 'secrets')), jane));
  });

  it('update, patch and create by PUT cannot exceed the permissions of the author', async () => {
    await using fixture = await withJane('namespace');
    const more = rule('get', 'secrets', { apiGroups: [''] });
    ok(await fixture.post(`${inNs}/roles`, role('a', rule('get', 'pods', { apiGroups: [''] })), jane), 201);
    refused(await fixture.put(`${inNs}/roles/a`, role('a', more), jane), /get of "secrets"/);
    refused(await fixture.patch(`${inNs}/roles/a`, { rules: [more] }, 'merge', jane), /get of "secrets"/);
    refused(
      await fixture.patch(`${inNs}/roles/a`, [{ op: 'add', path: '/rules/-', value: more }], 'json', jane),
      /get of "secrets"/,
    );
    refused(await fixture.put(`${inNs}/roles/b`, role('b', more), jane), /get of "secrets"/);
    assert.equal((await fixture.get(`${inNs}/roles/a`, root)).json.rules.length, 1);
    assert.equal((await fixture.get(`${inNs}/roles/b`, root)).status, 404);
  });

  it('labels and reductions of a role are allowed when the remaining permissions are held', async () => {
    await using fixture = await withJane('namespace');
    const rules = [rule('get', 'secrets', { apiGroups: [''] }), rule('get', 'pods', { apiGroups: [''] })];
    ok(await fixture.post(`${inNs}/roles`, role('big', ...rules), root), 201);
    ok(await fixture.patch(`${inNs}/roles/big`, { metadata: { labels: { a: 'b' } } }, 'merge', jane));
    ok(await fixture.patch(`${inNs}/roles/big`, { rules: rules.slice(1) }, 'merge', jane));
    ok(await fixture.delete(`${inNs}/roles/big`, undefined, jane));
  });

  it('a cluster role requires permissions in the whole cluster', async () => {
    await using fixture = await withJane('namespace');
    await fixture.post(`${base}/clusterroles`, role('writer', rule('create', 'clusterroles')), root);
    await fixture.post(
      `${base}/clusterrolebindings`,
      binding('writer', 'ClusterRole', 'writer', 'jane'),
      root,
    );
    await fixture.settled();
    refused(
      await fixture.post(`${base}/clusterroles`, role('a', rule('get', 'pods', { apiGroups: [''] })), jane),
      /get of "pods"/,
    );
  });

  it('an author with the verb escalate may write any role, by name or all', async () => {
    await using fixture = await withJane('namespace', rule('escalate', 'roles', { resourceNames: ['a'] }));
    ok(await fixture.post(`${inNs}/roles`, role('a', rule('get', 'secrets')), jane), 201);
    refused(await fixture.post(`${inNs}/roles`, role('b', rule('get', 'secrets')), jane));
  });

  it('members of system:masters may write any role', async () => {
    await using fixture = await openWithRbac();
    ok(await fixture.post(`${inNs}/roles`, role('a', rule('*', '*')), root), 201);
  });

  it('non-resource paths in a role require these paths in the whole cluster', async () => {
    await using fixture = await withJane('cluster', { verbs: ['get'], nonResourceURLs: ['/logs/*'] });
    const paths = (nonResourceURLs: string[]) => ({ verbs: ['get'], nonResourceURLs });
    ok(await fixture.post(`${base}/clusterroles`, role('a', paths(['/logs/a'])), jane), 201);
    refused(
      await fixture.post(`${base}/clusterroles`, role('b', paths(['/metrics'])), jane),
      /get of path "\/metrics"$/,
    );
  });

  it('roles of older versions are checked in the same way', async () => {
    await using fixture = await openWithRbac({ release: '1.20' });
    await fixture.post(`${base}/clusterroles`, role('jane', rule('create', 'roles')), root);
    await fixture.post(`${inNs}/rolebindings`, binding('jane', 'ClusterRole', 'jane', 'jane'), root);
    await fixture.settled();
    refused(
      await fixture.post(
        `/apis/${api}/v1beta1/namespaces/default/roles`,
        role('a', rule('get', 'secrets')),
        jane,
      ),
    );
  });
});

describe('escalation check of aggregated roles', () => {
  const aggregated = (name: string, label: string) => ({
    metadata: { name },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] },
  });

  it('an aggregated role requires all permissions', async () => {
    await using fixture = await withJane('cluster');
    refused(await fixture.post(`${base}/clusterroles`, aggregated('sum', 'x'), jane), /\* of "\*"/);
    ok(await fixture.post(`${base}/clusterroles`, role('plain'), jane), 201);
    refused(await fixture.put(`${base}/clusterroles/plain`, aggregated('plain', 'x'), jane));
  });

  it('a holder of cluster-admin may write an aggregated role', async () => {
    await using fixture = await openWithRbac();
    await fixture.post(
      `${base}/clusterrolebindings`,
      binding('jane', 'ClusterRole', 'cluster-admin', 'jane'),
      root,
    );
    await fixture.settled();
    ok(await fixture.post(`${base}/clusterroles`, aggregated('sum', 'x'), jane), 201);
  });

  it('labels that add a role to an aggregated role require the permissions of the role', async () => {
    await using fixture = await withJane('cluster');
    ok(await fixture.post(`${base}/clusterroles`, role('power', rule('*', 'secrets')), root), 201);
    ok(
      await fixture.post(
        `${base}/clusterroles`,
        role('weak', rule('get', 'pods', { apiGroups: [''] })),
        root,
      ),
      201,
    );
    await fixture.settled();
    const label = { metadata: { labels: { [`${api}/aggregate-to-view`]: 'true' } } };
    refused(await fixture.patch(`${base}/clusterroles/power`, label, 'merge', jane), /\* of "secrets"/);
    ok(
      await fixture.patch(
        `${base}/clusterroles/power`,
        { metadata: { labels: { other: 'true' } } },
        'merge',
        jane,
      ),
    );
    ok(await fixture.patch(`${base}/clusterroles/weak`, label, 'merge', jane));
    refused(await fixture.patch(`${base}/clusterroles/cluster-admin`, label, 'merge', jane));
  });
});

describe('escalation check of bindings', () => {
  it('a binding to a role with permissions that its author holds is allowed', async () => {
    await using fixture = await withJane('namespace');
    await fixture.post(`${inNs}/roles`, role('pods', rule('get', 'pods', { apiGroups: [''] })), root);
    await fixture.post(
      `${inNs}/roles`,
      role('secrets', rule('get list', 'secrets', { apiGroups: [''] })),
      root,
    );
    await fixture.settled();
    ok(await fixture.post(`${inNs}/rolebindings`, binding('a', 'Role', 'pods', 'joe'), jane), 201);
    refused(
      await fixture.post(`${inNs}/rolebindings`, binding('b', 'Role', 'secrets', 'jane'), jane),
      /: get, list of "secrets"$/,
    );
  });

  it('a binding to cluster-admin is refused, in the cluster and in a namespace', async () => {
    await using fixture = await withJane('cluster');
    refused(
      await fixture.post(
        `${base}/clusterrolebindings`,
        binding('b', 'ClusterRole', 'cluster-admin', 'jane'),
        jane,
      ),
      /\* of path "\*"/,
    );
    refused(
      await fixture.post(`${inNs}/rolebindings`, binding('b', 'ClusterRole', 'cluster-admin', 'jane'), jane),
    );
  });

  it('an author with the verb bind may bind any role', async () => {
    await using fixture = await withJane(
      'namespace',
      rule('bind', 'clusterroles', { resourceNames: ['cluster-admin'] }),
    );
    ok(
      await fixture.post(`${inNs}/rolebindings`, binding('b', 'ClusterRole', 'cluster-admin', 'joe'), jane),
      201,
    );
    refused(
      await fixture.post(
        `${inNs}/rolebindings`,
        binding('c', 'ClusterRole', 'system:orch-scheduler', 'joe'),
        jane,
      ),
    );
  });

  it('adding subjects requires the permissions of the role', async () => {
    await using fixture = await withJane('namespace');
    await fixture.post(`${inNs}/roles`, role('secrets', rule('get', 'secrets')), root);
    ok(await fixture.post(`${inNs}/rolebindings`, binding('b', 'Role', 'secrets', 'joe'), root), 201);
    await fixture.settled();
    refused(
      await fixture.put(`${inNs}/rolebindings/b`, binding('b', 'Role', 'secrets', 'joe', 'jane'), jane),
      /get of "secrets"/,
    );
    refused(
      await fixture.patch(
        `${inNs}/rolebindings/b`,
        { subjects: binding('', '', '', 'jane').subjects },
        'merge',
        jane,
      ),
    );
    ok(await fixture.patch(`${inNs}/rolebindings/b`, { metadata: { labels: { a: 'b' } } }, 'merge', jane));
  });

  it('a binding to a missing role requires the verb bind', async () => {
    await using fixture = await withJane('namespace', rule('bind', 'roles', { resourceNames: ['later'] }));
    assert.equal(
      (await fixture.post(`${inNs}/rolebindings`, binding('a', 'Role', 'gone', 'joe'), jane)).status,
      404,
    );
    ok(await fixture.post(`${inNs}/rolebindings`, binding('b', 'Role', 'later', 'joe'), jane), 201);
  });

  it('the role of a binding is immutable', async () => {
    await using fixture = await openWithRbac();
    ok(await fixture.post(`${inNs}/rolebindings`, binding('b', 'ClusterRole', 'view', 'joe'), root), 201);
    const changed = await fixture.put(
      `${inNs}/rolebindings/b`,
      binding('b', 'ClusterRole', 'edit', 'joe'),
      root,
    );
    assert.equal(changed.status, 422);
    assert.deepEqual(
      changed.json.details.causes.map(({ field }: { field: string }) => field),
      ['roleRef'],
    );
  });

  it('paths of a role do not count in a binding of a namespace', async () => {
    await using fixture = await withJane('namespace');
    await fixture.post(
      `${base}/clusterroles`,
      role(
        'mixed',
        { verbs: ['get'], nonResourceURLs: ['/metrics'] },
        rule('get', 'pods', { apiGroups: [''] }),
      ),
      root,
    );
    await fixture.settled();
    ok(await fixture.post(`${inNs}/rolebindings`, binding('b', 'ClusterRole', 'mixed', 'joe'), jane), 201);
  });

  it('a new binding takes effect for the next request', async () => {
    await using fixture = await openWithRbac();
    refused(await fixture.get('/api/v1/namespaces/default/pods', jane));
    await fixture.post(`${base}/clusterroles`, role('r', rule('list', 'pods')), root);
    await fixture.post(`${inNs}/rolebindings`, binding('b', 'ClusterRole', 'r', 'jane'), root);
    await fixture.settled();
    ok(await fixture.get('/api/v1/namespaces/default/pods', jane));
    ok(await fixture.delete(`${inNs}/rolebindings/b`, undefined, root));
    await fixture.settled();
    refused(await fixture.get('/api/v1/namespaces/default/pods', jane));
  });
});

describe('escalation check with several servers', () => {
  it('a permission that was granted through another server counts for the next write', async () => {
    await using first = await openWithRbac();
    await using second = await openWithRbac({ store: first.model });
    await first.post(
      `${base}/clusterroles`,
      role('writer', rule('create', 'rolebindings'), rule('get', 'pods')),
      root,
    );
    await first.post(`${inNs}/rolebindings`, binding('jane', 'ClusterRole', 'writer', 'jane'), root);
    await second.settled();
    ok(await first.post(`${inNs}/roles`, role('late', rule('get', 'pods', { apiGroups: [''] })), root), 201);
    ok(await second.post(`${inNs}/rolebindings`, binding('late', 'Role', 'late', 'joe'), jane), 201);
  });
});

describe('authorization of deletecollection', () => {
  it('deletecollection is a separate verb that is not granted by object names', async () => {
    await using fixture = await openWithRbac();
    await fixture.post(
      `${base}/clusterroles`,
      role(
        'r',
        rule('delete get list', 'configmaps'),
        rule('deletecollection', 'configmaps', { resourceNames: ['a'] }),
      ),
      root,
    );
    await fixture.post(`${inNs}/rolebindings`, binding('b', 'ClusterRole', 'r', 'jane'), root);
    await fixture.settled();
    refused(
      await fixture.delete('/api/v1/namespaces/default/configmaps', undefined, jane),
      /cannot deletecollection/,
    );
    refused(
      await fixture.delete(
        '/api/v1/namespaces/default/configmaps?fieldSelector=metadata.name%3Da',
        undefined,
        jane,
      ),
    );
  });
});
