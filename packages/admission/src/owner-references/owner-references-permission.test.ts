import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attributes, Authorizer } from '@orch/auth';
import { namesFor, type OwnerReference } from '@orch/machinery';
import { testWrite } from '../testing/plugin-calls.ts';
import type { AdmissionAttributes } from '../types.ts';
import { ownerReferencesPermission } from './owner-references-permission.ts';

const names = namesFor('orch');
const user = { name: 'alice', uid: '', groups: [], extra: {} };

/** Allows the listed operations: `delete configmaps ns/c`. */
function allowing(...allowed: string[]): Authorizer {
  const textOf = (attributes: Attributes): string =>
    attributes.isResource
      ? `${attributes.verb} ${[attributes.resource, attributes.subresource].filter((part) => part !== '').join('/')}${attributes.group === '' ? '' : `.${attributes.group}`} ${attributes.namespace}/${attributes.name}`
      : '';
  return {
    authorize: (attributes) => ({
      verdict: allowed.includes(textOf(attributes)) ? 'allow' : 'noOpinion',
      reason: '',
    }),
  };
}

const pluginWith = (...allowed: string[]) =>
  ownerReferencesPermission({
    names,
    authorizer: allowing(...allowed),
    resourcesOf: (apiVersion, kind) =>
      apiVersion === 'apps/v1' && kind === 'Deployment'
        ? [{ group: 'apps', version: 'v1', resource: 'deployments', namespaced: true }]
        : apiVersion === 'v1' && kind === 'Node'
          ? [{ group: '', version: 'v1', resource: 'nodes', namespaced: false }]
          : [],
  });

const writeOf = (
  next: readonly OwnerReference[] | undefined,
  old?: readonly OwnerReference[],
): AdmissionAttributes => {
  const objectOf = (owners: readonly OwnerReference[]) => ({
    metadata: { name: 'c', namespace: 'ns', ownerReferences: [...owners] },
  });
  return testWrite({
    resource: 'configmaps',
    user,
    object: next === undefined ? { metadata: { name: 'c', namespace: 'ns' } } : objectOf(next),
    oldObject: old === undefined ? undefined : objectOf(old),
  });
};

const plain: OwnerReference = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: '1' };
const blocking: OwnerReference = { ...plain, blockOwnerDeletion: true };
const node: OwnerReference = {
  apiVersion: 'v1',
  kind: 'Node',
  name: 'n',
  uid: '2',
  blockOwnerDeletion: true,
};
const mayDelete = 'delete configmaps ns/c';
const mayFinalize = 'update deployments/finalizers.apps ns/d';

describe('admission plugin OwnerReferencesPermissionEnforcement', () => {
  for (const [title, allowed, write, expected] of [
    ['nothing is owned', [], writeOf(undefined), undefined],
    ['owners stay', [], writeOf([blocking], [blocking]), undefined],
    ['an owner is set by who may delete the object', [mayDelete], writeOf([plain], []), undefined],
    ['an owner is set by who may not', [], writeOf([plain], []), /^cannot set owner references on an object/],
    ['an object comes with an owner', [], writeOf([plain]), /^cannot set owner references on an object/],
    ['an owner is taken away', [], writeOf([], [plain]), /^cannot set owner references on an object/],
    ['an owner is to wait', [mayDelete], writeOf([blocking], [plain]), /finalizers of deployments "d"$/],
    [
      'an owner is to wait, by who may finalize it',
      [mayDelete, mayFinalize],
      writeOf([blocking], [plain]),
      undefined,
    ],
    ['an owner is to wait no more', [mayDelete], writeOf([plain], [blocking]), undefined],
    [
      'another owner joins one that waits',
      [mayDelete],
      writeOf([blocking, { ...plain, uid: '3' }], [blocking]),
      undefined,
    ],
    [
      'an owner of the cluster is to wait',
      [mayDelete, 'update nodes/finalizers /n'],
      writeOf([node]),
      undefined,
    ],
    [
      'an owner of no known kind is to wait',
      [mayDelete],
      writeOf([{ ...blocking, kind: 'Thing' }]),
      /there is no kind Thing in apps\/v1$/,
    ],
  ] as const) {
    it(`a write is ${expected === undefined ? 'admitted' : 'refused'} when ${title}`, async () => {
      const reason = await pluginWith(...allowed).validate?.(write);
      if (expected === undefined) assert.equal(reason, undefined);
      else assert.match(reason ?? 'admitted', expected);
    });
  }

  it('deletions and updates of the status are not handled', () => {
    const plugin = pluginWith();
    const target = testWrite({ operation: 'UPDATE', resource: 'pods', user });
    assert.equal(plugin.handles(target), true);
    assert.equal(plugin.handles({ ...target, subresource: 'status' }), false);
    assert.equal(plugin.handles({ ...target, operation: 'DELETE' }), false);
  });
});
