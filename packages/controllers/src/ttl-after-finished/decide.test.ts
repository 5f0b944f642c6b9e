import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { decideJob } from './decide.ts';

const END = Date.UTC(2024, 0, 1);
const at = new Date(END).toISOString();
const ended = (type = 'Complete', status = 'True', lastTransitionTime: unknown = at): object => ({
  type,
  status,
  lastTransitionTime,
});
const job = (ttl: unknown, conditions?: readonly object[], metadata: object = {}): ApiObject => ({
  metadata: { name: 'j', ...metadata },
  spec: ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl },
  ...(conditions && { status: { conditions } }),
});
const keep = { kind: 'keep' };

describe('decideJob', () => {
  for (const [title, given, nowMs, expected] of [
    ['one that says nothing about it stays', job(undefined, [ended()]), END + 1e12, keep],
    ['one that runs stays', job(5), END, keep],
    ['one that is about to fail stays', job(5, [ended('FailureTarget')]), END + 1e6, keep],
    ['one that was suspended stays', job(5, [ended('Suspended')]), END + 1e6, keep],
    ['one whose end is denied stays', job(5, [ended('Complete', 'False')]), END + 1e6, keep],
    ['one that does not say when it ended stays', job(5, [ended('Complete', 'True', null)]), END + 1e6, keep],
    ['one that is being deleted stays', job(0, [ended()], { deletionTimestamp: at }), END + 1e6, keep],
    ['a complete one waits for its time', job(5, [ended()]), END + 1000, { kind: 'wait', ms: 4000 }],
    [
      'a failed one as well',
      job(5, [ended('Suspended', 'False'), ended('Failed')]),
      END + 4999,
      { kind: 'wait', ms: 1 },
    ],
    ['then it goes', job(5, [ended()]), END + 5000, { kind: 'delete' }],
    ['without any time it goes at once', job(0, [ended()]), END, { kind: 'delete' }],
    [
      'one that ended in the future, by another clock, waits longer',
      job(5, [ended()]),
      END - 1000,
      { kind: 'wait', ms: 6000 },
    ],
  ] as const) {
    it(title, () => assert.deepEqual(decideJob(given, nowMs), expected));
  }
});
