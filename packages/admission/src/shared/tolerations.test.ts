import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Toleration } from '@orch/kinds/core';
import { mergeTolerations } from './tolerations.ts';

const equal: Toleration = { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' };
const exists: Toleration = { key: 'k', operator: 'Exists', effect: 'NoSchedule' };
const evicting = (tolerationSeconds?: number): Toleration => ({
  key: 'k',
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});

describe('merged tolerations', () => {
  for (const [title, first, second, merged] of [
    ['tolerations of different taints are all kept, in order', [equal], [evicting()], [equal, evicting()]],
    ['an equal toleration is kept once', [equal], [{ ...equal }], [equal]],
    [
      'no operator means Equal',
      [{ key: 'k', value: 'v', effect: 'NoSchedule' }],
      [equal],
      [{ key: 'k', value: 'v', effect: 'NoSchedule' }],
    ],
    [
      'another value of the same key is kept',
      [equal],
      [{ ...equal, value: 'w' }],
      [equal, { ...equal, value: 'w' }],
    ],
    ['a value is covered by the existence of its key, in either order', [equal], [exists], [exists]],
    ['the existence of a key covers a value that is added', [exists], [equal], [exists]],
    ['one effect does not cover another', [exists], [evicting()], [exists, evicting()]],
    [
      'no effect covers all effects',
      [exists, evicting()],
      [{ key: 'k', operator: 'Exists' }],
      [{ key: 'k', operator: 'Exists' }],
    ],
    ['no key covers all keys', [exists, equal], [{ operator: 'Exists' }], [{ operator: 'Exists' }]],
    [
      'no key with an effect covers this effect only',
      [exists, evicting()],
      [{ operator: 'Exists', effect: 'NoExecute' }],
      [exists, { operator: 'Exists', effect: 'NoExecute' }],
    ],
    ['a longer toleration covers a shorter one', [evicting(5)], [evicting(9)], [evicting(9)]],
    ['a toleration without a limit covers one with a limit', [evicting()], [evicting(9)], [evicting()]],
    [
      'a shorter toleration of all values does not cover a longer one of one value',
      [{ ...equal, effect: 'NoExecute', tolerationSeconds: 9 }],
      [evicting(5)],
      [{ ...equal, effect: 'NoExecute', tolerationSeconds: 9 }, evicting(5)],
    ],
  ] as const)
    it(title, () => {
      assert.deepEqual(mergeTolerations(first, second), merged);
    });

  it('a merged list that is merged again stays the same', () => {
    const merged = mergeTolerations([equal, evicting(5)], [exists]);
    assert.deepEqual(mergeTolerations(merged, [exists]), merged);
    assert.deepEqual(mergeTolerations(merged, merged), merged);
  });

  it('lists of thirty thousand tolerations are merged', () => {
    const many = (count: number): readonly Toleration[] =>
      Array.from({ length: count }, (_, i) => ({ ...equal, value: `v${i}` }));
    assert.equal(mergeTolerations(many(30_000), many(30_000)).length, 30_000);
  });
});
