import { isBeingDeleted, type kinds } from '@orch/client';
import { timeMs } from '@orch/machinery/time';

type Job = kinds.batch.Job;

/** The decision about a job: nothing, examine it again after `ms`, or delete it. */
export type JobDecision =
  | { readonly kind: 'keep' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'delete' };

const keep: JobDecision = { kind: 'keep' };

/** A finished job is deleted `ttlSecondsAfterFinished` after its end; without that field it is kept. */
export function decideJob(job: Job, nowMs: number): JobDecision {
  const ttl = job.spec?.ttlSecondsAfterFinished;
  if (isBeingDeleted(job) || typeof ttl !== 'number') return keep;
  const finishedMs = finishedAtMs(job);
  if (finishedMs === undefined) return keep;
  const remainingMs = finishedMs + ttl * 1000 - nowMs;
  return remainingMs > 0 ? { kind: 'wait', ms: remainingMs } : { kind: 'delete' };
}

/** When the job completed or failed; undefined while it runs, or when the condition has no time. */
function finishedAtMs({ status }: Job): number | undefined {
  const end = (status?.conditions ?? []).find(
    (condition) =>
      (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  );
  return timeMs(end?.lastTransitionTime ?? '');
}
