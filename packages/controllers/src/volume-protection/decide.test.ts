import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { kinds } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { withFinalizer } from '../api/finalizers.ts';
import { claimsOf, usesClaim } from './claim-use.ts';
import { decideFinalizer, isVolumeBound } from './decide.ts';

const own = 'example.com/protection';
const deleted = { deletionTimestamp: '2024-01-01T00:00:00Z' };

describe('decisions about protection finalizers', () => {
  for (const [title, metadata, expected] of [
    ['a new object gets the finalizer', {}, 'add'],
    ['an object with other finalizers gets the finalizer', { finalizers: ['a/b'] }, 'add'],
    ['an object with the finalizer is unchanged', { finalizers: ['a/b', own] }, 'keep'],
    ['a deleted object does not get the finalizer', { ...deleted }, 'keep'],
    [
      'a deleted object with other finalizers does not get the finalizer',
      { ...deleted, finalizers: ['a/b'] },
      'keep',
    ],
    [
      'a deleted object loses the finalizer when it is unused',
      { ...deleted, finalizers: [own] },
      'removeWhenUnused',
    ],
  ] as const) {
    it(title, () => assert.equal(decideFinalizer({ metadata } as unknown as ApiObject, own), expected));
  }
});

describe('changes of the finalizers of an object', () => {
  for (const [title, before, isWanted, after] of [
    ['adds a finalizer', ['a/b'], true, ['a/b', own]],
    ['removes every occurrence of a finalizer', [own, 'a/b', own], false, ['a/b']],
    ['creates the list of finalizers', undefined, true, [own]],
    ['leaves an empty list of finalizers', [own], false, []],
  ] as const) {
    it(`changing the finalizers of an object ${title}`, () => {
      const object = { metadata: { name: 'x', finalizers: before } } as unknown as ApiObject;
      assert.deepEqual(withFinalizer(object, own, isWanted).metadata, { name: 'x', finalizers: after });
      assert.deepEqual(object.metadata.finalizers, before);
    });
  }
});

describe('use of claims by pods', () => {
  const volume = (claimName: string): kinds.core.Volume => ({
    name: 'v',
    persistentVolumeClaim: { claimName },
  });
  const ephemeral = { name: 'data', ephemeral: { volumeClaimTemplate: { spec: {} } } };
  const pod = (
    volumes: readonly kinds.core.Volume[],
    rest: { node?: string; metadata?: object } = {},
  ): kinds.core.Pod => ({
    metadata: { name: 'p', uid: 'pod-uid', ...rest.metadata },
    spec: { nodeName: rest.node ?? 'one', volumes: [...volumes], containers: [] },
  });
  const claim = (name: string, owner?: object): ApiObject => ({
    metadata: { name, ...(owner && { ownerReferences: [owner as never] }) },
  });
  const owner = { uid: 'pod-uid', controller: true };
  const shutDown = { ...deleted, deletionGracePeriodSeconds: 0 };

  for (const [title, user, used, expected] of [
    ['A pod on a node uses a claim that it names', pod([{ name: 'x' }, volume('c')]), claim('c'), true],
    ['A pod uses a claim of another name', pod([volume('d')]), claim('c'), false],
    ['A pod without volumes uses a claim', pod([]), claim('c'), false],
    ['A pod without a node uses a claim', pod([volume('c')], { node: '' }), claim('c'), false],
    [
      'A pod that is being deleted uses a claim',
      pod([volume('c')], { metadata: { ...deleted, deletionGracePeriodSeconds: 30 } }),
      claim('c'),
      true,
    ],
    [
      'A pod that waits for its finalizers only uses a claim',
      pod([volume('c')], { metadata: shutDown }),
      claim('c'),
      true,
    ],
    ['A pod uses the claim of its ephemeral volume', pod([ephemeral]), claim('p-data', owner), true],
    [
      'A pod uses a claim with the name of its ephemeral volume that it does not own',
      pod([ephemeral]),
      claim('p-data'),
      false,
    ],
    [
      'A pod uses the claim of another pod of its name',
      pod([ephemeral]),
      claim('p-data', { ...owner, uid: 'other' }),
      false,
    ],
    [
      'A pod uses a claim that it owns but does not control',
      pod([ephemeral]),
      claim('p-data', { uid: 'pod-uid' }),
      false,
    ],
    [
      'A pod that waits for its finalizers only uses the claim of its ephemeral volume',
      pod([ephemeral], { metadata: shutDown }),
      claim('p-data', owner),
      false,
    ],
  ] as const) {
    it(`${title}, which counts as use: ${expected}`, () => assert.equal(usesClaim(user, used), expected));
  }

  it('claimsOf returns the claims of all volumes of a pod', () => {
    assert.deepEqual(claimsOf(pod([volume('c'), { name: 'e', emptyDir: {} }, ephemeral])), ['c', 'p-data']);
    assert.deepEqual(claimsOf({ metadata: {} }), []);
  });
});

describe('the phase of bound volumes', () => {
  for (const [phase, expected] of [
    ['Bound', true],
    ['Released', false],
    ['Available', false],
    ['Failed', false],
    [undefined, false],
  ] as const) {
    it(`a volume in the phase ${phase} is bound: ${expected}`, () =>
      assert.equal(isVolumeBound({ metadata: {}, status: phase === undefined ? {} : { phase } }), expected));
  }
  it('a volume without status is not bound', () => assert.equal(isVolumeBound({ metadata: {} }), false));
});
