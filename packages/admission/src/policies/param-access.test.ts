import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alice, PolicyCluster, rule } from '../testing/policy-cluster.ts';
import type { AdmissionAttributes } from '../types.ts';

const configMap = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
const byMap = { ...configMap, ...rule('object.spec.replicas <= int(params.data.most)') };

describe('permission to refer to parameters', () => {
  const admin = { ...alice, name: 'admin' };
  const master = { ...alice, groups: ['system:masters'] };
  const policyWrite = (spec: object): Partial<AdmissionAttributes> => ({
    group: 'admissionregistration',
    resource: 'validatingadmissionpolicies',
    object: { metadata: { name: 'p' }, spec },
  });
  const bindingWrite = (spec: object): Partial<AdmissionAttributes> => ({
    group: 'admissionregistration',
    resource: 'validatingadmissionpolicybindings',
    object: { metadata: { name: 'b' }, spec },
  });
  const noKind =
    'user alice must have "get" permission on all objects of the referenced paramKind (kind=ConfigMap, apiVersion=v1)';
  const noParam = (verb: string) =>
    `user alice does not have "${verb}" permission on the object referenced by paramRef`;
  const named = { policyName: 'p', paramRef: { name: 'five' } };

  for (const [what, write, writer, outcome] of [
    ['a policy without parameters takes no permission', policyWrite({}), alice, 'admitted'],
    ['a policy takes permission to read its kind of parameters', policyWrite(configMap), alice, noKind],
    ['a user with the permission may write a policy', policyWrite(configMap), admin, 'admitted'],
    ['a user with all permissions may write a policy', policyWrite(configMap), master, 'admitted'],
    [
      'an update that keeps the kind takes no permission',
      { ...policyWrite(configMap), oldObject: { metadata: {}, spec: configMap } },
      alice,
      'admitted',
    ],
    [
      'a binding without parameters takes no permission',
      bindingWrite({ policyName: 'p' }),
      alice,
      'admitted',
    ],
    ['a binding takes permission to read the named parameter', bindingWrite(named), alice, noParam('get')],
    [
      'a binding takes permission to list selected parameters',
      bindingWrite({ policyName: 'p', paramRef: { selector: {} } }),
      alice,
      noParam('list'),
    ],
    ['a user with the permission may write a binding', bindingWrite(named), admin, 'admitted'],
    [
      'an update that keeps the parameters takes no permission',
      { ...bindingWrite(named), oldObject: { metadata: {}, spec: named } },
      alice,
      'admitted',
    ],
    [
      'an update to another policy takes permission',
      { ...bindingWrite(named), oldObject: { metadata: {}, spec: { ...named, policyName: 'q' } } },
      alice,
      noParam('get'),
    ],
  ] as const)
    it(what, async () => {
      const cluster = new PolicyCluster().policy(byMap);
      assert.equal((await cluster.write({ ...write, user: writer })).refusal, outcome);
    });
});
