import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type WorkloadOptions, workloadControllers, workloadsOf } from './workload-options.ts';

describe('the options of workloads', () => {
  it('workloads are off when no option names them', () => {
    assert.equal(workloadsOf({}), undefined);
    assert.equal(workloadsOf({ workloads: false }), undefined);
  });

  it('true stands for all controllers, three nodes and pods that are ready at once', () => {
    const { controllers, nodes, rules } = workloadsOf({ workloads: true }) ?? {};
    assert.deepEqual([controllers, nodes, rules?.readyAfterMs], [workloadControllers, 3, 0]);
  });

  it('names select the controllers that run', () => {
    assert.deepEqual(workloadsOf({ workloads: ['job'] })?.controllers, ['job']);
  });

  it('durations are texts or milliseconds', () => {
    const pods = { readyAfter: '1.5s', succeedAfter: 20, fail: [{ pods: 'web-*', after: '20ms', times: 2 }] };
    const { rules } = workloadsOf({ workloads: true, pods }) ?? {};
    assert.deepEqual(rules, {
      readyAfterMs: 1500,
      succeedAfterMs: 20,
      restartAfterMs: 100,
      endAfterMs: 0,
      fail: [{ pods: 'web-*', afterMs: 20, times: 2 }],
    });
  });

  const unknown: readonly string[] = ['jobs'];
  for (const [title, options, message] of [
    ['pods without workloads', { pods: {} }, /pods must not be given without workloads/],
    [
      'an unknown controller',
      { workloads: unknown } as WorkloadOptions,
      /must be names of deployment, .*: "jobs"/,
    ],
    ['a fraction of a node', { workloads: true, nodes: 1.5 }, /nodes must be a whole number from 0 to 10000/],
    ['a text without a unit', { workloads: true, pods: { readyAfter: '20' } }, /readyAfter must be .*: "20"/],
    ['a negative duration', { workloads: true, pods: { endAfter: -1 } }, /endAfter must be .*: -1/],
    [
      'an endless duration',
      { workloads: true, pods: { fail: [{ pods: 'a', after: Infinity }] } },
      /after must be/,
    ],
  ] as const)
    it(`the options are refused with ${title}`, () =>
      assert.throws(() => workloadsOf(options), { name: 'UsageError', message }));
});
