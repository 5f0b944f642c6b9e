import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { writePath } from '../testing/write-path.ts';
import { causes, edited } from '../testing/writes.ts';
import { validatingAdmissionPolicies } from './validating-admission-policy/index.ts';
import { validatingAdmissionPolicyBindings } from './validating-admission-policy-binding.ts';

const path = writePath(undefined, '1.27');
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
    paramRef: { name: 'l', namespace: 'm' },
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
    [{ 'spec.validations': undefined }, 'FieldValueRequired spec.validations'],
    [{ 'spec.validations': undefined, 'spec.auditAnnotations': [{ key: 'k', valueExpression: "'v'" }] }],
    [
      { 'spec.auditAnnotations': [{ key: 'a/b', valueExpression: ' ' }] },
      'FieldValueInvalid spec.auditAnnotations[0].key',
      'FieldValueRequired spec.auditAnnotations[0].valueExpression',
    ],
    [{ 'spec.validations[0].expression': ' ' }, 'FieldValueRequired spec.validations[0].expression'],
    [{ 'spec.validations[0].expression': 'a &&\nb' }, 'FieldValueRequired spec.validations[0].message'],
    [{ 'spec.validations[0].message': 'a\nb' }, 'FieldValueInvalid spec.validations[0].message'],
    [{ 'spec.validations[0].message': '  ' }, 'FieldValueInvalid spec.validations[0].message'],
    [{ 'spec.validations[0].reason': 'Gone' }, 'FieldValueNotSupported spec.validations[0].reason'],
    [{ 'spec.matchConditions': [{ name: 'a', expression: 'x' }] }],
  ] as const) {
    it(`policies are validated with ${JSON.stringify(set)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(
        causes(path.update(validatingAdmissionPolicies, object, edited(object, set))),
        errors,
      ));
  }

  it('policies have no status, and none of the newer fields, in the first release', () => {
    const first = writePath(undefined, '1.26').create(validatingAdmissionPolicies, {
      ...policy,
      spec: { ...policy.spec, auditAnnotations: [{ key: 'k', valueExpression: 'v' }] },
      status: { observedGeneration: 1 },
    });
    assert.deepEqual(causes(first), []);
    const shown = first.object as unknown as Record<string, Record<string, unknown>>;
    assert.deepEqual(Object.keys(shown['spec'] ?? {}), [
      'paramKind',
      'matchConstraints',
      'validations',
      'failurePolicy',
    ]);
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
    [{ 'spec.paramRef.name': '' }, 'FieldValueRequired spec.paramRef.name'],
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

  it('bindings of policies need no actions in the first release, which does not have them', () => {
    const {
      spec: { validationActions: _actions, ...spec },
    } = binding;
    assert.deepEqual(
      causes(writePath(undefined, '1.26').create(validatingAdmissionPolicyBindings, { ...binding, spec })),
      [],
    );
  });

  it('bindings of policies show what they bind', () => {
    const cells = validatingAdmissionPolicyBindings.table?.cells(object, namesFor('orch')).slice(0, 3);
    assert.deepEqual(cells, ['b', 'replicas.example.com', 'm/l']);
  });
});
