import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { kinds, Stored } from '@orch/client';
import { seededRandom } from '@orch/machinery/testing';
import { Course, tracked } from '../testing/job-course.ts';

type Pod = Stored<kinds.core.Pod>;
type JobSpec = kinds.batch.JobSpec;

const SEEDS = 300;
const indexed = { completionMode: 'Indexed', completions: 3, parallelism: 3 };

describe('the course of a job', () => {
  for (const [title, spec, outcomes, expected] of [
    ['one success completes a job without a number of completions', {}, ['Succeeded'], ['Complete', 1, 0]],
    ['every completion is needed', { completions: 2 }, ['Succeeded', 'Succeeded'], ['Complete', 2, 0]],
    ['a job goes on while completions are missing', { completions: 2 }, ['Succeeded'], [undefined, 1, 0]],
    [
      'failures up to the limit are tried again',
      { backoffLimit: 1 },
      ['Failed', 'Succeeded'],
      ['Complete', 1, 1],
    ],
    ['a failure beyond the limit fails the job', { backoffLimit: 1 }, ['Failed', 'Failed'], ['Failed', 0, 2]],
    [
      'an indexed job completes with all its indexes',
      indexed,
      ['Succeeded', 'Failed', 'Succeeded', 'Succeeded'],
      ['Complete', 3, 1],
    ],
    [
      'an indexed job with a limit for each index fails with the indexes that failed',
      { ...indexed, backoffLimitPerIndex: 0 },
      ['Failed', 'Succeeded', 'Succeeded'],
      ['Failed', 2, 1],
    ],
  ] as const)
    it(title, () => {
      const course = new Course(spec);
      course.run(outcomes);
      const { succeeded = 0, failed = 0 } = course.job.status ?? {};
      const end = ['Complete', 'Failed'].find((type) => course.reason(type) !== undefined);
      assert.deepEqual([end, succeeded, failed], expected);
      if (end !== undefined) assert.deepEqual(course.running, [], 'nothing runs after the end');
    });

  it('the existing pods are counted in a release without finalizers for counting', () => {
    const course = new Course({ completions: 2 }, seededRandom(1), { ...tracked, isTracked: false });
    course.run(['Failed', 'Succeeded', 'Succeeded']);
    const { succeeded, failed, uncountedTerminatedPods } = course.job.status ?? {};
    assert.deepEqual([succeeded, failed, uncountedTerminatedPods], [2, 1, undefined]);
    assert.equal(course.reason('Complete'), 'CompletionsReached');
    assert.deepEqual(
      course.pods.flatMap(({ metadata }) => metadata.finalizers ?? []),
      [],
    );
  });

  it('pods run up to the parallelism, and no more than completions are missing', () => {
    const course = new Course({ parallelism: 3, completions: 4 });
    course.settle();
    assert.equal(course.running.length, 3);
    course.run(['Succeeded', 'Succeeded']);
    assert.equal(course.running.length, 2);
  });

  it('each index has one pod at a time, and the status names those that are done', () => {
    const course = new Course({ ...indexed, completions: 5, parallelism: 5 });
    course.settle();
    assert.deepEqual(course.pods.map((pod) => course.index(pod)).sort(), ['0', '1', '2', '3', '4']);
    for (const index of ['0', '2', '3', '4'])
      course.end(
        course.pods.find((pod) => course.index(pod) === index),
        'Succeeded',
      );
    course.settle();
    assert.equal(course.job.status?.completedIndexes, '0,2-4');
  });

  it('the next pod after a failure waits, longer with each further one', () => {
    const course = new Course({});
    course.step();
    const waits = [1, 2, 3].map(() => {
      course.end(course.running[0], 'Failed');
      const { recheckMs = 0 } = course.step();
      course.nowMs += recheckMs;
      course.step();
      return recheckMs;
    });
    assert.deepEqual(waits, [10_000, 20_000, 40_000]);
  });

  it('a job that is over its deadline fails, and its pods are deleted and count as failures', () => {
    const course = new Course({ activeDeadlineSeconds: 5 });
    course.step();
    assert.equal(course.step().recheckMs, 5000);
    course.nowMs += 5000;
    course.step();
    course.step();
    assert.equal(course.reason('Failed'), 'DeadlineExceeded');
    assert.deepEqual([course.running, course.job.status?.failed], [[], 1]);
  });

  it('a suspended job has no pods, and starts again when it is resumed', () => {
    const course = new Course({ suspend: true });
    course.settle();
    assert.deepEqual([course.pods, course.reason('Suspended')], [[], 'JobSuspended']);
    assert.equal(course.job.status?.startTime, undefined);
    course.job = { ...course.job, spec: { ...course.job.spec, template: {}, suspend: false } };
    course.run(['Succeeded']);
    assert.equal(course.reason('Complete'), 'CompletionsReached');
  });

  const policy = (action: string): Partial<JobSpec> => ({
    backoffLimit: 0,
    podFailurePolicy: { rules: [{ action, onExitCodes: { operator: 'In', values: [42] } }] },
  });

  it('a failure that the policy ignores does not count', () => {
    const course = new Course(policy('Ignore'));
    course.settle();
    course.end(course.running[0], 'Failed', 42);
    course.settle();
    course.run(['Succeeded']);
    assert.deepEqual([course.reason('Complete'), course.job.status?.failed], ['CompletionsReached', 0]);
  });

  it('a failure that the policy makes fatal ends the job at once', () => {
    const course = new Course({ ...policy('FailJob'), parallelism: 2, backoffLimit: 6 });
    course.settle();
    course.end(course.running[0], 'Failed', 42);
    course.settle();
    assert.equal(course.reason('Failed'), 'PodFailurePolicy');
    assert.deepEqual(course.running, []);
  });

  it('a fatal failure names container, pod and exit code', () => {
    const course = new Course({ ...policy('FailJob'), backoffLimit: 6 });
    course.settle();
    const [pod] = course.running;
    course.end(pod, 'Failed', 42);
    course.settle();
    const failed = course.job.status?.conditions?.find(({ type }) => type === 'Failed');
    const { namespace, name } = pod?.metadata ?? {};
    assert.equal(
      failed?.message,
      `Container main for pod ${namespace}/${name} failed with exit code 42 matching FailJob rule at index 0`,
    );
  });

  for (const waitsForPods of [true, false])
    it(`a failed job ${waitsForPods ? 'waits for its pods to end' : 'does not wait for its pods to end before 1.31'}`, () => {
      const course = new Course({ parallelism: 2, backoffLimit: 0 }, seededRandom(1), {
        ...tracked,
        waitsForPods,
      });
      course.settle();
      const pod = course.marked(course.running[0]);
      course.settle();
      const types = course.job.status?.conditions?.map(({ type }) => type);
      assert.deepEqual(types, [waitsForPods ? 'FailureTarget' : 'Failed']);
      course.gone(pod);
      course.settle();
      assert.equal(course.reason('Failed'), 'BackoffLimitExceeded');
      assert.equal(course.job.status?.failed, 2);
    });

  it('a complete job of a release before 1.31 has no reason, and waits for the pods that still run', () => {
    const course = new Course({ completions: 2, parallelism: 2 }, seededRandom(1), {
      ...tracked,
      waitsForPods: false,
    });
    course.settle();
    course.run(['Succeeded', 'Succeeded']);
    const found = course.job.status?.conditions?.map(({ type, reason }) => [type, reason]);
    assert.deepEqual(found, [['Complete', '']]);
  });

  it('a job of a release before 1.31 records the decision of a policy before it fails', () => {
    const course = new Course({ ...policy('FailJob'), backoffLimit: 6 }, seededRandom(1), {
      ...tracked,
      waitsForPods: false,
    });
    course.settle();
    course.end(course.running[0], 'Failed', 42);
    course.settle();
    assert.deepEqual(
      course.job.status?.conditions?.map(({ type }) => type),
      ['FailureTarget', 'Failed'],
    );
  });

  it('a pod that is stopped with its job is a failure also if it succeeds before it is deleted', () => {
    const course = new Course({ ...indexed, backoffLimit: 0 });
    course.settle();
    course.end(course.at('0'), 'Failed');
    course.step(1);
    course.end(course.at('1'), 'Succeeded');
    course.settle();
    const { succeeded, failed, completedIndexes } = course.job.status ?? {};
    assert.deepEqual([succeeded, failed, completedIndexes], [0, 3, undefined]);
  });

  it('an index that has failed waits alone, and its pods know the failures of those before', () => {
    const course = new Course({ ...indexed, backoffLimitPerIndex: 2, backoffLimit: 100 });
    course.step();
    const at = (index: string): Pod | undefined => course.running.find((pod) => course.index(pod) === index);
    const failures = (index: string) => at(index)?.metadata.annotations?.[tracked.failures];
    assert.deepEqual(['0', '1', '2'].map(failures), ['0', '0', '0']);
    course.end(at('1'), 'Failed');
    course.step();
    assert.equal(course.step().recheckMs, 10_000);
    course.nowMs += 10_000;
    course.step();
    assert.equal(failures('1'), '1');
    // Its first pod is gone, and counts.
    course.pods = course.pods.filter(({ status }) => status?.phase !== 'Failed');
    course.end(at('1'), 'Failed');
    course.step();
    assert.equal(course.step().recheckMs, 20_000);
    course.nowMs += 20_000;
    course.step();
    course.end(at('1'), 'Failed');
    course.step();
    assert.equal(course.job.status?.failedIndexes, '1');
  });

  it('a success policy completes a job with some of its indexes', () => {
    const course = new Course({
      ...indexed,
      successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 1 }] },
    });
    course.settle();
    course.end(
      course.pods.find((pod) => course.index(pod) === '1'),
      'Succeeded',
    );
    course.settle();
    assert.equal(course.reason('Complete'), 'SuccessPolicy');
  });
});

