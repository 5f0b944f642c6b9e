import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { readAmounts } from '@orch/quota';
import { nextStatus, quotaSpec, sameSpec } from './status.ts';

const quota = (hard: object, status?: object): ApiObject => ({
  metadata: { name: 'q', namespace: 'n' },
  spec: { hard },
  ...(status && { status }),
});
const hard = { pods: '5', 'requests.cpu': '2' };
const told = (used: object): object => ({ hard, used });

describe('nextStatus', () => {
  for (const [title, given, found, rest, expected] of [
    [
      'a new quota is told everything',
      quota(hard),
      { pods: '0', 'requests.cpu': '0' },
      {},
      told({ pods: '0', 'requests.cpu': '0' }),
    ],
    [
      'nothing new is not written',
      quota(hard, told({ pods: '1', 'requests.cpu': '500m' })),
      { pods: '1', 'requests.cpu': '0.5' },
      {},
      undefined,
    ],
    [
      'nor the same bounds said otherwise',
      quota(hard, { hard: { pods: '5', 'requests.cpu': '2000m' }, used: { pods: '1', 'requests.cpu': '0' } }),
      { pods: '1', 'requests.cpu': '0' },
      {},
      undefined,
    ],
    [
      'more is said',
      quota(hard, told({ pods: '1', 'requests.cpu': '0' })),
      { pods: '2', 'requests.cpu': '1' },
      { mayLower: false },
      told({ pods: '2', 'requests.cpu': '1' }),
    ],
    [
      'less is said when something went',
      quota(hard, told({ pods: '3', 'requests.cpu': '1' })),
      { pods: '2', 'requests.cpu': '1' },
      {},
      told({ pods: '2', 'requests.cpu': '1' }),
    ],
    [
      'less is not said otherwise',
      quota(hard, told({ pods: '3', 'requests.cpu': '1' })),
      { pods: '2', 'requests.cpu': '1' },
      { mayLower: false },
      undefined,
    ],
    [
      'nor for one bound while there is more of the other',
      quota(hard, told({ pods: '3', 'requests.cpu': '1' })),
      { pods: '2', 'requests.cpu': '2' },
      { mayLower: false },
      told({ pods: '3', 'requests.cpu': '2' }),
    ],
    [
      'a new bound is said beside the others',
      quota(hard, { hard: { pods: '9' }, used: { pods: '3' } }),
      { pods: '3', 'requests.cpu': '1' },
      { mayLower: false },
      told({ pods: '3', 'requests.cpu': '1' }),
    ],
    [
      'a bound that is no more is not said',
      quota({ pods: '5' }, told({ pods: '1', 'requests.cpu': '1' })),
      { pods: '1' },
      {},
      { hard: { pods: '5' }, used: { pods: '1' } },
    ],
    [
      'what nobody can count is not said',
      quota(hard, told({ pods: '1', 'requests.cpu': '1' })),
      { pods: '1' },
      {},
      told({ pods: '1' }),
    ],
    [
      'what nobody can count at the moment stays',
      quota(hard, told({ pods: '1', 'requests.cpu': '1' })),
      { pods: '2' },
      { uncertain: ['requests.cpu'] },
      told({ pods: '2', 'requests.cpu': '1' }),
    ],
    [
      'or is left out where nothing was said',
      quota(hard),
      { pods: '2' },
      { uncertain: ['requests.cpu'] },
      told({ pods: '2' }),
    ],
    ['a quota without bounds needs nothing', quota({}, {}), {}, {}, undefined],
  ] as const) {
    it(title, () => {
      const { mayLower = true, uncertain = [] } = rest as {
        mayLower?: boolean;
        uncertain?: readonly string[];
      };
      const counted = { used: readAmounts(found), uncertain: new Set(uncertain), mayLower };
      assert.deepEqual(nextStatus(given, counted), expected);
    });
  }

  it('is done after one write', () => {
    const counted = {
      used: readAmounts({ pods: '2', 'requests.cpu': '1' }),
      uncertain: new Set<string>(),
      mayLower: true,
    };
    const status = nextStatus(quota(hard), counted);
    assert.equal(nextStatus({ ...quota(hard), status }, counted), undefined);
    assert.deepEqual(nextStatus({ ...quota(hard), status }, { ...counted, isDoubtful: true }), status);
  });
});

describe('quotaSpec', () => {
  it('reads both forms of conditions, and a quota that says nothing', () => {
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

  it('is the same whatever the status and the metadata are', () => {
    assert.ok(
      sameSpec(quota(hard), { ...quota(hard, told({})), metadata: { name: 'q', labels: { a: 'b' } } }),
    );
    assert.ok(!sameSpec(quota(hard), quota({ pods: '6' })));
  });
});
