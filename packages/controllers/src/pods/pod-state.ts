import { isBeingDeleted, type kinds } from '@orch/client';
import { timeMs } from '@orch/machinery/time';

type Pod = kinds.core.Pod;
type PodCondition = kinds.core.PodCondition;

export const podCondition = ({ status }: Pod, type: string): PodCondition | undefined =>
  (status?.conditions ?? []).find((condition) => condition.type === type);

export const isReady = (pod: Pod): boolean => podCondition(pod, 'Ready')?.status === 'True';

/** Reports whether all containers of a pod have ended, and none is started again. */
export const hasEnded = ({ status }: Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** Reports whether a pod counts as a replica: it has not ended and is not being deleted. */
export const isActive = (pod: Pod): boolean => !hasEnded(pod) && !isBeingDeleted(pod);

/** Reports whether a pod has been ready for the given time. */
export const isAvailable = (pod: Pod, minReadySeconds: number, nowMs: number): boolean =>
  isReady(pod) && untilAvailableMs(pod, minReadySeconds, nowMs) === undefined;

/** The time until a ready pod becomes available; undefined for a pod that is not ready, or available already. */
export function untilAvailableMs(pod: Pod, minReadySeconds: number, nowMs: number): number | undefined {
  if (minReadySeconds === 0 || !isReady(pod)) return undefined;
  const sinceMs = timeMs(podCondition(pod, 'Ready')?.lastTransitionTime ?? '') ?? nowMs;
  const remainingMs = sinceMs + minReadySeconds * 1000 - nowMs;
  return remainingMs > 0 ? remainingMs : undefined;
}

/** The time until the next of these pods becomes available; undefined when none does without a change. */
export function nextAvailableMs(
  pods: readonly Pod[],
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  const waits = pods.flatMap((pod) => untilAvailableMs(pod, minReadySeconds, nowMs) ?? []);
  return waits.length === 0 ? undefined : waits.reduce((least, wait) => Math.min(least, wait));
}

/** How often the containers of a pod were restarted, the one that was restarted most. */
export const restartsOf = ({ status }: Pod): number =>
  (status?.containerStatuses ?? []).reduce((most, { restartCount }) => Math.max(most, restartCount), 0);
