import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { deferred } from '@orch/machinery/concurrency';
import { alwaysDeny, explainedBy, firstOpinion } from '../authorizers.ts';
import { MemoryObjectSource } from '../testing/memory-object-source.ts';
import type { Attributes, Decision, UserInfo } from '../types.ts';
import { allowedSubjects } from './allowed-subjects.ts';
import { rbacAuthorizer } from './authorizer.ts';
import { RbacPolicy } from './policy.ts';

const names = namesFor('orch');
const request = { signal: new AbortController().signal };

const person = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: {} });

const rbacObject = (kind: string, name: string, namespace: string, rest: object): ApiObject => ({
  kind,
  apiVersion: 'rbac.authorization.orch.io/v1',
  metadata: { name, ...(namespace === '' ? {} : { namespace }) },
  ...rest,
});

/** Roles and bindings in a few words: a place is a namespace, or empty for the cluster. */
class Cluster {
  readonly source = new MemoryObjectSource();
  readonly policy = new RbacPolicy(this.source, names);
  readonly authorizer = rbacAuthorizer(this.policy, names);

  role(place: string, name: string, ...rules: object[]): void {
    const [resource, kind] = place === '' ? ['clusterroles.rbac', 'ClusterRole'] : ['roles.rbac', 'Role'];
    this.source.put(resource, rbacObject(kind, name, place, { rules }));
  }

  bind(place: string, name: string, role: string, ...subjects: object[]): void {
    const [kind = '', roleName = ''] = role.split('/');
    const roleRef = { apiGroup: 'rbac.authorization.orch.io', kind, name: roleName };
    const [resource, bindingKind] =
      place === ''
        ? ['clusterrolebindings.rbac', 'ClusterRoleBinding']
        : ['rolebindings.rbac', 'RoleBinding'];
    this.source.put(resource, rbacObject(bindingKind, name, place, { subjects, roleRef }));
  }

  decide(attributes: Attributes): Decision {
    const decision = this.authorizer.authorize(attributes, request);
    assert.ok(!(decision instanceof Promise));
    return decision;
  }

  may(user: UserInfo, asked: string): boolean {
    return this.decide(question(user, asked)).verdict === 'allow';
  }
}

/** `get apps/deployments/scale ns/name`: the group is omitted for core, `-` means no namespace. */
function question(user: UserInfo, asked: string): Attributes {
  const [verb = '', what = '', where = '-'] = asked.split(' ');
  if (what.startsWith('/')) return { user, isResource: false, verb, path: what };
  const [first = '', ...more] = what.split(':');
  const [resource = '', subresource = ''] = (more[0] ?? first).split('/');
  const [namespace = '', name = ''] = where.split('/');
  return {
    user,
    isResource: true,
    verb,
    group: more.length === 0 ? '' : first,
    version: 'v1',
    resource,
    subresource,
    namespace: namespace === '-' ? '' : namespace,
    name,
  };
}

const core = (verbs: readonly string[], resources: readonly string[], resourceNames?: readonly string[]) => ({
  verbs,
  apiGroups: [''],
  resources,
  ...(resourceNames === undefined ? {} : { resourceNames }),
});
const jane = person('jane', 'system:authenticated');
const toJane = { kind: 'User', apiGroup: 'rbac.authorization.orch.io', name: 'jane' };

