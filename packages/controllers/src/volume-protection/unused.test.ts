import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { kinds } from '@orch/client';
import { NOW, nowText } from '../testing/workloads.ts';
import { decideUnused, keepsInUse, needsUnused } from './unused.ts';

const claim = (status: kinds.core.PersistentVolumeClaimStatus, metadata = {}) => ({
  metadata: { name: 'data', ...metadata },
  status,
});
const earlier = '2024-01-01T11:00:00Z';
const says = (status: string) => ({ type: 'Unused', status, lastTransitionTime: earlier });
const resizing = { type: 'Resizing', status: 'True' };

describe('the condition of claims that are unused', () => {
  const unused = {
    type: 'Unused',
    status: 'True',
    lastTransitionTime: nowText,
    reason: 'NoPodsUsingPVC',
    message: 'No pods are currently referencing this PVC',
  };
  const used = {
    type: 'Unused',
    status: 'False',
    lastTransitionTime: nowText,
    reason: 'PodUsingPVC',
    message: 'A pod is currently referencing this PVC',
  };
  for (const [title, given, isUsed, expected] of [
    ['a bound claim without pods gets it', claim({ phase: 'Bound' }), false, [unused]],
    ['a bound claim with a pod gets it, with the opposite', claim({ phase: 'Bound' }), true, [used]],
    [
      'a claim with other conditions keeps them',
      claim({ phase: 'Bound', conditions: [resizing] }),
      false,
      [resizing, unused],
    ],
    [
      'a claim changes it when a pod comes',
      claim({ phase: 'Bound', conditions: [says('True'), resizing] }),
      true,
      [used, resizing],
    ],
    [
      'a claim changes it when the last pod goes',
      claim({ phase: 'Bound', conditions: [says('False')] }),
      false,
      [unused],
    ],
    [
      'a claim keeps the time of the change',
      claim({ phase: 'Bound', conditions: [says('True')] }),
      false,
      undefined,
    ],
    ['a claim that is not bound has none', claim({ phase: 'Pending' }), false, undefined],
    [
      'a claim that is being deleted gets none',
      claim({ phase: 'Bound' }, { deletionTimestamp: earlier }),
      false,
      undefined,
    ],
  ] as const)
    it(`the condition Unused: ${title}`, () => {
      assert.deepEqual(decideUnused(given, isUsed, NOW), expected);
      if (needsUnused(given)) assert.notEqual(expected, undefined);
    });

  const ended = { name: 'main', image: '', imageID: '', ready: false, restartCount: 0 };
  const pod = (status: kinds.core.PodStatus, metadata = {}): kinds.core.Pod => ({
    metadata: { name: 'p', ...metadata },
    spec: { containers: [], volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
    status,
  });
  const marked = { deletionTimestamp: earlier };
  for (const [title, given, expected] of [
    ['without a node keeps its claim in use', pod({}), true],
    ['that has failed does not keep its claim in use', pod({ phase: 'Failed' }), false],
    [
      'that is being deleted keeps its claim in use until its containers have ended',
      pod({ containerStatuses: [{ ...ended, state: { running: {} } }] }, marked),
      true,
    ],
    [
      'that is being deleted does not keep its claim in use when its containers have ended',
      pod({ containerStatuses: [{ ...ended, state: { terminated: { exitCode: 0 } } }] }, marked),
      false,
    ],
  ] as const)
    it(`a claim to which a pod refers: a pod ${title}`, () =>
      assert.equal(keepsInUse(given, claim({ phase: 'Bound' })), expected));
});
