import {
  type Controller,
  type ControllerContext,
  controller,
  controllerOf,
  type EventRecorder,
  keyOf,
  type kinds,
  type Reconciled,
  type ResourceClient,
  type Stored,
  typed,
} from '@orch/client';
import type { Random } from '@orch/machinery';
import { labelSelectorFromObject } from '@orch/machinery/selectors';
import { writeStatus } from '../api/write-status.ts';
import { ignoreReasons, isTerminatingNamespace } from '../api/writes.ts';
import { createInBatches } from '../pods/create-in-batches.ts';
import { BEHIND_MS, OwnedObjects } from '../pods/owned-objects.ts';
import { createdPod, deletedPod } from '../pods/pod-events.ts';
import type { BackoffRecord } from './backoff.ts';
import { decideJob, withCreated } from './decide.ts';
import { eventsOf, unknownMode } from './job-events.ts';
import { hasFinalizer, hasKnownMode, type JobKeys } from './job-state.ts';
import { isFinished } from './outcome.ts';
import type { PodSlot } from './plan.ts';
import { jobPod } from './pod.ts';
import { jobSources } from './sources.ts';

type Job = Stored<kinds.batch.Job>;
type Pod = Stored<kinds.core.Pod>;

const CONCURRENCY = 5;

export interface JobSettings extends Pick<JobKeys, 'isTracked' | 'hasIndexLabel' | 'waitsForPods'> {
  /** Delay after the first failure of a pod. */
  readonly backoffMs: number;
  /** Time for which changes of pods are collected, so that pods that end together are counted together. */
  readonly batchMs: number;
}

/** Runs the pods of a job until enough have succeeded or too many have failed. */
export function jobController(
  { client, informers, env, events }: ControllerContext,
  { backoffMs, batchMs, isTracked, hasIndexLabel, waitsForPods }: JobSettings,
): Controller {
  const { jobs } = typed(client).batch.v1;
  const { pods } = typed(client).core.v1;
  const informer = informers.informer(jobs.resource);
  const podInformer = informers.informer(pods.resource);
  const owned = new OwnedObjects<kinds.core.Pod, kinds.batch.Job>({
    informer: podInformer,
    api: pods,
    owners: jobs,
  });
  const { annotations } = client.names;
  const keys: JobKeys = {
    tracking: annotations.jobTracking,
    index: annotations.jobCompletionIndex,
    failures: annotations.jobIndexFailureCount,
    ignored: annotations.jobIndexIgnoredFailureCount,
    isTracked,
    hasIndexLabel,
    waitsForPods,
  };
  /** The last decision for each job that has not ended, by uid. */
  const rounds = new Map<string, Round>();
  informer.subscribe(({ type, object }) => {
    if (type === 'deleted' || isFinished(object)) rounds.delete(object.metadata.uid);
  });
  const work: Writing = { owned, pods, keys, random: env.random, events };
  const isOrphan = (pod: Pod): boolean => {
    const owner = controllerOf(pod);
    if (owner?.kind !== jobs.resource.kind || !hasFinalizer(pod, keys)) return false;
    return informer.store.get(keyOf(pod.metadata.namespace, owner.name))?.metadata.uid !== owner.uid;
  };
  return controller({
    name: 'job',
    concurrency: CONCURRENCY,
    sources: jobSources(informer, podInformer, batchMs),
    async reconcile(key, signal): Promise<Reconciled | undefined> {
      const job = informer.store.get(key);
      if (job === undefined) {
        // The pods of a job that is gone are not counted any more.
        const left = [...podInformer.store.values()].filter(
          (pod) => keyOf(pod.metadata.namespace, controllerOf(pod)?.name ?? '') === key && isOrphan(pod),
        );
        await Promise.all(left.map((pod) => release(pod, work, signal)));
        return;
      }
      const before = rounds.get(job.metadata.uid);
      const isBehind = before !== undefined && BigInt(informer.resourceVersion || '0') < before.written;
      if (isBehind || owned.isBehind(job.metadata.uid)) return { requeueAfterMs: BEHIND_MS };
      if (job.spec?.managedBy !== undefined && job.spec.managedBy !== client.names.controllers.job) return;
      if (!hasKnownMode(job)) {
        events.record(job, unknownMode);
        return;
      }
      const claimed = await owned.claim(job, labelSelectorFromObject(job.spec?.selector), signal);
      const isEnding = (pod: Pod): boolean => owned.isEnding(pod);
      const costAnnotation = annotations.podDeletionCost;
      const situation = {
        job,
        pods: claimed,
        keys,
        isEnding,
        costAnnotation,
        backoffMs,
        backoff: isTracked ? before?.backoff : undefined,
        nowMs: env.clock.now(),
      };
      const decision = decideJob(situation);
      const created = await create(job, decision.create, work, signal);
      const status = withCreated(decision.status, created.count);
      const { metadata } = (await writeStatus(jobs, { read: job, status }, signal)) ?? job;
      const latest = informer.store.get(key);
      if (latest?.metadata.uid === metadata.uid && !isFinished(latest))
        rounds.set(metadata.uid, { backoff: decision.backoff, written: BigInt(metadata.resourceVersion) });
      for (const note of eventsOf(job, status)) events.record(job, note);
      await Promise.all(decision.release.map((pod) => release(pod, work, signal)));
      await Promise.all(decision.remove.map((pod) => remove(job, pod, work, signal)));
      if (created.error !== undefined) throw created.error;
      return decision.recheckMs === undefined ? undefined : { requeueAfterMs: decision.recheckMs };
    },
  });
}

/** What the next reconciliation of a job must know of the last one. */
interface Round {
  readonly backoff: BackoffRecord;
  /** The version of the job with the written status. Finalizers are removed by then, so an older state would miss their pods. */
  readonly written: bigint;
}

interface Writing {
  readonly owned: OwnedObjects<kinds.core.Pod, kinds.batch.Job>;
  readonly pods: ResourceClient<kinds.core.Pod>;
  readonly keys: JobKeys;
  readonly random: Random;
  readonly events: EventRecorder;
}

interface Created {
  readonly count: number;
  readonly error?: unknown;
}

async function create(
  job: Job,
  slots: readonly PodSlot[],
  work: Writing,
  signal: AbortSignal,
): Promise<Created> {
  let count = 0;
  try {
    await createInBatches(slots, async (slot) => {
      const { metadata } = await work.owned.create(job, jobPod(job, slot, work), signal);
      count++;
      work.events.record(job, createdPod(metadata.name));
    });
    return { count };
  } catch (error) {
    return isTerminatingNamespace(error) ? { count } : { count, error };
  }
}

/** A pod that the controller deletes is not counted, so it is released first. */
async function remove(job: Job, pod: Pod, work: Writing, signal: AbortSignal): Promise<void> {
  await release(pod, work, signal);
  await work.owned.remove(pod, signal);
  work.events.record(job, deletedPod(pod.metadata.name));
}

/** Removes the finalizer with which a pod waits to be counted. */
async function release({ metadata }: Pod, { pods, keys }: Writing, signal: AbortSignal): Promise<void> {
  const { name, namespace = '', uid, resourceVersion, finalizers = [] } = metadata;
  if (!finalizers.includes(keys.tracking)) return;
  const rest = finalizers.filter((each) => each !== keys.tracking);
  const patch = { metadata: { uid, resourceVersion, finalizers: rest } };
  await ignoreReasons(['NotFound'], () => pods.in(namespace).patch.merge(name, patch, {}, signal));
}