describe('RBAC rules (access-control document, 2.8)', () => {
  for (const [title, rule, allowed, refused] of [
    [
      'of the core group is about no other group',
      core(['get'], ['pods']),
      ['get pods -/a', 'get pods n/a'],
      ['get apps:pods n/a', 'list pods n', 'get secrets n/a', 'get pods/log n/a'],
    ],
    [
      'with the group * is about all groups',
      { verbs: ['get'], apiGroups: ['*'], resources: ['things'] },
      ['get things', 'get a:things', 'get b.c:things'],
      ['get others', 'list things'],
    ],
    [
      'with the verb * allows all verbs',
      core(['*'], ['pods']),
      ['get pods', 'impersonate pods'],
      ['get nodes'],
    ],
    [
      'names a subresource as resource/sub, and neither contains the other',
      core(['get'], ['pods/log']),
      ['get pods/log n/a'],
      ['get pods n/a', 'get pods/exec n/a'],
    ],
    [
      'with the resource * is about all resources and subresources of its group',
      core(['get'], ['*']),
      ['get pods n/a', 'get anything', 'get pods/log n/a', 'get pods/status n/a'],
      ['get apps:deployments n/a', 'get apps:deployments/status n/a', 'update pods/status n/a'],
    ],
    [
      'with the resource * of a group allows the status and the scale of what is in it, as published roles assume',
      { verbs: ['*'], apiGroups: ['apps'], resources: ['*'] },
      ['get apps:deployments n/a', 'patch apps:deployments/status n/a', 'update apps:deployments/scale n/a'],
      ['get pods/status n/a', 'update batch:jobs/status n/a'],
    ],
    [
      'with the resource * and names is about the subresources of these objects only',
      core(['get'], ['*'], ['a']),
      ['get pods n/a', 'get pods/log n/a'],
      ['get pods n/b', 'get pods/log n/b', 'list pods n'],
    ],
    [
      'with */* is about all resources and subresources',
      core(['get'], ['*/*']),
      ['get pods n/a', 'get pods/log n/a', 'get nodes/status'],
      ['get apps:deployments/scale n/a'],
    ],
    [
      'with pods/* is about all subresources of pods',
      core(['get'], ['pods/*']),
      ['get pods/log', 'get pods/status'],
      ['get nodes/status', 'get pods'],
    ],
    [
      'with */scale is about that subresource of all resources',
      { verbs: ['update'], apiGroups: ['*'], resources: ['*/scale'] },
      ['update apps:deployments/scale n/a', 'update replicationcontrollers/scale n/a'],
      ['update apps:deployments n/a', 'update apps:deployments/status n/a', 'update scale n/a'],
    ],
    [
      'for all verbs on * of all groups allows everything that is a resource',
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      ['get pods/exec n/a', 'delete a:b', 'sign certificates.orch.io:signers -/x', '* *:*'],
      ['get /metrics'],
    ],
    [
      'with names is about these objects only, not about what has no name',
      core(['get', 'list', 'create', 'deletecollection'], ['configmaps'], ['one', 'two']),
      ['get configmaps n/one', 'get configmaps n/two', 'list configmaps n/one'],
      ['get configmaps n/three', 'list configmaps n', 'create configmaps n', 'deletecollection configmaps n'],
    ],
    [
      'about paths takes them exactly, or below a final *',
      { verbs: ['get'], nonResourceURLs: ['/healthz', '/api/*', '/logs*'] },
      ['get /healthz', 'get /api/', 'get /api/x/y', 'get /logs', 'get /logsx'],
      ['get /healthz/', 'get /healthz/etcd', 'get /api', 'post /healthz', 'get /', 'get pods'],
    ],
    [
      'with a * inside of a path means that character',
      { verbs: ['get'], nonResourceURLs: ['/a/*/b'] },
      ['get /a/*/b'],
      ['get /a/x/b'],
    ],
    ['without verbs allows nothing', { verbs: [], apiGroups: ['*'], resources: ['*'] }, [], ['get pods']],
    ['whose lists are null allows nothing', { verbs: null }, [], ['get pods']],
  ] as readonly (readonly [string, object, readonly string[], readonly string[]])[]) {
    it(title, () => {
      const cluster = new Cluster();
      cluster.role('', 'r', rule);
      cluster.bind('', 'b', 'ClusterRole/r', toJane);
      for (const asked of allowed) assert.ok(cluster.may(jane, asked), asked);
      for (const asked of refused) assert.ok(!cluster.may(jane, asked), asked);
    });
  }

  it('a rule adds permissions and removes none', () => {
    const cluster = new Cluster();
    cluster.role('', 'r', core(['get'], ['pods'], ['a']), core(['get'], ['pods']));
    cluster.bind('', 'b', 'ClusterRole/r', toJane);
    assert.ok(cluster.may(jane, 'get pods n/b'));
  });
});