describe('the account of random jobs', () => {
  it(`each ended pod is counted once, whatever writes are lost (${SEEDS} seeds)`, () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = seededRandom(seed);
      const isIndexed = random.int(2) === 0;
      const completions = 1 + random.int(5);
      const parallelism = 1 + random.int(4);
      const course = new Course(
        { completions, parallelism, backoffLimit: 3, ...(isIndexed && { completionMode: 'Indexed' }) },
        random,
        { ...tracked, waitsForPods: random.int(2) === 0 },
      );
      try {
        for (let step = 0; step < 80; step++) {
          const pod = course.running[random.int(Math.max(1, course.running.length))];
          if (random.int(3) === 0 && pod !== undefined)
            course.end(pod, random.int(3) === 0 ? 'Failed' : 'Succeeded');
          else course.step(random.int(6));
          course.nowMs += random.int(30_000);
        }
        while (course.reason('Complete') === undefined && course.reason('Failed') === undefined)
          course.run(['Succeeded']);
        course.settle();
        const { succeeded = 0, failed = 0 } = course.job.status ?? {};
        assert.deepEqual({ Succeeded: succeeded, Failed: failed }, course.ended);
        assert.ok(succeeded <= completions || !isIndexed, 'more indexes are complete than exist');
        assert.ok(course.pods.every(({ metadata }) => (metadata.finalizers ?? []).length === 0));
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  });
});
