import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { kinds, Stored } from '@orch/client';
import { metaOf } from '../testing/workloads.ts';
import { chooseVolume, newVolume } from './choose-volume.ts';

type ClaimSpec = kinds.core.PersistentVolumeClaimSpec;
type VolumeSpec = kinds.core.PersistentVolumeSpec;

const claim = (spec: Partial<ClaimSpec> = {}): Stored<kinds.core.PersistentVolumeClaim> => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: metaOf('data'),
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '5Gi' } }, ...spec },
});
const volume = (
  name: string,
  storage: string,
  spec: Partial<VolumeSpec> = {},
): kinds.core.PersistentVolume => ({
  metadata: { name, labels: { tier: name } },
  spec: { capacity: { storage }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], ...spec },
});
const claimRef = { namespace: 'n', name: 'data' };

describe('the volume of a claim', () => {
  for (const [title, given, volumes, expected] of [
    [
      'is the smallest that is large enough',
      claim(),
      [volume('a', '9Gi'), volume('b', '6Gi'), volume('c', '1Gi')],
      'b',
    ],
    ['has its class', claim({ storageClassName: 'fast' }), [volume('a', '9Gi')], undefined],
    ['has its modes', claim({ accessModes: ['ReadWriteMany'] }), [volume('a', '9Gi')], undefined],
    [
      'has its labels',
      claim({ selector: { matchLabels: { tier: 'b' } } }),
      [volume('a', '6Gi'), volume('b', '9Gi')],
      'b',
    ],
    ['is the one that it names', claim({ volumeName: 'a' }), [volume('a', '1Gi'), volume('b', '6Gi')], 'a'],
    [
      'is the one that is reserved for it',
      claim(),
      [volume('a', '6Gi'), volume('b', '9Gi', { claimRef })],
      'b',
    ],
    [
      'is not the one of another claim of its name',
      claim(),
      [volume('b', '9Gi', { claimRef: { ...claimRef, uid: 'other' } })],
      undefined,
    ],
  ] as const)
    it(`the binder finds that the volume of a claim ${title}`, () =>
      assert.equal(chooseVolume(given, volumes)?.metadata.name, expected));

  it('a new volume fits its claim, and is reserved for it', () => {
    const given = claim({ storageClassName: 'fast', volumeMode: 'Block' });
    const made = newVolume(given);
    assert.equal(chooseVolume(given, [made]), made);
    assert.equal(chooseVolume({ ...given, metadata: metaOf('other') }, [made]), undefined);
  });
});
