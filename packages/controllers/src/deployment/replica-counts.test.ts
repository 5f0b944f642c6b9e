import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { template } from '../testing/workloads.ts';
import { limitsOf } from './replica-counts.ts';

const limits = (replicas: number, maxSurge: number | string, maxUnavailable: number | string) =>
  limitsOf({
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: null,
      template,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
    },
  });

describe('the limits of a rollout', () => {
  for (const [title, given, maxSurge, maxUnavailable] of [
    [
      'percentages of the surge are rounded up, those of unavailable pods down',
      limits(10, '25%', '25%'),
      3,
      2,
    ],
    ['numbers are taken as they are', limits(10, 4, 3), 4, 3],
    ['one pod may be unavailable when both limits round to nothing', limits(3, 0, '25%'), 0, 1],
    ['no more pods may be unavailable than are desired', limits(2, 1, 5), 1, 2],
    ['without replicas no pod is unavailable, and the number of the surge stays', limits(0, 1, '25%'), 1, 0],
  ] as const)
    it(title, () => assert.deepEqual(given, { maxSurge, maxUnavailable }));
});
