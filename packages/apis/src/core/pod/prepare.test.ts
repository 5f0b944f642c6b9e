import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '@orch/machinery';
import { writePath } from '../../testing/write-path.ts';
import { pods } from './index.ts';

describe('the labels that a new pod adds to its selectors', () => {
  const labels = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, 'v']));
  const podWith = (terms: number): object => ({
    metadata: { name: 'p', namespace: 'default', labels },
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      topologySpreadConstraints: Array.from({ length: terms }, (_, i) => ({
        maxSkew: 1,
        topologyKey: `zone-${i}`,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: {},
        matchLabelKeys: Object.keys(labels),
      })),
    },
  });
  const path = writePath(undefined, '1.37');

  it('selectors get a condition for each key that the pod has a label of', () => {
    const { object, errors } = path.create(pods, podWith(2));
    assert.deepEqual(errors, []);
    const { topologySpreadConstraints } = object['spec'] as {
      topologySpreadConstraints: { labelSelector: { matchExpressions: object[] } }[];
    };
    const [first, second] = topologySpreadConstraints.map(
      ({ labelSelector }) => labelSelector.matchExpressions,
    );
    assert.deepEqual(first?.[0], { key: 'k0', operator: 'In', values: ['v'] });
    assert.deepEqual([first?.length, second?.length], [100, 100]);
  });

  it('a pod whose terms would each repeat its labels is refused as too large', () => {
    assert.throws(
      () => path.create(pods, podWith(101)),
      (cause) => cause instanceof ApiError && cause.status.code === 413,
    );
  });
});