describe('RBAC bindings', () => {
  const robot = 'system:serviceaccount:ns:robot';
  for (const [title, subject, who, isMeant] of [
    ['gives to a user', toJane, jane, true],
    ['takes case in names seriously', { ...toJane, name: 'Jane' }, jane, false],
    ['gives to a group', { kind: 'Group', name: 'devs' }, person('x', 'ops', 'devs'), true],
    ['does not take a group for a user', { kind: 'Group', name: 'jane' }, jane, false],
    ['does not take a user for a group', { kind: 'User', name: 'devs' }, person('x', 'devs'), false],
    [
      'gives to a service account',
      { kind: 'ServiceAccount', name: 'robot', namespace: 'ns' },
      person(robot),
      true,
    ],
    [
      'grants to a service account of the same namespace',
      { kind: 'ServiceAccount', name: 'robot' },
      person(robot),
      true,
    ],
    [
      'tells accounts of other namespaces apart',
      { kind: 'ServiceAccount', name: 'robot', namespace: 'n2' },
      person(robot),
      false,
    ],
    [
      'gives to all accounts of a namespace by their group',
      { kind: 'Group', name: 'system:serviceaccounts:ns' },
      person(robot, 'system:serviceaccounts:ns'),
      true,
    ],
    ['knows no user *', { kind: 'User', name: '*' }, jane, false],
    ['grants nothing by an unknown kind of subject', { kind: 'Robot', name: 'jane' }, jane, false],
  ] as const) {
    it(title, () => {
      const cluster = new Cluster();
      cluster.role('', 'r', core(['get'], ['pods']));
      cluster.bind('ns', 'b', 'ClusterRole/r', subject);
      assert.equal(cluster.may(who, 'get pods ns/a'), isMeant);
    });
  }

  it('a role binding applies in its namespace only, the namespace object included', () => {
    const cluster = new Cluster();
    cluster.role(
      '',
      'r',
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['*'], nonResourceURLs: ['*'] },
    );
    cluster.bind('ns', 'b', 'ClusterRole/r', toJane);
    for (const asked of ['get pods ns/a', 'delete namespaces ns/ns', 'get pods/log ns/a'])
      assert.ok(cluster.may(jane, asked), asked);
    for (const asked of ['get pods other/a', 'get pods', 'get nodes -/a', 'list namespaces', 'get /metrics'])
      assert.ok(!cluster.may(jane, asked), asked);
  });

  it('a cluster role binding applies in all namespaces, and to paths', () => {
    const cluster = new Cluster();
    cluster.role('', 'r', core(['get'], ['pods', 'nodes']), { verbs: ['get'], nonResourceURLs: ['/x'] });
    cluster.bind('', 'b', 'ClusterRole/r', toJane);
    for (const asked of ['get pods a/b', 'get pods', 'get nodes -/a', 'get /x'])
      assert.ok(cluster.may(jane, asked), asked);
  });

  it('a binding refers to the role of the same namespace, not of another one', () => {
    const cluster = new Cluster();
    cluster.role('a', 'r', core(['get'], ['pods']));
    cluster.role('', 'r', core(['get'], ['secrets']));
    cluster.bind('a', 'x', 'Role/r', toJane);
    cluster.bind('b', 'x', 'Role/r', toJane);
    assert.ok(cluster.may(jane, 'get pods a/p'));
    assert.ok(!cluster.may(jane, 'get secrets a/s'));
    assert.ok(!cluster.may(jane, 'get pods b/p'));
  });

  it('the reason of a decision names the missing role of a binding', () => {
    const cluster = new Cluster();
    cluster.bind('a', 'x', 'Role/gone', toJane);
    cluster.bind('', 'x', 'ClusterRole/lost', toJane);
    const { verdict, reason } = cluster.decide(question(jane, 'get pods a/p'));
    assert.deepEqual(
      [verdict, reason],
      ['noOpinion', 'RBAC: ClusterRole "lost" not found, Role "gone" not found'],
    );
  });
});

