import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { asObjects, asText, type JsonObject } from '@orch/machinery/json';
import { describeLensLaws } from '../../testing/lens-laws.ts';
import { writePath } from '../../testing/write-path.ts';
import { clusterRoles } from '../cluster-role.ts';
import { clusterRoleBindings } from '../cluster-role-binding.ts';
import { rbacGroup } from '../group.ts';
import { roles } from '../role.ts';
import { roleBindings } from '../role-binding.ts';

const older = { version: 'rbac/v1alpha1' };

for (const [naming, group] of [
  ['orch', 'rbac.authorization.orch.io'],
  ['kubernetes', 'rbac.authorization.k8s.io'],
] as const) {
  describe(`subjects of ${group}/v1alpha1`, () => {
    const path = writePath(namesFor(naming), '1.20', older);
    const bind = (subjects: readonly object[]) =>
      path.create(roleBindings, {
        metadata: { name: 'b' },
        subjects,
        roleRef: { kind: 'Role', name: 'r' },
      });
    const sent = [
      { kind: 'User', apiVersion: 'anything/v7', name: 'u' },
      { kind: 'Group', name: 'g' },
      { kind: 'ServiceAccount', name: 's', namespace: 'm' },
    ];

    it(`subjects of ${group}/v1alpha1 have a group in the hub, which follows from their kind`, () => {
      const { object, errors } = bind(sent);
      assert.deepEqual(errors, []);
      assert.deepEqual(object['subjects'], [
        { kind: 'User', apiGroup: group, name: 'u' },
        { kind: 'Group', apiGroup: group, name: 'g' },
        { kind: 'ServiceAccount', name: 's', namespace: 'm' },
      ]);
    });

    it(`subjects of ${group}/v1alpha1 have an apiVersion in that version`, () => {
      const shown = path.show(roleBindings, bind(sent).object);
      assert.deepEqual(
        asObjects(shown['subjects']).map((subject) => [subject['kind'], subject['apiVersion']]),
        [
          ['User', `${group}/v1alpha1`],
          ['Group', `${group}/v1alpha1`],
          ['ServiceAccount', 'v1'],
        ],
      );
    });

    it(`subjects of ${group}/v1alpha1 of other kinds are refused`, () => {
      const { errors } = bind([{ kind: 'Robot', apiVersion: 'robots.example/v1', name: 'r' }]);
      assert.deepEqual(
        errors.map(({ type, field }) => [type, field]),
        [['FieldValueNotSupported', 'subjects[0].kind']],
      );
    });

    it(`subjects of ${group}/v1alpha1 named * are users of that name, not all users`, () => {
      const { object } = bind([{ kind: 'User', name: '*' }]);
      assert.deepEqual(object['subjects'], [{ kind: 'User', apiGroup: group, name: '*' }]);
    });
  });
}

const kinds = ['User', 'Group', 'ServiceAccount'];

/** Subjects have the kinds that bindings accept, and the group of their kind. */
function tidySubjects(object: JsonObject, version: string): void {
  asObjects(object['subjects']).forEach((subject, i) => {
    const tidy = subject as Record<string, unknown>;
    const kind = kinds[(i + asText(tidy['name']).length) % kinds.length] ?? '';
    tidy['kind'] = kind;
    const isAccount = kind === 'ServiceAccount';
    if (version === 'v1') tidy['apiGroup'] = isAccount ? '' : 'rbac.authorization.orch.io';
    else tidy['apiVersion'] = isAccount ? 'v1' : 'rbac.authorization.orch.io/v1alpha1';
  });
}

for (const type of [clusterRoleBindings, roleBindings]) {
  describeLensLaws(type, { tidy: (object, { version }) => tidySubjects(object, version) });
}
for (const type of [clusterRoles, roles]) describeLensLaws(type);

describe('versions of access rules', () => {
  it('versions of access rules have separate structs where they differ, so that Protobuf numbers never collide', () => {
    for (const { versions } of rbacGroup.types) {
      const [hub, beta, alpha] = versions;
      assert.equal(beta?.schema, hub?.schema);
      assert.equal(beta?.lens, undefined);
      assert.notEqual(alpha?.schema, hub?.schema);
      assert.notEqual(alpha?.lens, undefined);
    }
  });
});
