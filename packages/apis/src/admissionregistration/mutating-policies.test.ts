import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { typesAt } from '../lifecycle.ts';
import { writePath } from '../testing/write-path.ts';
import { causes, edited } from '../testing/writes.ts';
import { mutatingAdmissionPolicies } from './mutating-admission-policy/index.ts';
import { mutatingAdmissionPolicyBindings } from './mutating-admission-policy-binding/index.ts';

const path = writePath(undefined, '1.24');
const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const policy = {
  metadata: { name: 'sidecars.example.com' },
  spec: {
    matchConstraints: { resourceRules: [rule] },
    mutations: [
      {
        patchType: 'ApplyConfiguration',
        applyConfiguration: { expression: 'Object{spec: Object.spec{hostNetwork: false}}' },
      },
    ],
    reinvocationPolicy: 'Never',
  },
};

describe('mutating admission policies', () => {
  const { object, ...created } = path.create(mutatingAdmissionPolicies, policy);

  it('mutating policies get the usual values', () => {
    assert.deepEqual(causes({ object, ...created }), []);
    const { spec } = object as unknown as { spec: Record<string, unknown> };
    assert.equal(spec['failurePolicy'], 'Fail');
    assert.deepEqual(spec['matchConstraints'], {
      namespaceSelector: {},
      objectSelector: {},
      resourceRules: [{ ...rule, scope: '*' }],
      matchPolicy: 'Equivalent',
    });
  });

  const patch = (expression: string) => ({
    'spec.mutations': [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  });

  for (const [set, ...errors] of [
    [{ 'spec.mutations': [] }, 'FieldValueRequired spec.mutations'],
    [{ 'spec.reinvocationPolicy': undefined }, 'FieldValueRequired spec.reinvocationPolicy'],
    [{ 'spec.reinvocationPolicy': 'Always' }, 'FieldValueNotSupported spec.reinvocationPolicy'],
    [{ 'spec.reinvocationPolicy': 'IfNeeded' }],
    [{ 'spec.matchConstraints': undefined }, 'FieldValueRequired spec.matchConstraints'],
    [
      { 'spec.matchConstraints.resourceRules[0].operations': ['CREATE', 'DELETE'] },
      'FieldValueInvalid spec.matchConstraints.resourceRules[0].operations[1]',
    ],
    [{ 'spec.mutations[0].patchType': '' }, 'FieldValueRequired spec.mutations[0].patchType'],
    [{ 'spec.mutations[0].patchType': 'Merge' }, 'FieldValueNotSupported spec.mutations[0].patchType'],
    [
      { 'spec.mutations[0].patchType': 'JSONPatch' },
      'FieldValueInvalid spec.mutations[0].applyConfiguration',
      'FieldValueRequired spec.mutations[0].jsonPatch',
    ],
    [
      {
        'spec.mutations[0]': {
          patchType: 'JSONPatch',
          jsonPatch: { expression: '' },
          applyConfiguration: { expression: 'self' },
        },
      },
      'FieldValueInvalid spec.mutations[0].applyConfiguration',
      'FieldValueRequired spec.mutations[0].jsonPatch.expression',
    ],
    [
      { 'spec.mutations[0].applyConfiguration.expression': '' },
      'FieldValueRequired spec.mutations[0].applyConfiguration.expression',
    ],
    [
      { 'spec.mutations[0].applyConfiguration.expression': "{'spec': 1}" },
      'FieldValueInvalid spec.mutations[0].applyConfiguration.expression',
    ],
    [patch("[JSONPatch{op: 'remove', path: '/spec/nodeName'}]")],
    [patch("[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 'c'}]")],
    [patch('Object{}'), 'FieldValueInvalid spec.mutations[0].jsonPatch.expression'],
    [
      {
        'spec.paramKind': { apiVersion: 'v1', kind: 'ConfigMap' },
        'spec.variables': [{ name: 'host', expression: 'params.data.host' }],
        'spec.matchConditions': [{ name: 'a', expression: 'object.spec.hostNetwork' }],
        'spec.mutations[0].applyConfiguration.expression':
          'Object{spec: Object.spec{nodeName: variables.host}}',
      },
      'FieldValueInvalid spec.matchConditions[0].expression',
    ],
  ] as const) {
    it(`mutating policies are validated with ${JSON.stringify(set)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(
        causes(path.update(mutatingAdmissionPolicies, object, edited(object, set))).toSorted(),
        [...errors].sort(),
      ));
  }

  it('the table of mutating policies shows what they change', () => {
    const cells = mutatingAdmissionPolicies.table?.cells(object, namesFor('orch')).slice(0, 3);
    assert.deepEqual(cells, ['sidecars.example.com', 1, '<unset>']);
  });

  it('mutating policies and their bindings are served in every release when they are enabled', () => {
    for (const release of ['1.15', '1.27']) {
      for (const type of [mutatingAdmissionPolicies, mutatingAdmissionPolicyBindings]) {
        assert.deepEqual(typesAt(release, [type]), []);
        const [served] = typesAt(release, [type], () => true);
        assert.deepEqual(
          [served?.stored.version, served?.served.map(({ version }) => version)],
          ['v1', ['v1', 'v1beta1', 'v1alpha1']],
        );
      }
    }
  });
});

describe('bindings of mutating policies', () => {
  const binding = {
    metadata: { name: 'b' },
    spec: {
      policyName: 'sidecars.example.com',
      paramRef: { selector: {}, parameterNotFoundAction: 'Allow' },
    },
  };
  const { object } = path.create(mutatingAdmissionPolicyBindings, binding);

  for (const [set, ...errors] of [
    [{ 'spec.policyName': '' }, 'FieldValueRequired spec.policyName'],
    [{ 'spec.paramRef.selector': undefined }, 'FieldValueRequired spec.paramRef'],
    [
      { 'spec.matchResources': { resourceRules: [{ ...rule, apiGroups: [] }] } },
      'FieldValueRequired spec.matchResources.resourceRules[0].apiGroups',
    ],
    [{ 'spec.paramRef': undefined }],
  ] as const) {
    it(`bindings of mutating policies are validated with ${JSON.stringify(set)}: ${errors.join() || 'valid'}`, () =>
      assert.deepEqual(
        causes(path.update(mutatingAdmissionPolicyBindings, object, edited(object, set))),
        errors,
      ));
  }
});