describe('cached RBAC decisions', () => {
  it('the reason of a decision names the binding, the role and the subject', () => {
    const cluster = new Cluster();
    cluster.role('', 'r', core(['get'], ['pods']));
    cluster.role('ns', 's', core(['list'], ['pods']));
    cluster.bind('', 'b', 'ClusterRole/r', { kind: 'Group', name: 'system:authenticated' });
    cluster.bind('ns', 'c', 'Role/s', toJane);
    assert.equal(
      cluster.decide(question(jane, 'get pods n/a')).reason,
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to Group "system:authenticated"',
    );
    assert.equal(
      cluster.decide(question(jane, 'list pods ns')).reason,
      'RBAC: allowed by RoleBinding "c/ns" of Role "s" to User "jane"',
    );
  });

  it('without a matching rule there is no opinion, never a denial', () => {
    assert.deepEqual(new Cluster().decide(question(jane, 'get pods')), { verdict: 'noOpinion', reason: '' });
  });

  it('a change of objects applies immediately, also to cached decisions', () => {
    const cluster = new Cluster();
    const may = (): boolean => cluster.may(jane, 'get pods n/a');
    assert.ok(!may());
    cluster.bind('n', 'b', 'Role/r', toJane);
    assert.ok(!may());
    cluster.role('n', 'r', core(['get'], ['pods']));
    assert.ok(may());
    cluster.role('n', 'r', core(['list'], ['pods']));
    assert.ok(!may());
    cluster.role('n', 'r', core(['get'], ['pods'], ['a']));
    assert.ok(may());
    cluster.bind('n', 'b', 'Role/r', { ...toJane, name: 'joe' });
    assert.ok(!may());
    cluster.bind('n', 'b', 'Role/r', toJane, toJane);
    assert.ok(may());
    cluster.source.delete('rolebindings.rbac', 'n/b');
    assert.ok(!may());
    cluster.bind('n', 'b', 'Role/r', toJane);
    assert.ok(may());
    cluster.source.replace('roles.rbac', []);
    assert.ok(!may());
    cluster.source.replace('roles.rbac', [
      rbacObject('Role', 'r', 'n', { rules: [core(['get'], ['pods'])] }),
    ]);
    assert.ok(may());
    cluster.source.replace('rolebindings.rbac', []);
    assert.ok(!may());
  });

  it('a member of the masters needs no roles, and no loading', () => {
    const cluster = new Cluster();
    cluster.source.loading = deferred<void>().promise;
    const root = person('root', 'system:masters');
    for (const asked of ['delete anything', 'get /metrics', '* *:*'])
      assert.ok(cluster.may(root, asked), asked);
  });

  it('a decision waits until the roles are loaded, except for probes', async () => {
    const cluster = new Cluster();
    const loading = deferred<void>();
    cluster.source.loading = loading.promise;
    const waiting = cluster.authorizer.authorize(question(jane, 'get pods'), request);
    assert.ok(waiting instanceof Promise);
    assert.match(cluster.decide(question(jane, 'get /healthz')).reason, /not loaded/);
    cluster.role('', 'r', core(['get'], ['pods']));
    cluster.bind('', 'b', 'ClusterRole/r', toJane);
    loading.resolve();
    assert.equal((await waiting).verdict, 'allow');
  });

  it('cached decisions are not mixed up by names with separators', () => {
    const cluster = new Cluster();
    cluster.role('', 'r', core(['get'], ['pods']));
    cluster.bind('a\nb', 'b', 'ClusterRole/r', toJane);
    assert.ok(cluster.may(jane, 'get pods a\nb/x'));
    assert.ok(!cluster.may(jane, 'get pods a/x'));
    assert.ok(!cluster.may(jane, 'get pods b/x'));
    assert.ok(!cluster.may(jane, 'get pods/a\nb x'));
  });

  it('decisions stay correct beyond the limits of the cache, for one user and for many', () => {
    const cluster = new Cluster();
    cluster.role('', 'r', core(['get'], ['pods'], ['n7']));
    cluster.bind('', 'b', 'ClusterRole/r', toJane);
    for (let i = 0; i < 5000; i++) assert.equal(cluster.may(jane, `get pods ns${i}/n${i % 9}`), i % 9 === 7);
    for (let i = 0; i < 200_000; i += 1000) assert.ok(cluster.may(person('jane'), 'get pods x/n7'));
  });
});

