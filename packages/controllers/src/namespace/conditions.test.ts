import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { kinds } from '@orch/client';
import { conditionsAfter } from './conditions.ts';
import { type ContentReport, isEmpty, summary, waitMs } from './content-report.ts';

const nothing: ContentReport = {
  undiscovered: new Map(),
  unreadable: [],
  failures: new Map(),
  remaining: new Map(),
  finalizers: new Map(),
  graceSeconds: 0,
};
const at = Date.UTC(2024, 0, 1);

const after = (report: Partial<ContentReport>, before: readonly kinds.core.NamespaceCondition[] = []) =>
  conditionsAfter({ ...nothing, ...report }, before, at) ?? before;

describe('conditions of a deleted namespace', () => {
  for (const [type, report, reason, message] of [
    [
      'NamespaceDeletionDiscoveryFailure',
      { undiscovered: new Map([['example.com/v1', 'down']]) },
      'DiscoveryFailed',
      'Discovery failed for some groups, 1 failing: example.com/v1: down',
    ],
    [
      'NamespaceDeletionGroupVersionParsingFailure',
      { unreadable: ['a/b/c'] },
      'GroupVersionParsingFailed',
      'Some group versions cannot be parsed: a/b/c',
    ],
    [
      'NamespaceDeletionContentFailure',
      { failures: new Map([['secrets', 'forbidden']]) },
      'ContentDeletionFailed',
      'Failed to delete all resource types, 1 remaining: secrets: forbidden',
    ],
    [
      'NamespaceContentRemaining',
      {
        remaining: new Map([
          ['pods', 2],
          ['jobs.batch', 1],
        ]),
      },
      'SomeResourcesRemain',
      'Some resources are remaining: jobs.batch has 1 resource instances, pods has 2 resource instances',
    ],
    [
      'NamespaceFinalizersRemaining',
      { finalizers: new Map([['example.com/a', 3]]) },
      'SomeFinalizersRemain',
      'Some content in the namespace has finalizers remaining: example.com/a in 3 resource instances',
    ],
  ] as const) {
    it(`${type} is the only true condition when it blocks the deletion`, () => {
      const conditions = after(report);
      assert.equal(conditions.length, 5);
      for (const condition of conditions) {
        assert.equal(condition.status, condition.type === type ? 'True' : 'False', condition.type);
        assert.equal(condition.lastTransitionTime, '2024-01-01T00:00:00Z');
      }
      const found = conditions.find((condition) => condition.type === type);
      assert.deepEqual([found?.reason, found?.message], [reason, message]);
    });
  }

  it('unchanged conditions are not written, and keep the time of their last transition', () => {
    const first = after({ remaining: new Map([['pods', 2]]) });
    assert.equal(
      conditionsAfter({ ...nothing, remaining: new Map([['pods', 2]]) }, first, at + 9000),
      undefined,
    );
    const fewer = conditionsAfter({ ...nothing, remaining: new Map([['pods', 1]]) }, first, at + 9000) ?? [];
    assert.equal(fewer[3]?.lastTransitionTime, '2024-01-01T00:00:00Z');
    const none = conditionsAfter(nothing, fewer, at + 9000) ?? [];
    assert.deepEqual([none[3]?.status, none[3]?.lastTransitionTime], ['False', '2024-01-01T00:00:09Z']);
  });

  it('conditions of other controllers are unchanged', () => {
    const other: kinds.core.NamespaceCondition = { type: 'Other', status: 'True', reason: 'R', message: 'm' };
    assert.deepEqual(after({}, [other])[0], other);
  });

  it('a message has a maximum length', () => {
    const many = new Map(Array.from({ length: 500 }, (_, i) => [`kind${i}.example.com`, 1]));
    const long = new Map([['secrets', 'x'.repeat(100_000)]]);
    for (const { message = '' } of after({ remaining: many, failures: long }))
      assert.ok(message.length < 20 * 310 + 200, message.slice(0, 100));
    assert.match(after({ remaining: many })[3]?.message ?? '', /, and 480 more$/);
  });
});

describe('reports about remaining content', () => {
  it('a report is empty only without remaining objects and without failures', () => {
    assert.ok(isEmpty(nothing));
    assert.ok(isEmpty({ ...nothing, graceSeconds: 5 }));
    for (const more of [
      { undiscovered: new Map([['v1', 'x']]) },
      { unreadable: ['x'] },
      { failures: new Map([['pods', 'x']]) },
      { remaining: new Map([['pods', 1]]) },
    ]) {
      assert.equal(isEmpty({ ...nothing, ...more }), false);
      assert.match(summary({ ...nothing, ...more }), /^1 /);
    }
  });

  for (const [graceSeconds, sinceMs, expected] of [
    [0, 0, 1_000],
    [0, 20_000, 5_000],
    [0, 3_600_000, 15_000],
    [4, 0, 3_000],
    [30, 0, 15_000],
    [3600, 0, 15_000],
  ] as const) {
    it(`the next examination is after ${expected} ms with ${graceSeconds} s of grace after ${sinceMs} ms`, () => {
      assert.equal(waitMs({ ...nothing, graceSeconds }, sinceMs), expected);
    });
  }
});
