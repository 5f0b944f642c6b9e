import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { typesAt } from '../lifecycle.ts';
import { writePath } from '../testing/write-path.ts';
import { causes, edited } from '../testing/writes.ts';
import { validatingAdmissionPolicies } from './validating-admission-policy/index.ts';
import { validatingAdmissionPolicyBindings } from './validating-admission-policy-binding/index.ts';

const path = writePath(undefined, '1.24');
const alpha = (release: string) =>
  writePath(undefined, release, { version: 'admissionregistration/v1alpha1' });
const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
const policy = {
  metadata: { name: 'replicas.example.com' },
  spec: {
    paramKind: { apiVersion: 'rules.example.com/v1', kind: 'Limit' },
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: 'object.spec.replicas <= 5' }],
  },
};
const binding = {
  metadata: { name: 'b' },
  spec: {
    policyName: 'replicas.example.com',
    paramRef: { name: 'l', namespace: 'm', parameterNotFoundAction: 'Deny' },
    validationActions: ['Deny'],
  },
};

describe('validating admission policies', () => {
  const { object } = path.create(validatingAdmissionPolicies, policy);

  it('policies get the usual values', () => {
    const { spec } = object as unknown as { spec: Record<string, unknown> };
    assert.equal(spec['failurePolicy'], 'Fail');
    assert.deepEqual(spec['matchConstraints'], {
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{ ...rule, scope: '*' }],
      matchPolicy: 'Equivalent',
    });
  });

  for (const [set, ...errors] of [
    [{ 'spec.failurePolicy': 'X' }, 'FieldValueNotSupported spec.failurePolicy'],
    [{ 'spec.matchConstraints': undefined }, 'FieldValueRequired spec.matchConstraints'],
    [{ 'spec.matchConstraints': {} }, 'FieldValueRequired spec.matchConstraints.resourceRules'],
    [
      { 'spec.matchConstraints.resourceRules[0].apiGroups': [] },
      'FieldValueRequired spec.matchConstraints.resourceRules[0].apiGroups',
    ],
    [
      { 'spec.matchConstraints.resourceRules[0].resourceNames': ['a', 'a/b', 'a'] },
      'FieldValueInvalid spec.matchConstraints.resourceRules[0].resourceNames[1]',
      'FieldValueDuplicate spec.matchConstraints.resourceRules[0].resourceNames[2]',
    ],
    [{ 'spec.paramKind.kind': '' }, 'FieldValueRequired spec.paramKind.kind'],
    [{ 'spec.paramKind.apiVersion': 'a/b/c' }, 'FieldValueInvalid spec.paramKind.apiVersion'],
    [
      { 'spec.validations': undefined },
      'FieldValueRequired spec.validations',
      'FieldValueRequired spec.auditAnnotations',
    ],
    [{ 'spec.validations': undefined, 'spec.auditAnnotations': [{ key: 'k', valueExpression: "'v'" }] }],
    [
      { 'metadata.name': '', 'spec.auditAnnotations': [{ key: 'k', valueExpression: "'v'" }] },
      'FieldValueInvalid metadata.name',
      'FieldValueInvalid spec.auditAnnotations[0].key',
    ],
    [
      { 'spec.auditAnnotations': [{ key: 'a/b', valueExpression: ' ' }] },
      'FieldValueInvalid spec.auditAnnotations[0].key',
      'FieldValueRequired spec.auditAnnotations[0].valueExpression',
    ],
    [
      {
        'spec.auditAnnotations': [
          { key: 'k', valueExpression: "'v'" },
          { key: 'k', valueExpression: 'null' },
        ],
      },
      'FieldValueDuplicate spec.auditAnnotations[1].key',
    ],
    [
      { 'spec.auditAnnotations': [{ key: 'k', valueExpression: '1' }] },
      'FieldValueInvalid spec.auditAnnotations[0].valueExpression',
    ],
    [{ 'spec.validations[0].expression': ' ' }, 'FieldValueRequired spec.validations[0].expression'],
    [
      { 'spec.validations[0].expression': 'object.a &&\nobject.b' },
      'FieldValueRequired spec.validations[0].message',
    ],
    [{ 'spec.validations[0].expression': 'object.a' }, 'FieldValueInvalid spec.validations[0].expression'],
    [{ 'spec.validations[0].expression': 'object.a >' }, 'FieldValueInvalid spec.validations[0].expression'],
    [
      { 'spec.validations[0].expression': 'objekt == null' },
      'FieldValueInvalid spec.validations[0].expression',
    ],
    [{ 'spec.validations[0].expression': 'params.most > 1 && params == null' }],
    [
      { 'spec.paramKind': undefined, 'spec.validations[0].expression': 'params.most > 1' },
      'FieldValueInvalid spec.validations[0].expression',
    ],
    [{ 'spec.validations[0].expression': "namespaceObject.metadata.name == 'a'" }],
    [{ 'spec.validations[0].expression': "authorizer.requestResource.check('x').allowed()" }],
    [
      {
        'spec.validations[0].expression': `[${"authorizer.requestResource.check('x').allowed(),".repeat(3)}].size() > 0`,
      },
      'FieldValueInvalid spec.validations[0].expression',
    ],
    [{ 'spec.validations[0].messageExpression': "'of ' + object.metadata.name" }],
    [
      { 'spec.validations[0].messageExpression': 'object.metadata.name' },
      'FieldValueInvalid spec.validations[0].messageExpression',
    ],
    [
      { 'spec.validations[0].messageExpression': "authorizer.requestResource.check('x').reason()" },
      'FieldValueInvalid spec.validations[0].messageExpression',
    ],
    [
      { 'spec.validations[0].messageExpression': '  ' },
      'FieldValueInvalid spec.validations[0].messageExpression',
    ],
    [{ 'spec.validations[0].message': 'a\nb' }, 'FieldValueInvalid spec.validations[0].message'],
    [{ 'spec.validations[0].message': '  ' }, 'FieldValueInvalid spec.validations[0].message'],
    [{ 'spec.validations[0].reason': 'Gone' }, 'FieldValueNotSupported spec.validations[0].reason'],
    [{ 'spec.matchConditions': [{ name: 'a', expression: "params.x == 1 && request.name != ''" }] }],
    [
      {
        'spec.matchConditions': [
          { name: 'a', expression: 'x' },
          { name: 'b', expression: "variables.a == ''" },
          { name: 'c', expression: "namespaceObject.metadata.name == ''" },
        ],
      },
      'FieldValueInvalid spec.matchConditions[0].expression',
      'FieldValueInvalid spec.matchConditions[1].expression',
    ],
    ...['for', 'in', 'namespace', 'true', 'a-b'].map(
      (name) =>
        [
          { 'spec.variables': [{ name, expression: '1' }] },
          'FieldValueInvalid spec.variables[0].name',
        ] as const,
    ),
    [
      { 'spec.validations': [{ expression: 'true', reason: 'Unauthorized' }] },
      'FieldValueNotSupported spec.validations[0].reason',
    ],
    [
      {
        'spec.variables': [
          { name: 'most', expression: 'params.most' },
          { name: 'names', expression: "['a']" },
          { name: 'twice', expression: 'variables.names + variables.names' },
        ],
        'spec.validations[0].expression': 'variables.most > 1 && variables.twice.size() < 9',
      },
    ],
    [
      {
        'spec.variables': [
          { name: 'a-b', expression: '1' },
          { name: 'c', expression: 'variables.later + 1' },
          { name: 'later', expression: ' ' },
          { name: 'c', expression: '1 +' },
        ],
      },
      'FieldValueInvalid spec.variables[0].name',
      'FieldValueInvalid spec.variables[1].expression',
      'FieldValueRequired spec.variables[2].expression',
      'FieldValueInvalid spec.variables[3].expression',
    ],
    [
      {
        'spec.variables': [
          { name: 'a', expression: '1' },
          { name: 'a', expression: '2' },
        ],
      },
    ],
    [{ 'spec.failurePolicy': '' }, 'FieldValueNotSupported spec.failurePolicy'],
    [
      { 'spec.matchConstraints.resourceRules[0].operations': [''] },
      'FieldValueNotSupported spec.matchConstraints.resourceRules[0].operations[0]',
    ],
    [
      { 'spec.auditAnnotations': [{ key: '', valueExpression: "'a'" }] },
      'FieldValueInvalid spec.auditAnnotations[0].key',
    ],
    [
      {
        'spec.variables': [{ name: 'names', expression: "['a']" }],
        'spec.validations[0].expression': "variables.names == 'a'",
      },
      'FieldValueInvalid spec.validations[0].expression',
    ],
  ] as const) {
    it(`policies are validated with ${JSON.stringify(set)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(
        causes(path.update(validatingAdmissionPolicies, object, edited(object, set))).toSorted(),
        [...errors].sort(),
      ));
  }

  it('policies have the same fields in all versions and releases', () => {
    const full = { ...policy, spec: { ...policy.spec, variables: [{ name: 'a', expression: '1' }] } };
    const shown = alpha('1.26').create(validatingAdmissionPolicies, full).object['spec'];
    assert.deepEqual(shown, path.create(validatingAdmissionPolicies, full).object['spec']);
  });

  it('policies whose expressions were valid once can be changed elsewhere', () => {
    const stored = edited(object, { 'spec.validations[0].expression': 'removedFunction()' });
    const labelled = edited(stored, { 'metadata.labels': { a: 'b' } });
    assert.deepEqual(causes(path.update(validatingAdmissionPolicies, stored, labelled)), []);
    const changed = edited(stored, { 'spec.failurePolicy': 'Ignore' });
    assert.deepEqual(causes(path.update(validatingAdmissionPolicies, stored, changed)), [
      'FieldValueInvalid spec.validations[0].expression',
    ]);
  });

  it('an expression that does not compile is reported with its place', () => {
    const wrong = edited(object, { 'spec.validations[0].expression': 'object.a >' });
    const [error] = path.update(validatingAdmissionPolicies, object, wrong).errors;
    assert.match(error?.message ?? '', /compilation failed: ERROR: <input>:1:11: Syntax error/i);
  });

  it('policies of every release are served in the newer versions when they are enabled', () => {
    for (const release of ['1.15', '1.24', '1.27']) {
      for (const type of [validatingAdmissionPolicies, validatingAdmissionPolicyBindings]) {
        assert.deepEqual(typesAt(release, [type]), []);
        const [served] = typesAt(release, [type], () => true);
        const older = release === '1.27' ? ['v1alpha1'] : [];
        assert.deepEqual(
          served?.served.map(({ version }) => version),
          ['v1', 'v1beta1', ...older],
        );
        assert.equal(served?.stored.version, 'v1');
      }
    }
  });

  it('policies keep their status but through its own path', () => {
    const next = edited(object, { 'status.observedGeneration': 7 });
    assert.deepEqual(path.update(validatingAdmissionPolicies, object, next).object['status'], {});
    const written = path.update(
      validatingAdmissionPolicies,
      object,
      edited(next, { 'spec.failurePolicy': 'Ignore' }),
      'status',
    );
    assert.deepEqual(
      [written.object['status'], (written.object['spec'] as Record<string, unknown>)['failurePolicy']],
      [{ observedGeneration: 7 }, 'Fail'],
    );
  });

  it('the table of policies shows what they require', () => {
    const cells = validatingAdmissionPolicies.table?.cells(object, namesFor('orch')).slice(0, 3);
    assert.deepEqual(cells, ['replicas.example.com', 1, 'rules.example.com/v1/Limit']);
  });
});

describe('bindings of policies', () => {
  const { object } = path.create(validatingAdmissionPolicyBindings, binding);

  for (const [set, ...errors] of [
    [{ 'spec.policyName': '' }, 'FieldValueRequired spec.policyName'],
    [{ 'spec.policyName': 'A' }, 'FieldValueInvalid spec.policyName'],
    [{ 'spec.paramRef.name': '' }, 'FieldValueRequired spec.paramRef'],
    [{ 'spec.paramRef.name': undefined, 'spec.paramRef.selector': {} }],
    [
      { 'spec.paramRef.selector': {} },
      'FieldValueForbidden spec.paramRef.name',
      'FieldValueForbidden spec.paramRef.selector',
    ],
    [
      { 'spec.paramRef.parameterNotFoundAction': undefined },
      'FieldValueRequired spec.paramRef.parameterNotFoundAction',
    ],
    [
      { 'spec.paramRef.parameterNotFoundAction': 'X' },
      'FieldValueNotSupported spec.paramRef.parameterNotFoundAction',
    ],
    [{ 'spec.validationActions': [] }, 'FieldValueRequired spec.validationActions'],
    [{ 'spec.validationActions': ['Deny', 'Deny'] }, 'FieldValueDuplicate spec.validationActions[1]'],
    [{ 'spec.validationActions': ['X'] }, 'FieldValueNotSupported spec.validationActions[0]'],
    [{ 'spec.validationActions': ['Deny', 'Warn'] }, 'FieldValueInvalid spec.validationActions'],
    [
      { 'spec.matchResources': { resourceRules: [{}] } },
      'FieldValueRequired spec.matchResources.resourceRules[0].operations',
      'FieldValueRequired spec.matchResources.resourceRules[0].apiGroups',
      'FieldValueRequired spec.matchResources.resourceRules[0].apiVersions',
      'FieldValueRequired spec.matchResources.resourceRules[0].resources',
    ],
    [{ 'spec.matchResources': {} }],
  ] as const) {
    it(`bindings of policies are validated with ${JSON.stringify(set)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(
        causes(path.update(validatingAdmissionPolicyBindings, object, edited(object, set))),
        errors,
      ));
  }

  it('bindings of policies need no fields in the oldest version that its first release did not have', () => {
    const first = { ...binding, spec: { policyName: 'a', paramRef: { name: 'l' } } };
    assert.deepEqual(causes(alpha('1.26').create(validatingAdmissionPolicyBindings, first)), []);
    assert.deepEqual(causes(path.create(validatingAdmissionPolicyBindings, first)), [
      'FieldValueRequired spec.paramRef.parameterNotFoundAction',
      'FieldValueRequired spec.validationActions',
    ]);
  });

  it('bindings of policies show what they bind', () => {
    const cells = validatingAdmissionPolicyBindings.table?.cells(object, namesFor('orch')).slice(0, 3);
    assert.deepEqual(cells, ['b', 'replicas.example.com', 'm/l']);
  });
});
