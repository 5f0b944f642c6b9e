import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Course } from '../testing/job-course.ts';

describe('failures and deleted pods of a job', () => {
  it('pods that have ended are counted among more pods that run than one write counts', () => {
    const course = new Course({ parallelism: 700, completions: 700 });
    course.settle();
    assert.equal(course.running.length, 700);
    for (const pod of course.running.slice(600)) course.end(pod, 'Succeeded');
    course.settle();
    assert.deepEqual([course.job.status?.succeeded, course.running.length], [100, 600]);
  });

  it('each of many pods that a failed job stops is a failure', () => {
    const course = new Course({ parallelism: 700, completions: 700, backoffLimit: 0 });
    course.settle();
    course.end(course.running[699], 'Failed');
    course.settle();
    assert.deepEqual([course.reason('Failed'), course.job.status?.failed], ['BackoffLimitExceeded', 700]);
  });

  it('the status names the pods that are made with the start of the job', () => {
    const course = new Course({ parallelism: 2, completions: 2 });
    course.step();
    const { startTime, active } = course.job.status ?? {};
    assert.deepEqual([startTime !== undefined, active, course.running.length], [true, 2, 2]);
  });

  it('the status does not count a pod that a smaller job deletes', () => {
    const course = new Course({ parallelism: 3, completions: 5 });
    course.settle();
    course.change({ parallelism: 1 });
    course.step();
    const { active, terminating } = course.job.status ?? {};
    assert.deepEqual([active, terminating, course.running.length], [1, 2, 1]);
  });

  it('a pod that somebody deletes is a failure, and the next waits, even when it is gone', () => {
    const course = new Course({});
    course.step();
    const pod = course.marked(course.running[0]);
    course.step();
    assert.equal(course.step().recheckMs, 10_000);
    course.gone(pod);
    course.step();
    assert.deepEqual(course.running, []);
    course.nowMs += 10_000;
    course.step();
    assert.deepEqual([course.running.length, course.job.status?.failed], [1, 1]);
  });

  it('failures at once count together for the delay', () => {
    const course = new Course({ parallelism: 3, completions: 3 });
    course.step();
    for (const pod of course.running) course.end(pod, 'Failed');
    course.step();
    assert.equal(course.step().recheckMs, 40_000);
  });

  it('a success ends the delay', () => {
    const course = new Course({ parallelism: 2, completions: 3 });
    course.step();
    course.end(course.running[0], 'Failed');
    course.step();
    course.end(course.running[0], 'Succeeded');
    course.nowMs += 1000;
    course.step();
    assert.equal(course.running.length, 2);
  });

  it('a failed job does not wait for the phase of a pod that is being deleted to count it', () => {
    const course = new Course({
      parallelism: 2,
      completions: 2,
      backoffLimit: 0,
      podReplacementPolicy: 'Failed',
    });
    course.step();
    course.marked(course.running[0]);
    course.end(course.running[1], 'Failed');
    course.step();
    course.step();
    assert.equal(course.job.status?.failed, 2);
  });

  it('a job counts the restarts of all containers of its pods', () => {
    const course = new Course({
      backoffLimit: 3,
      template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'a' }, { name: 'b' }] } },
    });
    course.step();
    const [pod] = course.pods;
    assert.ok(pod !== undefined);
    const restarts = (name: string, restartCount: number) => ({
      name,
      image: '',
      imageID: '',
      ready: true,
      restartCount,
    });
    course.pods = [
      {
        ...pod,
        status: {
          phase: 'Running',
          initContainerStatuses: [restarts('first', 1)],
          containerStatuses: [restarts('a', 1), restarts('b', 1)],
        },
      },
    ];
    course.settle();
    assert.equal(course.reason('Failed'), 'BackoffLimitExceeded');
  });

  it('pods of a job that waits for its own deletion lose their finalizers', () => {
    const course = new Course({ podReplacementPolicy: 'Failed' });
    course.settle();
    course.job = {
      ...course.job,
      metadata: { ...course.job.metadata, deletionTimestamp: new Date(course.nowMs).toISOString() },
    };
    course.settle();
    assert.deepEqual([course.pods.length, course.pods[0]?.metadata.finalizers], [1, []]);
  });

  it('pods that run after the first success of a job without completions are left alone', () => {
    const course = new Course({ parallelism: 3 });
    course.settle();
    course.end(course.running[0], 'Succeeded');
    course.change({ parallelism: 1 });
    course.settle();
    assert.deepEqual([course.running.length, course.reason('Complete')], [2, undefined]);
    course.run(['Succeeded', 'Succeeded']);
    assert.equal(course.reason('Complete'), 'CompletionsReached');
  });

  it('a job that is resumed starts anew', () => {
    const course = new Course({});
    course.settle();
    const { startTime } = course.job.status ?? {};
    course.change({ suspend: true });
    course.step();
    assert.equal(course.job.status?.startTime, undefined);
    course.change({ suspend: false });
    course.nowMs += 5000;
    course.step();
    const again = course.job.status?.startTime;
    assert.ok(again !== undefined && again !== startTime);
  });
});
