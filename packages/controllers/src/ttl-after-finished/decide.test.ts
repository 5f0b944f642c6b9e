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

describe('decisions about finished jobs', () => {
  for (const [title, given, nowMs, expected] of [
    ['without a time to live is kept', job(undefined, [ended()]), END + 1e12, keep],
    ['that runs is kept', job(5), END, keep],
    ['that is about to fail is kept', job(5, [ended('FailureTarget')]), END + 1e6, keep],
    ['that is suspended is kept', job(5, [ended('Suspended')]), END + 1e6, keep],
    ['whose condition Complete is False is kept', job(5, [ended('Complete', 'False')]), END + 1e6, keep],
    ['without the time of its end is kept', job(5, [ended('Complete', 'True', null)]), END + 1e6, keep],
    ['that is being deleted is kept', job(0, [ended()], { deletionTimestamp: at }), END + 1e6, keep],
    [
      'that is complete waits for its time to live',
      job(5, [ended()]),
      END + 1000,
      { kind: 'wait', ms: 4000 },
    ],
    [
      'that has failed waits for its time to live',
      job(5, [ended('Suspended', 'False'), ended('Failed')]),
      END + 4999,
      { kind: 'wait', ms: 1 },
    ],
    ['whose time to live has passed is deleted', job(5, [ended()]), END + 5000, { kind: 'delete' }],
    ['with a time to live of 0 is deleted at once', job(0, [ended()]), END, { kind: 'delete' }],
    [
      'that ended in the future, by another clock, waits longer',
      job(5, [ended()]),
      END - 1000,
      { kind: 'wait', ms: 6000 },
    ],
  ] as const) {
    it(`the controller finds that a job ${title}`, () => assert.deepEqual(decideJob(given, nowMs), expected));
  }
});
