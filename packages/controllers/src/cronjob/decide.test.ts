import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { kinds, Stored } from '@orch/client';
import { metaOf } from '../testing/workloads.ts';
import { decideCronJob } from './decide.ts';

type Spec = Partial<kinds.batch.CronJobSpec>;
type Job = Stored<kinds.batch.Job>;

const NOW = Date.UTC(2024, 0, 1, 12, 7);
const due = '2024-01-01T12:05:00Z';
const dueName = `tick-${Date.UTC(2024, 0, 1, 12, 5) / 60_000}`;
const cronJob = (spec: Spec = {}, status: kinds.batch.CronJobStatus = {}): Stored<kinds.batch.CronJob> => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: metaOf('tick', { creationTimestamp: '2024-01-01T11:00:00Z' }),
  spec: {
    schedule: '*/5 * * * *',
    timeZone: 'UTC',
    jobTemplate: { metadata: { labels: { app: 'tick' } }, spec: { template: {} } },
    ...spec,
  },
  status,
});
const job = (name: string, end?: 'Complete' | 'Failed', startTime = '2024-01-01T12:00:00Z'): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: metaOf(name),
  status: {
    startTime,
    ...(end === 'Complete' && { completionTime: startTime }),
    conditions: end === undefined ? [] : [{ type: end, status: 'True' }],
  },
});
const decide = (given: Stored<kinds.batch.CronJob>, jobs: readonly Job[] = []) =>
  decideCronJob({ cronJob: given, jobs, nowMs: NOW, timeAnnotation: 'time' });

describe('the jobs that a CronJob creates and deletes', () => {
  const running = [job('running')];
  for (const [title, given, jobs, created, removed] of [
    ['creates the job of the latest time', cronJob(), [], dueName, []],
    ['creates none twice for a time', cronJob({}, { lastScheduleTime: due }), [], undefined, []],
    ['creates none while it is suspended', cronJob({ suspend: true }), [], undefined, []],
    [
      'creates none after the deadline of the time',
      cronJob({ startingDeadlineSeconds: 60 }),
      [],
      undefined,
      [],
    ],
    [
      'creates one until the deadline of the time',
      cronJob({ startingDeadlineSeconds: 180 }),
      [],
      dueName,
      [],
    ],
    ['creates one beside another that runs', cronJob({ concurrencyPolicy: 'Allow' }), running, dueName, []],
    [
      'waits for the end of the other with Forbid',
      cronJob({ concurrencyPolicy: 'Forbid' }),
      running,
      undefined,
      [],
    ],
    [
      'deletes the other with Replace',
      cronJob({ concurrencyPolicy: 'Replace' }),
      running,
      dueName,
      ['running'],
    ],
    [
      'replaces no job of the same time',
      cronJob({ concurrencyPolicy: 'Replace' }),
      [job(dueName)],
      undefined,
      [],
    ],
    ['creates none for a text that is no schedule', cronJob({ schedule: 'often' }), [], undefined, []],
  ] as const)
    it(`the controller finds that a CronJob ${title}`, () => {
      const { create, remove } = decide(given, jobs);
      assert.deepEqual(
        [create?.metadata.name, remove.map(({ metadata }) => metadata.name)],
        [created, removed],
      );
    });

  it('finished jobs beyond the limits are deleted, the oldest first', () => {
    const at = (hour: number): string => `2024-01-01T0${hour}:00:00Z`;
    const jobs = [
      ...[4, 1, 3, 2].map((hour) => job(`done-${hour}`, 'Complete', at(hour))),
      ...[2, 1].map((hour) => job(`failed-${hour}`, 'Failed', at(hour))),
    ];
    const { remove, status } = decide(cronJob({ suspend: true }), jobs);
    assert.deepEqual(
      remove.map(({ metadata }) => metadata.name),
      ['done-1', 'failed-1'],
    );
    assert.equal(status.lastSuccessfulTime, at(4));
  });

  it('the status shows the time and the jobs that run, and the next time is awaited', () => {
    const { status, recheckMs } = decide(cronJob(), [job('running'), job('done', 'Complete')]);
    assert.equal(status.lastScheduleTime, due);
    assert.deepEqual(
      status.active?.map(({ name }) => name),
      ['running'],
    );
    assert.equal(recheckMs, 180_000);
  });

  it('a job shows its time with the offset of the zone of the CronJob', () => {
    const { metadata } = decide(cronJob({ timeZone: 'Asia/Kolkata' })).create ?? { metadata: {} };
    assert.equal(metadata.annotations?.['time'], '2024-01-01T17:35:00+05:30');
  });

  it('the events name jobs that have ended since the last status, and a job that still runs', () => {
    const status = { active: [{ uid: 'uid-done' }, { uid: 'uid-broken' }] };
    const jobs = [job('done', 'Complete'), job('broken', 'Failed'), job('known', 'Complete'), job('running')];
    const { notes } = decide(cronJob({ concurrencyPolicy: 'Forbid' }, status), jobs);
    assert.deepEqual(
      notes.map(({ reason, message }) => `${reason}: ${message}`),
      [
        'SawCompletedJob: Saw completed job: done, condition: Complete',
        'SawCompletedJob: Saw completed job: broken, condition: Failed',
        'JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid',
      ],
    );
  });

  it('a job has the labels of its template and belongs to the CronJob', () => {
    const { metadata } = decide(cronJob()).create ?? { metadata: {} };
    assert.deepEqual(
      [metadata.labels, metadata.annotations],
      [{ app: 'tick' }, { time: '2024-01-01T12:05:00Z' }],
    );
    assert.equal(metadata.ownerReferences?.[0]?.uid, 'uid-tick');
  });
});