describe('list of RBAC rules', () => {
  const listed = (cluster: Cluster, user: UserInfo, namespace: string) =>
    cluster.authorizer.rules?.(user, namespace);

  it('the list has the rules that apply in the namespace, each once', () => {
    const cluster = new Cluster();
    cluster.role('', 'r', core(['get'], ['pods']), { verbs: ['get'], nonResourceURLs: ['/x'] });
    cluster.role('n', 's', core(['list'], ['pods'], ['a']));
    for (const name of ['b', 'c']) cluster.bind('', name, 'ClusterRole/r', toJane);
    cluster.bind('n', 'b', 'Role/s', toJane);
    cluster.bind('m', 'b', 'ClusterRole/lost', toJane);
    assert.deepEqual(listed(cluster, jane, 'n'), {
      resourceRules: [
        { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: [] },
        { verbs: ['list'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] },
      ],
      pathRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
      incomplete: [],
    });
    assert.deepEqual(listed(cluster, jane, 'm')?.incomplete, ['there is no role "lost"']);
  });

  it('the list omits the paths of a role that is bound in a namespace', () => {
    const cluster = new Cluster();
    cluster.role('', 'r', { verbs: ['get'], nonResourceURLs: ['/x'] });
    cluster.bind('n', 'b', 'ClusterRole/r', toJane);
    assert.deepEqual(listed(cluster, jane, 'n')?.pathRules, []);
  });

  it('the list permits everything to the masters', () => {
    assert.deepEqual(listed(new Cluster(), person('root', 'system:masters'), 'n')?.resourceRules[0]?.verbs, [
      '*',
    ]);
  });
});

describe('explanations of the mode RBAC', () => {
  const cluster = new Cluster();
  cluster.role('', 'reader', core(['get', 'list'], ['pods']));
  cluster.role('', 'one', core(['delete'], ['pods'], ['web']));
  cluster.role('', 'maps', core(['get'], ['configmaps']));
  cluster.role('', 'metrics', { verbs: ['get'], nonResourceURLs: ['/metrics'] });
  for (const role of ['reader', 'one', 'maps', 'gone'])
    cluster.bind('a', `of-${role}`, `ClusterRole/${role}`, toJane);
  cluster.bind('', 'of-metrics', 'ClusterRole/metrics', toJane);
  cluster.bind('b', 'elsewhere', 'ClusterRole/one', toJane);

  const grantsOf = async (asked: string): Promise<Record<string, string>> => {
    const [explained] = await explainedBy(cluster.authorizer, question(jane, asked), request);
    assert.deepEqual(explained?.decision, cluster.decide(question(jane, asked)));
    return Object.fromEntries(
      explained?.grants.map(({ binding, relation }) => [binding.name, relation]) ?? [],
    );
  };

  it('every role of the user in the namespace is listed with what it has to do with a request', async () => {
    const rest = { 'of-maps': 'unrelated', 'of-gone': 'missing', 'of-metrics': 'unrelated' };
    assert.deepEqual(await grantsOf('get pods a/web'), { 'of-reader': 'allows', 'of-one': 'close', ...rest });
    assert.deepEqual(await grantsOf('delete pods a/web'), {
      'of-reader': 'close',
      'of-one': 'allows',
      ...rest,
    });
    assert.deepEqual(await grantsOf('delete pods a/db'), {
      'of-reader': 'close',
      'of-one': 'close',
      ...rest,
    });
    assert.deepEqual(await grantsOf('post /metrics'), { 'of-metrics': 'close' });
  });

  it('the subjects of roles that grant an operation are found, in the cluster and in its namespace', () => {
    const masters = person('ann', names.userGroups.masters);
    cluster.role('', 'all', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
    cluster.bind('', 'all', 'ClusterRole/all', { kind: 'Group', name: 'ops' });
    const find = (asked: string): readonly string[] =>
      allowedSubjects(cluster.policy, question(masters, asked)).map(({ kind, name }) => `${kind} ${name}`);
    assert.deepEqual(find('delete pods a/web'), ['Group ops', 'User jane']);
    assert.deepEqual(find('delete pods a/db'), ['Group ops']);
    assert.deepEqual(find('delete pods c/web'), ['Group ops']);
  });

  it('the authorizers after one with an opinion are not part of an explanation', async () => {
    const both = firstOpinion([cluster.authorizer, alwaysDeny]);
    const verdicts = async (asked: string): Promise<readonly string[]> =>
      (await explainedBy(both, question(jane, asked), request)).map(({ decision }) => decision.verdict);
    assert.deepEqual(await verdicts('get pods a/web'), ['allow']);
    assert.deepEqual(await verdicts('create pods a/web'), ['noOpinion', 'deny']);
  });
});
