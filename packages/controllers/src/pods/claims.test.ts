import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OwnerReference } from '@orch/machinery';
import { labelSelectorFromObject } from '@orch/machinery/selectors';
import { metaOf, podWith } from '../testing/workloads.ts';
import { decideClaims } from './claims.ts';

const owner = { metadata: metaOf('set') };
const selector = labelSelectorFromObject({ matchLabels: { app: 'web' } });
const ownedBy = (uid: string): { ownerReferences: OwnerReference[] } => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'set', uid, controller: true }],
});
const own = ownedBy('uid-set');
const deletionTimestamp = '2024-01-01T12:00:00Z';
const other = { labels: { app: 'other' } };

describe('the objects that an owner controls', () => {
  for (const [title, metadata, expected] of [
    ['of the owner that it selects stays with it', own, 'owned'],
    ['of the owner that it does not select is released', { ...own, ...other }, 'release'],
    ['without a controller that it selects is adopted', {}, 'adopt'],
    ['without a controller that it does not select is left alone', other, 'nothing'],
    ['of another owner is left alone', ownedBy('uid-other'), 'nothing'],
    ['that is being deleted is not adopted', { deletionTimestamp }, 'nothing'],
    ['of the owner that is being deleted stays with it', { ...own, deletionTimestamp }, 'owned'],
  ] as const) {
    it(`the controller finds that a pod ${title}`, () => {
      const claims = decideClaims(owner, selector, [podWith('p', { metadata })]);
      const chosen = (['owned', 'adopt', 'release'] as const).filter((each) => claims[each].length > 0);
      assert.deepEqual(chosen, expected === 'nothing' ? [] : [expected]);
    });
  }

  it('an owner that is being deleted adopts and releases nothing', () => {
    const ending = { metadata: metaOf('set', { deletionTimestamp }) };
    const pods = [podWith('orphan'), podWith('lost', { metadata: { ...own, ...other } })];
    const { owned, adopt, release } = decideClaims(ending, selector, pods);
    assert.deepEqual([owned.map(({ metadata }) => metadata.name), adopt, release], [['lost'], [], []]);
  });
});
