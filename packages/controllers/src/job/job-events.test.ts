import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { kinds, Stored } from '@orch/client';
import { metaOf } from '../testing/workloads.ts';
import { eventsOf } from './job-events.ts';
import { hasKnownMode } from './job-state.ts';

const jobWith = (spec: Partial<kinds.batch.JobSpec>): Stored<kinds.batch.Job> => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: metaOf('work'),
  spec: { template: {}, ...spec },
});
const complete = { type: 'Complete', status: 'True' };

describe('events about jobs', () => {
  for (const [completions, succeeded, expected] of [
    [2, 2, ['Completed']],
    [2, 3, ['TooManySucceededPods', 'Completed']],
    [undefined, 3, ['Completed']],
  ] as const)
    it(`a job with ${succeeded} successes of ${completions ?? 'any number'} has the events ${expected.join(' and ')}`, () => {
      const job = jobWith(completions === undefined ? {} : { completions });
      const events = eventsOf(job, { succeeded, conditions: [complete] });
      assert.deepEqual(
        events.map(({ reason }) => reason),
        expected,
      );
    });

  it('modes of completion that the controller does not know are told apart', () => {
    const known = [undefined, 'NonIndexed', 'Indexed', 'Other'].map((completionMode) =>
      hasKnownMode(jobWith(completionMode === undefined ? {} : { completionMode })),
    );
    assert.deepEqual(known, [true, true, true, false]);
  });
});
