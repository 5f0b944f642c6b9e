import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { claimsOf, usesClaim } from './claim-use.ts';
import { decideFinalizer, isVolumeBound, withFinalizer } from './decide.ts';

const own = 'example.com/protection';
const deleted = { deletionTimestamp: '2024-01-01T00:00:00Z' };

describe('decideFinalizer', () => {
  for (const [title, metadata, expected] of [
    ['a new object gets it', {}, 'add'],
    ['beside others', { finalizers: ['a/b'] }, 'add'],
    ['once', { finalizers: ['a/b', own] }, 'keep'],
    ['a deleted one does not get it any more', { ...deleted }, 'keep'],
    ['nor one that others hold', { ...deleted, finalizers: ['a/b'] }, 'keep'],
    ['a deleted one loses it when it is not used', { ...deleted, finalizers: [own] }, 'removeWhenUnused'],
  ] as const) {
    it(title, () => assert.equal(decideFinalizer({ metadata } as unknown as ApiObject, own), expected));
  }
});

describe('withFinalizer', () => {
  for (const [title, before, isWanted, after] of [
    ['adds it', ['a/b'], true, ['a/b', own]],
    ['takes it away, wherever it stands', [own, 'a/b', own], false, ['a/b']],
    ['makes a list where there is none', undefined, true, [own]],
    ['leaves an empty list', [own], false, []],
  ] as const) {
    it(title, () => {
      const object = { metadata: { name: 'x', finalizers: before } } as unknown as ApiObject;
      assert.deepEqual(withFinalizer(object, own, isWanted).metadata, { name: 'x', finalizers: after });
      assert.deepEqual(object.metadata.finalizers, before);
    });
  }
});

describe('usesClaim', () => {
  const volume = (claimName: string): object => ({ name: 'v', persistentVolumeClaim: { claimName } });
  const ephemeral = { name: 'data', ephemeral: { volumeClaimTemplate: {} } };
  const pod = (volumes: readonly object[], rest: { node?: string; metadata?: object } = {}): ApiObject => ({
    metadata: { name: 'p', uid: 'pod-uid', ...rest.metadata },
    spec: { nodeName: rest.node ?? 'one', volumes },
  });
  const claim = (name: string, owner?: object): ApiObject => ({
    metadata: { name, ...(owner && { ownerReferences: [owner as never] }) },
  });
  const owner = { uid: 'pod-uid', controller: true };
  const shutDown = { ...deleted, deletionGracePeriodSeconds: 0 };

  for (const [title, user, used, expected] of [
    ['a pod on a node, by name', pod([{ name: 'x' }, volume('c')]), claim('c'), true],
    ['not of another name', pod([volume('d')]), claim('c'), false],
    ['not without volumes', { metadata: {}, spec: { nodeName: 'one' } }, claim('c'), false],
    ['not without a node', pod([volume('c')], { node: '' }), claim('c'), false],
    [
      'also when it is being ended',
      pod([volume('c')], { metadata: { ...deleted, deletionGracePeriodSeconds: 30 } }),
      claim('c'),
      true,
    ],
    ['also when it waits for its finalizers', pod([volume('c')], { metadata: shutDown }), claim('c'), true],
    ['a volume of its own', pod([ephemeral]), claim('p-data', owner), true],
    ['a claim by that name of somebody else', pod([ephemeral]), claim('p-data'), false],
    [
      'one that another pod of that name owned',
      pod([ephemeral]),
      claim('p-data', { ...owner, uid: 'other' }),
      false,
    ],
    ['one that it owns without controlling it', pod([ephemeral]), claim('p-data', { uid: 'pod-uid' }), false],
    [
      'a volume of its own that has been let go',
      pod([ephemeral], { metadata: shutDown }),
      claim('p-data', owner),
      false,
    ],
  ] as const) {
    it(`${title}: ${expected}`, () => assert.equal(usesClaim(user, used), expected));
  }

  it('names every claim that a pod may use', () => {
    assert.deepEqual(claimsOf(pod([volume('c'), { name: 'e', emptyDir: {} }, ephemeral])), ['c', 'p-data']);
    assert.deepEqual(claimsOf({ metadata: {} }), []);
  });
});

describe('isVolumeBound', () => {
  for (const [phase, expected] of [
    ['Bound', true],
    ['Released', false],
    ['Available', false],
    ['Failed', false],
    [undefined, false],
  ] as const) {
    it(`${phase}: ${expected}`, () =>
      assert.equal(isVolumeBound({ metadata: {}, status: { phase } }), expected));
  }
  it('without status: false', () => assert.equal(isVolumeBound({ metadata: {} }), false));
});
