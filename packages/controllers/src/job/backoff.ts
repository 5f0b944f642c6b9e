import type { kinds, Stored } from '@orch/client';
import { timeMs } from '@orch/machinery/time';
import { podCondition } from '../pods/pod-state.ts';

type Pod = Stored<kinds.core.Pod>;

const MAX_BACKOFF_MS = 600_000;
const MAX_DOUBLINGS = 20;

/** The failures of pods of a job since its last success. */
export interface BackoffRecord {
  readonly failures: number;
  readonly lastFailureMs: number;
}

/** Pods that have ended since a record was made. */
export interface EndedPods {
  readonly succeeded: readonly Pod[];
  readonly failed: readonly Pod[];
}

const latest = (times: readonly number[]): number => times.reduce((most, at) => Math.max(most, at), 0);

/** The record after further pods have ended. A success ends the failures that were before it. */
export function nextBackoff(
  record: BackoffRecord | undefined,
  { succeeded, failed }: EndedPods,
): BackoffRecord {
  const { failures = 0, lastFailureMs = 0 } = record ?? {};
  const ends = failed.map(finishedMs);
  if (succeeded.length === 0)
    return { failures: failures + ends.length, lastFailureMs: latest([lastFailureMs, ...ends]) };
  const lastSuccessMs = latest(succeeded.map(finishedMs));
  const later = ends.filter((at) => at > lastSuccessMs);
  return { failures: later.length, lastFailureMs: latest(later) };
}

/** When the next pod may start: later with every failure. */
export function retryAtMs({ failures, lastFailureMs }: BackoffRecord, backoffMs: number): number {
  if (failures === 0) return 0;
  return lastFailureMs + Math.min(MAX_BACKOFF_MS, backoffMs * 2 ** Math.min(failures - 1, MAX_DOUBLINGS));
}

/** When a pod has ended: with its last container, or when it was not ready any more, was deleted or, at least, was made. */
export function finishedMs(pod: Pod): number {
  return (
    lastContainerMs(pod) ?? unreadyMs(pod) ?? deletedMs(pod) ?? msOf(pod.metadata.creationTimestamp) ?? 0
  );
}

const msOf = (time: string | null | undefined): number | undefined => timeMs(time ?? '');

/** The end of the last container; undefined while one has not ended. Containers that start before others do not count, sidecars do. */
function lastContainerMs({ spec, status }: Pod): number | undefined {
  const sidecars = new Set(
    (spec?.initContainers ?? [])
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name }) => name),
  );
  const statuses = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ];
  const ends = statuses.map(({ state }) => msOf(state?.terminated?.finishedAt));
  const known = ends.filter((at) => at !== undefined);
  return known.length === 0 || known.length < ends.length ? undefined : latest(known);
}

function unreadyMs(pod: Pod): number | undefined {
  const ready = podCondition(pod, 'Ready');
  return ready?.status === 'False' ? msOf(ready.lastTransitionTime) : undefined;
}

function deletedMs({ metadata }: Pod): number | undefined {
  const at = msOf(metadata.deletionTimestamp);
  return at === undefined ? undefined : at - Number(metadata.deletionGracePeriodSeconds ?? 0) * 1000;
}
