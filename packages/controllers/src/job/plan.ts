import type { kinds, Stored } from '@orch/client';
import { inRemovalOrder } from '../pods/removal-order.ts';
import type { Account } from './account.ts';
import { type BackoffRecord, retryAtMs } from './backoff.ts';
import { failuresByIndex, freeIndexes, surplusPods } from './indexed-pods.ts';
import { completionsOf, isIndexed, type JobState } from './job-state.ts';

type Pod = Stored<kinds.core.Pod>;

/** Pods that one reconciliation creates or deletes at most. */
export const BURST = 500;

/** A pod to create. */
export interface PodSlot {
  /** Its number in an indexed job. */
  readonly index?: number;
  /** The failures of its index so far, in a job that bounds them. */
  readonly failures?: number;
  /** The failures of its index that the policy of the job ignores. */
  readonly ignored?: number;
}

/** Pods to create or delete. One reconciliation does not do both. */
export interface Plan {
  readonly create: readonly PodSlot[];
  readonly remove: readonly Pod[];
  readonly waitMs?: number;
}

export const noPlan: Plan = { create: [], remove: [] };

export interface PodsOfJob {
  /** Pods that have not ended. */
  readonly running: readonly Pod[];
  /** Those of them that are not being deleted. */
  readonly active: readonly Pod[];
}

export interface PlanSituation extends JobState {
  readonly costAnnotation: string;
  /** Delay after the first failure; each further one doubles it. */
  readonly backoffMs: number;
  readonly nowMs: number;
}

/** Pods to create or delete while the job goes on. */
export function planOf(
  situation: PlanSituation,
  { account, backoff }: { readonly account: Account; readonly backoff: BackoffRecord },
  { running, active }: PodsOfJob,
): Plan {
  const { job, nowMs, backoffMs } = situation;
  const wanted = wantedPods(situation, account, active.length);
  const remove = removable(situation, active, active.length - wanted);
  if (remove.length > 0) return { create: [], remove };
  const occupied = job.spec?.podReplacementPolicy === 'Failed' ? running : active;
  const missing = Math.min(BURST, wanted - occupied.length);
  if (missing <= 0) return noPlan;
  const free = (): readonly number[] =>
    freeIndexes(situation, [account.completedIndexes, account.failedIndexes], occupied, missing);
  if (job.spec?.backoffLimitPerIndex !== undefined) return indexPlan(situation, free());
  const waitMs = retryAtMs(backoff, backoffMs) - nowMs;
  if (waitMs > 0) return { ...noPlan, waitMs };
  if (isIndexed(job)) return { create: free().map((index) => ({ index })), remove: [] };
  return { create: Array.from({ length: missing }, () => ({})), remove: [] };
}

/** Pods that the job cannot use, and others until as many as `atLeast` are gone. */
function removable(situation: PlanSituation, active: readonly Pod[], atLeast: number): readonly Pod[] {
  if (atLeast <= 0 && !isIndexed(situation.job)) return [];
  const ordered = inRemovalOrder(active, situation.costAnnotation);
  const surplus = new Set(surplusPods(ordered, situation));
  const others = ordered.filter((pod) => !surplus.has(pod));
  return [...surplus, ...others.slice(0, Math.max(0, atLeast - surplus.size))].slice(0, BURST);
}

/** Each index waits for itself after its failures. */
function indexPlan(situation: PlanSituation, free: readonly number[]): Plan {
  const { nowMs, backoffMs } = situation;
  const failures = failuresByIndex(situation);
  const slots = free.map((index) => {
    const { counted = 0, ignored = 0, lastFailureMs = 0 } = failures.get(index) ?? {};
    const waitMs = retryAtMs({ failures: counted + ignored, lastFailureMs }, backoffMs) - nowMs;
    return { slot: { index, failures: counted, ...(ignored > 0 && { ignored }) }, waitMs };
  });
  const create = slots.filter(({ waitMs }) => waitMs <= 0).map(({ slot }) => slot);
  const waits = slots.map(({ waitMs }) => waitMs).filter((waitMs) => waitMs > 0);
  if (waits.length === 0) return { create, remove: [] };
  return { create, remove: [], waitMs: waits.reduce((least, ms) => Math.min(least, ms)) };
}

function wantedPods({ job }: JobState, account: Account, active: number): number {
  const parallelism = job.spec?.parallelism ?? 1;
  const completions = completionsOf(job);
  if (completions === undefined) return account.successes > 0 ? active : parallelism;
  return Math.min(parallelism, Math.max(0, completions - account.successes - account.failedIndexes.size));
}
