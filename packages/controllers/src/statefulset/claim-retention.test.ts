import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type kinds, ownerReferenceTo, type Stored } from '@orch/client';
import type { OwnerReference } from '@orch/machinery';
import { metaOf, podWith, template } from '../testing/workloads.ts';
import { isOfEarlierPod, ownersByPolicy } from './claim-retention.ts';

type Policy = kinds.apps.StatefulSetPersistentVolumeClaimRetentionPolicy;

const setWith = (policy?: Policy): Stored<kinds.apps.StatefulSet> => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: metaOf('db'),
  spec: {
    selector: {},
    template,
    serviceName: 'db',
    ...(policy && { persistentVolumeClaimRetentionPolicy: policy }),
  },
});
const pod = podWith('db-0', {});
const bySet = ownerReferenceTo(setWith());
const byPod = ownerReferenceTo(pod);
const other: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'other', uid: 'other' };
const stranger: OwnerReference = { ...other, controller: true };
const claimOf = (...ownerReferences: OwnerReference[]): Stored<kinds.core.PersistentVolumeClaim> => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { ...metaOf('data-db-0'), ...(ownerReferences.length > 0 && { ownerReferences }) },
});

type Row = readonly [
  title: string,
  policy: Policy | undefined,
  isScaledDown: boolean,
  has: readonly OwnerReference[],
  owners: readonly OwnerReference[] | undefined,
];
const [deleted, scaled] = [{ whenDeleted: 'Delete' }, { whenScaled: 'Delete' }];
const both = { ...deleted, ...scaled };
const kept = undefined;

describe('the owners of a claim', () => {
  const rows: readonly Row[] = [
    ['stay none without a policy', undefined, true, [], kept],
    ['are removed when the policy is', undefined, false, [bySet, other], [other]],
    ['include the set if it takes its claims along', deleted, false, [other], [other, bySet]],
    ['stay if the set is one already', deleted, false, [bySet], kept],
    ['include the set for a pod that a scale removes', deleted, true, [], [bySet]],
    ['stay none for a pod that is wanted', scaled, false, [], kept],
    ['include the pod that a scale removes', scaled, true, [], [byPod]],
    ['lose the pod when it is wanted again', scaled, false, [byPod], []],
    ['change from the set to the pod that a scale removes', both, true, [bySet], [byPod]],
    ['change back to the set', both, false, [byPod], [bySet]],
    ['stay if another controller has the claim', both, true, [stranger], kept],
  ];
  for (const [title, policy, isScaledDown, has, owners] of rows)
    it(`the owners of a claim ${title}`, () => {
      const place = { set: setWith(policy), pod, isScaledDown };
      const found = ownersByPolicy(claimOf(...has), place);
      assert.deepEqual(found, owners);
      if (found === undefined) return;
      assert.equal(ownersByPolicy(claimOf(...found), place), undefined, 'a second look changes nothing');
    });

  it('a claim that an earlier pod takes along is not used by a new pod of its name', () => {
    assert.equal(isOfEarlierPod(claimOf(byPod), 'db-0'), true);
    assert.equal(isOfEarlierPod(claimOf(byPod), 'db-1'), false);
    assert.equal(isOfEarlierPod(claimOf(bySet), 'db-0'), false);
  });
});
