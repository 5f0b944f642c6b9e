import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Operation, type RoleObjects, whoCan } from './who-can.ts';

const rule = (verbs: string, resources: string, resourceNames: readonly string[] = []) => ({
  apiGroups: [''],
  verbs: [verbs],
  resources: [resources],
  resourceNames,
});

const binding = (kind: string, namespace: string, roleKind: string, user: string) => ({
  kind,
  metadata: { namespace, name: `of-${user}` },
  roleRef: { kind: roleKind, name: 'r' },
  subjects: [{ kind: 'User', name: user }],
});

const role = (kind: string, namespace: string, rules: readonly object[]) => ({
  kind,
  metadata: { namespace, name: 'r' },
  rules,
});

const read: Operation = {
  ...{ verb: 'get', group: '', resource: 'pods', subresource: '', namespace: 'web', name: '' },
};

/** The rule of a role, an operation, and whether the role allows it. */
const rules: readonly (readonly [title: string, rule: object, operation: Partial<Operation>, is: boolean])[] =
  [
    ['the same verb and resource', rule('get', 'pods'), {}, true],
    ['another verb', rule('list', 'pods'), {}, false],
    ['all verbs and resources', rule('*', '*'), {}, true],
    ['all resources, for a subresource', rule('get', '*'), { subresource: 'log' }, true],
    ['the resource only, for a subresource', rule('get', 'pods'), { subresource: 'log' }, false],
    ['every subresource of that name', rule('get', '*/log'), { subresource: 'log' }, true],
    ['all subresources of the resource', rule('get', 'pods/*'), { subresource: 'log' }, true],
    ['all subresources, for the resource', rule('get', 'pods/*'), {}, false],
    ['another group', rule('get', 'pods'), { group: 'apps' }, false],
    ['one name, for any name', rule('get', 'pods', ['a']), {}, false],
    ['one name, for that name', rule('get', 'pods', ['a']), { name: 'a' }, true],
    ['one name, for another one', rule('get', 'pods', ['a']), { name: 'b' }, false],
  ];

describe('the users who can do something', () => {
  for (const [title, one, change, is] of rules)
    it(`a rule for ${title} ${is ? 'allows it' : 'does not allow it'}`, () => {
      const objects: RoleObjects = {
        roles: [role('ClusterRole', '', [one])],
        bindings: [binding('ClusterRoleBinding', '', 'ClusterRole', 'ann')],
      };
      const subjects = whoCan({ ...read, ...change }, objects).map(({ subject }) => subject);
      assert.deepEqual(subjects, is ? ['User ann'] : []);
    });

  it('a binding grants the role of its own kind and namespace', () => {
    const objects: RoleObjects = {
      roles: [role('Role', 'web', [rule('get', 'pods')]), role('ClusterRole', '', [rule('get', 'secrets')])],
      bindings: [
        binding('RoleBinding', 'web', 'Role', 'bob'),
        binding('RoleBinding', 'web', 'ClusterRole', 'cat'),
        binding('RoleBinding', 'other', 'Role', 'dan'),
      ],
    };
    assert.deepEqual(whoCan(read, objects), [
      {
        subject: 'User bob',
        role: { kind: 'Role', namespace: 'web', name: 'r' },
        binding: { kind: 'RoleBinding', namespace: 'web', name: 'of-bob' },
      },
    ]);
  });
});
