import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { kinds } from '@orch/client';
import { readAmounts } from '@orch/quota';
import { nextStatus, quotaSpec, sameSpec } from './status.ts';

const quota = (
  hard: Record<string, string>,
  status?: kinds.core.ResourceQuotaStatus,
): kinds.core.ResourceQuota => ({
  metadata: { name: 'q', namespace: 'n' },
  spec: { hard },
  ...(status && { status }),
});
const hard = { pods: '5', 'requests.cpu': '2' };
const statusOf = (used: Record<string, string>): kinds.core.ResourceQuotaStatus => ({ hard, used });

describe('the next status of a quota', () => {
  for (const [title, given, found, rest, expected] of [
    [
      'the status of a new quota has the usage of all bounds',
      quota(hard),
      { pods: '0', 'requests.cpu': '0' },
      {},
      statusOf({ pods: '0', 'requests.cpu': '0' }),
    ],
    [
      'an unchanged usage is not written',
      quota(hard, statusOf({ pods: '1', 'requests.cpu': '500m' })),
      { pods: '1', 'requests.cpu': '0.5' },
      {},
      undefined,
    ],
    [
      'bounds in another notation are not written',
      quota(hard, { hard: { pods: '5', 'requests.cpu': '2000m' }, used: { pods: '1', 'requests.cpu': '0' } }),
      { pods: '1', 'requests.cpu': '0' },
      {},
      undefined,
    ],
    [
      'a higher usage is written',
      quota(hard, statusOf({ pods: '1', 'requests.cpu': '0' })),
      { pods: '2', 'requests.cpu': '1' },
      { mayLower: false },
      statusOf({ pods: '2', 'requests.cpu': '1' }),
    ],
    [
      'a lower usage is written after a deletion',
      quota(hard, statusOf({ pods: '3', 'requests.cpu': '1' })),
      { pods: '2', 'requests.cpu': '1' },
      {},
      statusOf({ pods: '2', 'requests.cpu': '1' }),
    ],
    [
      'a lower usage is not written without a deletion',
      quota(hard, statusOf({ pods: '3', 'requests.cpu': '1' })),
      { pods: '2', 'requests.cpu': '1' },
      { mayLower: false },
      undefined,
    ],
    [
      'a lower usage of one bound is not written with the higher usage of another',
      quota(hard, statusOf({ pods: '3', 'requests.cpu': '1' })),
      { pods: '2', 'requests.cpu': '2' },
      { mayLower: false },
      statusOf({ pods: '3', 'requests.cpu': '2' }),
    ],
    [
      'usage that was added in advance is kept when another object is deleted',
      quota(hard, statusOf({ pods: '4', 'requests.cpu': '1500m' })),
      { pods: '1', 'requests.cpu': '500m' },
      { mayLower: false, released: { pods: '1', 'requests.cpu': '500m' } },
      statusOf({ pods: '3', 'requests.cpu': '1' }),
    ],
    [
      'released usage does not lower the usage below what exists',
      quota(hard, statusOf({ pods: '3', 'requests.cpu': '1' })),
      { pods: '3', 'requests.cpu': '1' },
      { mayLower: false, released: { pods: '2' } },
      undefined,
    ],
    [
      'the usage of a new bound is added',
      quota(hard, { hard: { pods: '9' }, used: { pods: '3' } }),
      { pods: '3', 'requests.cpu': '1' },
      { mayLower: false },
      statusOf({ pods: '3', 'requests.cpu': '1' }),
    ],
    [
      'the usage of a removed bound is removed',
      quota({ pods: '5' }, statusOf({ pods: '1', 'requests.cpu': '1' })),
      { pods: '1' },
      {},
      { hard: { pods: '5' }, used: { pods: '1' } },
    ],
    [
      'a bound that cannot be counted has no usage',
      quota(hard, statusOf({ pods: '1', 'requests.cpu': '1' })),
      { pods: '1' },
      {},
      statusOf({ pods: '1' }),
    ],
    [
      'the usage of a temporarily uncountable bound is kept',
      quota(hard, statusOf({ pods: '1', 'requests.cpu': '1' })),
      { pods: '2' },
      { uncertain: ['requests.cpu'] },
      statusOf({ pods: '2', 'requests.cpu': '1' }),
    ],
    [
      'a temporarily uncountable bound without usage gets none',
      quota(hard),
      { pods: '2' },
      { uncertain: ['requests.cpu'] },
      statusOf({ pods: '2' }),
    ],
    ['a quota without bounds is unchanged', quota({}, {}), {}, {}, undefined],
  ] as const) {
    it(title, () => {
      const {
        mayLower = true,
        uncertain = [],
        released = {},
      } = rest as { mayLower?: boolean; uncertain?: readonly string[]; released?: object };
      const counted = {
        used: readAmounts(found),
        uncertain: new Set(uncertain),
        mayLower,
        released: readAmounts(released),
      };
      assert.deepEqual(nextStatus(given, counted), expected);
    });
  }

  it('the status of a quota is complete after one write', () => {
    const counted = {
      used: readAmounts({ pods: '2', 'requests.cpu': '1' }),
      uncertain: new Set<string>(),
      mayLower: true,
    };
    const status = nextStatus(quota(hard), counted);
    assert.equal(nextStatus(quota(hard, status), counted), undefined);
    assert.deepEqual(nextStatus(quota(hard, status), { ...counted, isUncertain: true }), status);
  });
});

describe('comparison of quota specs', () => {
  it('quotaSpec reads scopes, scope selectors and an empty quota', () => {
    const spec = {
      hard: { pods: '1' },
      scopes: ['NotTerminating'],
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }] },
    };
    assert.deepEqual(quotaSpec({ metadata: {}, spec }), {
      hard: { pods: '1' },
      bounds: ['pods'],
      conditions: [
        { scope: 'NotTerminating', operator: 'Exists', values: [] },
        { scope: 'PriorityClass', operator: 'In', values: ['a'] },
      ],
    });
    assert.deepEqual(quotaSpec({ metadata: {} }), { hard: {}, bounds: [], conditions: [] });
  });

  it('sameSpec ignores status and metadata', () => {
    assert.ok(
      sameSpec(quota(hard), { ...quota(hard, statusOf({})), metadata: { name: 'q', labels: { a: 'b' } } }),
    );
    assert.ok(!sameSpec(quota(hard), quota({ pods: '6' })));
  });
});
