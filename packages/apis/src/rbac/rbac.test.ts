import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cloneJson } from '@orch/machinery/json';
import { writePath } from '../testing/write-path.ts';
import { clusterRoles } from './cluster-role.ts';
import { clusterRoleBindings } from './cluster-role-binding.ts';
import { roles } from './role.ts';
import { roleBindings } from './role-binding.ts';

const path = writePath();
const causes = (errors: readonly { readonly type: string; readonly field: string }[]): readonly string[] =>
  errors.map(({ type, field }) => `${type} ${field}`);

describe('roles and cluster roles', () => {
  const rule = (fields: object) => ({ verbs: ['get'], ...fields });
  for (const [title, rules, expected] of [
    ['may be empty', [], []],
    [
      'speak of paths or of resources, not both',
      [rule({ nonResourceURLs: ['/a'], resourceNames: ['x'] })],
      ['FieldValueInvalid rules[0].nonResourceURLs'],
    ],
    ['of the cluster may speak of paths', [rule({ nonResourceURLs: ['/healthz/*'] })], []],
    [
      'name groups and resources, and all missing fields are reported at once',
      [{ verbs: [] }, rule({ apiGroups: ['*'] })],
      [
        'FieldValueRequired rules[0].verbs',
        'FieldValueRequired rules[0].apiGroups',
        'FieldValueRequired rules[0].resources',
        'FieldValueRequired rules[1].resources',
      ],
    ],
  ] as const) {
    it(title, () => {
      const { errors } = path.create(clusterRoles, { metadata: { name: 'r' }, rules });
      assert.deepEqual(causes(errors), expected);
    });
  }

  it('roles that are made up of others select them validly', () => {
    const clusterRoleSelectors = [{ matchLabels: { 'a b': 'c' } }];
    const { errors } = path.create(clusterRoles, {
      metadata: { name: 'r' },
      aggregationRule: { clusterRoleSelectors },
    });
    assert.deepEqual(causes(errors), [
      'FieldValueInvalid aggregationRule.clusterRoleSelectors[0].matchLabels',
      'FieldValueInvalid aggregationRule.clusterRoleSelectors[0]',
    ]);
  });

  it('roles write rules also when there are none', () => {
    const { object } = path.create(roles, { metadata: { name: 'r' } });
    assert.equal(object['rules'], null);
  });
});

describe('bindings of roles', () => {
  const roleRef = { kind: 'ClusterRole', name: 'view' };
  const account = { kind: 'ServiceAccount', name: 's' };

  it('cluster role bindings require the namespace of service accounts', () => {
    const { errors } = path.create(clusterRoleBindings, {
      metadata: { name: 'b' },
      subjects: [account],
      roleRef,
    });
    assert.deepEqual(causes(errors), ['FieldValueRequired subjects[0].namespace']);
  });

  it('bindings keep their role, in all its parts', () => {
    const { object } = path.create(roleBindings, { metadata: { name: 'b' }, roleRef });
    for (const change of [{ name: 'edit' }, { kind: 'Role' }]) {
      const next = cloneJson(object);
      next['roleRef'] = { ...(object['roleRef'] as object), ...change };
      assert.deepEqual(causes(path.update(roleBindings, object, next).errors), ['FieldValueInvalid roleRef']);
    }
  });

  it('bindings are rows with the role and the subjects by kind', () => {
    const { object } = path.create(roleBindings, {
      metadata: { name: 'b' },
      roleRef,
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'ServiceAccount', name: 's', namespace: 'n' },
        { kind: 'Group', name: 'g' },
        { kind: 'User', name: 'v' },
        { kind: 'ServiceAccount', name: 't', namespace: 'n' },
      ],
    });
    const cells = roleBindings.table?.cells(object, path.names);
    assert.deepEqual(cells, ['b', 'ClusterRole/view', { age: path.context.now }, 'u, v', 'g', 'n/s, n/t']);
    assert.equal(clusterRoleBindings.table, roleBindings.table);
  });
});
