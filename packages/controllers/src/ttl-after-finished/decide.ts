import { type ApiObject, hasDeletionTimestamp, isJsonObject, timeMs } from '@orch/machinery';

/** What is to become of a job: nothing (now or ever), a look at it later, or its end. */
export type JobDecision =
  | { readonly kind: 'keep' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'delete' };

const keep: JobDecision = { kind: 'keep' };

/** A job may be deleted so many seconds after it finished as it says itself. */
export function decideJob(job: ApiObject, nowMs: number): JobDecision {
  if (hasDeletionTimestamp(job.metadata)) return keep;
  const ttl = isJsonObject(job['spec']) ? job['spec']['ttlSecondsAfterFinished'] : undefined;
  if (typeof ttl !== 'number') return keep;
  const finishedMs = finishedAtMs(job);
  if (finishedMs === undefined) return keep;
  const leftMs = finishedMs + ttl * 1000 - nowMs;
  return leftMs > 0 ? { kind: 'wait', ms: leftMs } : { kind: 'delete' };
}

/** When the job completed or failed; undefined while it did neither, or does not say when. */
export function finishedAtMs({ status }: ApiObject): number | undefined {
  const conditions = isJsonObject(status) ? status['conditions'] : undefined;
  if (!Array.isArray(conditions)) return undefined;
  const end = conditions.find(
    (condition) =>
      isJsonObject(condition) &&
      (condition['type'] === 'Complete' || condition['type'] === 'Failed') &&
      condition['status'] === 'True',
  );
  const at: unknown = isJsonObject(end) ? end['lastTransitionTime'] : undefined;
  return typeof at === 'string' ? timeMs(at) : undefined;
}
