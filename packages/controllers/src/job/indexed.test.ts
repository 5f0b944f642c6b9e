import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { Course, tracked } from '../testing/job-course.ts';
import { jobPod } from './pod.ts';

const indexed = { completionMode: 'Indexed', completions: 3, parallelism: 3 };
const perIndex = { ...indexed, backoffLimitPerIndex: 1, backoffLimit: 2_147_483_647 };

describe('the course of an indexed job', () => {
  it('a job that becomes smaller keeps the pods of the numbers that are left', () => {
    const course = new Course({ ...indexed, completions: 5, parallelism: 5 });
    course.settle();
    course.change({ completions: 2, parallelism: 2 });
    course.settle();
    assert.deepEqual(course.running.map((pod) => course.index(pod)).sort(), ['0', '1']);
    course.run(['Succeeded', 'Succeeded']);
    assert.deepEqual(
      [course.reason('Complete'), course.job.status?.completedIndexes],
      ['CompletionsReached', '0,1'],
    );
  });

  it('a number that is done when the job shrinks is run again when it grows', () => {
    const course = new Course(indexed);
    course.settle();
    course.end(course.at('2'), 'Succeeded');
    course.settle();
    for (const count of [2, 3]) {
      course.change({ completions: count, parallelism: count });
      course.settle();
    }
    assert.deepEqual(course.running.map((pod) => course.index(pod)).sort(), ['0', '1', '2']);
  });

  it('a pod whose number has another pod is deleted', () => {
    const course = new Course(indexed);
    course.settle();
    const copy = course.at('1');
    assert.ok(copy !== undefined);
    course.pods.push({ ...copy, metadata: { ...copy.metadata, name: 'copy', uid: 'copy' } });
    course.end(course.at('0'), 'Succeeded');
    course.settle();
    assert.deepEqual(course.running.map((pod) => course.index(pod)).sort(), ['1', '2']);
  });

  it('the next number waits until the one before has no failures left to try', () => {
    const course = new Course({ ...perIndex, parallelism: 1 });
    course.step();
    course.end(course.at('0'), 'Failed');
    course.step();
    assert.deepEqual(course.running, []);
    course.nowMs += 10_000;
    course.step();
    assert.deepEqual(
      course.running.map((pod) => course.index(pod)),
      ['0'],
    );
    course.end(course.at('0'), 'Failed');
    course.step();
    course.step();
    assert.deepEqual(
      course.running.map((pod) => course.index(pod)),
      ['1'],
    );
  });

  it('a failed pod keeps its finalizer until another pod of its number knows the failure', () => {
    const course = new Course(perIndex);
    course.step();
    const failed = course.at('1');
    course.end(failed, 'Failed');
    course.step();
    course.step();
    const finalizers = (): number =>
      course.pods.find(({ metadata }) => metadata.uid === failed?.metadata.uid)?.metadata.finalizers
        ?.length ?? 0;
    assert.deepEqual([finalizers(), course.job.status?.failed], [1, 0]);
    course.nowMs += 10_000;
    course.settle();
    assert.deepEqual([finalizers(), course.job.status?.failed], [0, 1]);
    assert.equal(course.at('1')?.metadata.annotations?.[tracked.failures], '1');
  });

  it('a failure that the policy ignores is known to the next pod of the number, and it waits for longer', () => {
    const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [42] } }];
    const course = new Course({ ...perIndex, podFailurePolicy: { rules } });
    course.step();
    const waits = [1, 2].map(() => {
      course.end(course.at('1'), 'Failed', 42);
      course.step();
      const { recheckMs = 0 } = course.step();
      course.nowMs += recheckMs;
      course.step();
      return recheckMs;
    });
    assert.deepEqual(waits, [10_000, 20_000]);
    const { annotations = {} } = course.at('1')?.metadata ?? {};
    assert.deepEqual([annotations[tracked.failures], annotations[tracked.ignored]], ['0', '2']);
  });

  it('the limit of the whole job counts beside the limit for each number', () => {
    const course = new Course({ ...perIndex, backoffLimitPerIndex: 5, backoffLimit: 1 });
    course.step();
    for (const index of ['0', '1']) course.end(course.at(index), 'Failed');
    course.settle();
    assert.equal(course.reason('Failed'), 'BackoffLimitExceeded');
  });

  it('a rule of the success policy without any number of the job does not complete it', () => {
    const course = new Course({ ...indexed, successPolicy: { rules: [{ succeededIndexes: '7' }] } });
    course.run(['Succeeded']);
    assert.equal(course.reason('SuccessCriteriaMet'), undefined);
  });

  it('the host name of a pod has its number, whatever the template says', () => {
    const template = { spec: { hostname: 'own', containers: [{ name: 'main' }] } };
    const { job } = new Course({ ...indexed, template });
    const pod = jobPod(job, { index: 2 }, { keys: tracked, random: seededRandom(1) });
    assert.equal(pod.spec?.hostname, 'work-2');
  });
});
