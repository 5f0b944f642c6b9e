import assert from 'node:assert/strict';
import type { kinds, Stored } from '@orch/client';
import type { Random } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import type { BackoffRecord } from '../job/backoff.ts';
import { decideJob, type JobDecision, withCreated } from '../job/decide.ts';
import type { PodSlot } from '../job/plan.ts';
import { jobPod } from '../job/pod.ts';
import { metaOf, NOW, podWith } from './workloads.ts';

type Job = Stored<kinds.batch.Job>;
type Pod = Stored<kinds.core.Pod>;
type JobSpec = kinds.batch.JobSpec;

export const tracked = {
  tracking: 'example.com/tracking',
  index: 'example.com/index',
  failures: 'example.com/failures',
  ignored: 'example.com/ignored',
  isTracked: true,
  hasIndexLabel: true,
  waitsForPods: true,
};

/** A job and its pods, which end when the test says so. */
export class Course {
  job: Job;
  pods: Pod[] = [];
  nowMs = NOW;
  backoff: BackoffRecord | undefined;
  /** Pods that have ended, for comparison with the account. */
  readonly ended = { Succeeded: 0, Failed: 0 };
  #made = 0;
  readonly #stopped = new Set<string>();
  readonly #random: Random;

  readonly #keys: typeof tracked;

  constructor(spec: Partial<JobSpec>, random = seededRandom(1), keys = tracked) {
    this.#random = random;
    this.#keys = keys;
    const template = { spec: { containers: [{ name: 'main' }], restartPolicy: 'Never' } };
    this.job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: metaOf('work'),
      spec: { parallelism: 1, backoffLimit: 6, template, ...spec },
    };
  }

  decide(): JobDecision {
    const isEnding = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;
    const { job, pods, nowMs } = this;
    return decideJob({
      job,
      pods,
      keys: this.#keys,
      isEnding,
      costAnnotation: 'example.com/cost',
      backoffMs: 10_000,
      backoff: this.backoff,
      nowMs,
    });
  }

  /** One reconciliation, which may end after any of its writes: after some creations, after the status, or after some finalizers. */
  step(writes = Number.POSITIVE_INFINITY): JobDecision {
    const decision = this.decide();
    let left = writes;
    const mayWrite = (): boolean => left-- > 0;
    let created = 0;
    for (const slot of decision.create)
      if (mayWrite()) {
        this.#create(slot);
        created++;
      }
    if (mayWrite()) {
      this.job = { ...this.job, status: withCreated(decision.status, created) };
      this.backoff = decision.backoff;
      this.#countStopped();
    }
    for (const pod of decision.release) if (mayWrite()) this.#release(pod);
    for (const pod of decision.remove) if (mayWrite()) this.#delete(pod);
    return decision;
  }

  /** Pods that run when their job fails are failures, however they end. */
  #countStopped(): void {
    const { failed = [] } = this.job.status?.uncountedTerminatedPods ?? {};
    for (const { metadata } of this.running) {
      if (!failed.includes(metadata.uid) || this.#stopped.has(metadata.uid)) continue;
      this.#stopped.add(metadata.uid);
      this.ended.Failed++;
    }
  }

  #create(slot: PodSlot): void {
    const made = jobPod(this.job, slot, { keys: this.#keys, random: this.#random });
    const name = `${made.metadata.name}-${this.#made++}`;
    const pod = podWith(name, { phase: 'Pending' });
    this.pods.push({ ...pod, metadata: { ...made.metadata, ...metaOf(name) } });
  }

  #release(pod: Pod): void {
    const finalizers = (pod.metadata.finalizers ?? []).filter((each) => each !== this.#keys.tracking);
    this.#replace(pod, { ...pod, metadata: { ...pod.metadata, finalizers } });
  }

  #delete(pod: Pod): void {
    this.pods = this.pods.filter(({ metadata }) => metadata.uid !== pod.metadata.uid);
  }

  #replace(old: Pod, pod: Pod): void {
    this.pods = this.pods.map((each) => (each.metadata.uid === old.metadata.uid ? pod : each));
  }

  get running(): readonly Pod[] {
    return this.pods.filter(({ status }) => status?.phase === 'Pending' || status?.phase === 'Running');
  }

  /** Somebody deletes a pod, which runs on until its node has stopped it. */
  marked(pod: Pod | undefined): Pod {
    assert.ok(pod !== undefined, 'there is no pod that could be deleted');
    const marked = {
      ...pod,
      metadata: { ...pod.metadata, deletionTimestamp: new Date(this.nowMs).toISOString() },
    };
    this.#replace(pod, marked);
    return marked;
  }

  /** A pod is gone. */
  gone(pod: Pod): void {
    this.#delete(pod);
  }

  /** The spec of the job changes. */
  change(spec: Partial<JobSpec>): void {
    this.job = { ...this.job, spec: { template: {}, ...this.job.spec, ...spec } };
  }

  /** The running pod with a number. */
  at(index: string): Pod | undefined {
    return this.running.find((pod) => this.index(pod) === index);
  }

  end(pod: Pod | undefined, phase: 'Succeeded' | 'Failed', exitCode = phase === 'Failed' ? 1 : 0): void {
    assert.ok(pod !== undefined, 'there is no pod that could end');
    if (!this.#stopped.has(pod.metadata.uid)) this.ended[phase]++;
    const finishedAt = new Date(this.nowMs).toISOString();
    const state = { terminated: { exitCode, finishedAt } };
    const main = { name: 'main', image: '', imageID: '', ready: false, restartCount: 0, state };
    this.#replace(pod, { ...pod, status: { ...pod.status, phase, containerStatuses: [main] } });
  }

  /** Reconciles until nothing changes, with time for delays. */
  settle(): void {
    for (let steps = 0; steps < 50; steps++) {
      const before = JSON.stringify([this.job.status, this.pods]);
      this.nowMs += 3_600_000;
      this.step();
      if (before === JSON.stringify([this.job.status, this.pods])) return;
    }
    assert.fail('the job does not come to rest');
  }

  run(outcomes: readonly ('Succeeded' | 'Failed')[]): void {
    this.settle();
    for (const outcome of outcomes) {
      this.end(this.running[0], outcome);
      this.settle();
    }
  }

  reason(type: string): string | undefined {
    return this.job.status?.conditions?.find((each) => each.type === type && each.status === 'True')?.reason;
  }

  index(pod: Pod): string | undefined {
    return pod.metadata.annotations?.[this.#keys.index];
  }
}
