import { isBeingDeleted, type kinds, type Stored } from '@orch/client';
import { hasEnded, isAvailable, isReady, nextAvailableMs } from '../pods/pod-state.ts';
import { REVISION_LABEL } from '../revisions/decide.ts';
import { ordinalOf } from './pod.ts';

type StatefulSet = Stored<kinds.apps.StatefulSet>;
type Pod = Stored<kinds.core.Pod>;
type Status = kinds.apps.StatefulSetStatus;

export interface StatefulSetState {
  readonly set: StatefulSet;
  /** The pods that it controls. */
  readonly pods: readonly Pod[];
  /** Names of the revision that all pods had last, and of the one of the template. */
  readonly current: string;
  readonly update: string;
  readonly nowMs: number;
  isEnding(pod: Pod): boolean;
}

export interface StatefulSetDecision {
  /** Ordinals of pods to create, with their revisions. */
  readonly create: readonly { readonly ordinal: number; readonly revision: string }[];
  readonly remove: readonly Pod[];
}

const revisionOf = ({ metadata }: Pod): string => metadata.labels?.[REVISION_LABEL] ?? '';
const startOf = ({ spec }: StatefulSet): number => spec?.ordinals?.start ?? 0;
const isParallel = ({ spec }: StatefulSet): boolean => spec?.podManagementPolicy === 'Parallel';
const isRolling = ({ spec }: StatefulSet): boolean =>
  (spec?.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
const partitionOf = ({ spec }: StatefulSet): number => spec?.updateStrategy?.rollingUpdate?.partition ?? 0;

/**
 * The next step of a set: pods are created in their order and deleted in reverse, each when those before it are available; only the
 * policy Parallel does not wait. Then pods of an older revision are replaced, the last one first.
 */
export function decideStatefulSet(state: StatefulSetState): StatefulSetDecision {
  const { set } = state;
  if (isBeingDeleted(set)) return { create: [], remove: [] };
  const create: { readonly ordinal: number; readonly revision: string }[] = [];
  const remove: Pod[] = [];
  let isWaiting = false;
  for (const step of stepsOf(state)) {
    if (step.create !== undefined)
      create.push({ ordinal: step.create, revision: revisionFor(state, step.create) });
    if (step.remove !== undefined) remove.push(step.remove);
    isWaiting ||= step.waits;
    if (isWaiting && !isParallel(set)) return { create, remove };
  }
  if (create.length + remove.length > 0) return { create, remove };
  return { create, remove: outdated(state) };
}

interface Step {
  readonly create?: number;
  readonly remove?: Pod;
  /** Whether later steps wait for this one. */
  readonly waits: boolean;
}

/** Whether a set has a pod of this ordinal. */
export function isWanted(set: StatefulSet, ordinal: number): boolean {
  const first = startOf(set);
  return ordinal >= first && ordinal < first + (set.spec?.replicas ?? 1);
}

/** What is missing or too many, in the order of its treatment. */
function* stepsOf(state: StatefulSetState): Iterable<Step> {
  const { set } = state;
  const byOrdinal = new Map(state.pods.map((pod) => [ordinalOf(pod, set), pod]));
  const first = startOf(set);
  const end = first + (set.spec?.replicas ?? 1);
  for (let ordinal = first; ordinal < end; ordinal++) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) yield { create: ordinal, waits: true };
    else if (state.isEnding(pod)) yield { waits: true };
    else if (hasEnded(pod)) yield { remove: pod, waits: true };
    else yield { waits: !isHealthy(pod, state) };
  }
  const condemned = [...byOrdinal.entries()].filter(
    ([ordinal]) => ordinal !== undefined && !isWanted(set, ordinal),
  );
  condemned.sort(([a = 0], [b = 0]) => b - a);
  for (const [, pod] of condemned) yield state.isEnding(pod) ? { waits: true } : { remove: pod, waits: true };
}

const isHealthy = (pod: Pod, { set, nowMs }: StatefulSetState): boolean =>
  pod.status?.phase === 'Running' && isAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs);

/** Pods below the partition of a rollout keep the current revision. */
function revisionFor({ set, current, update }: StatefulSetState, ordinal: number): string {
  return isRolling(set) && ordinal < startOf(set) + partitionOf(set) ? current : update;
}

/** The last pod of another revision, unless a later one is not healthy yet. */
function outdated(state: StatefulSetState): readonly Pod[] {
  const { set, update } = state;
  if (!isRolling(set)) return [];
  const least = startOf(set) + partitionOf(set);
  const candidates = state.pods
    .map((pod) => ({ pod, ordinal: ordinalOf(pod, set) ?? -1 }))
    .filter(({ ordinal }) => ordinal >= least)
    .sort((a, b) => b.ordinal - a.ordinal);
  for (const { pod } of candidates) {
    if (state.isEnding(pod)) return [];
    if (revisionOf(pod) !== update) return [pod];
    if (!isHealthy(pod, state)) return [];
  }
  return [];
}

/** The status by the pods, and the time until it changes without an event. */
export function statusOf(
  state: StatefulSetState,
  collisionCount: number,
): { readonly status: Status; readonly recheckMs: number | undefined } {
  const { set, pods, current, update, nowMs } = state;
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  const counted = pods.filter((pod) => !hasEnded(pod));
  const of = (revision: string): number =>
    counted.filter((pod) => !state.isEnding(pod) && revisionOf(pod) === revision).length;
  const ready = counted.filter((pod) => pod.status?.phase === 'Running' && isReady(pod));
  const updatedReplicas = of(update);
  const isUpdated = isRolling(set) && updatedReplicas === counted.length && ready.length === counted.length;
  const status = {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: counted.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, nowMs)).length,
    currentReplicas: isUpdated ? updatedReplicas : of(current),
    updatedReplicas,
    currentRevision: isUpdated ? update : current,
    updateRevision: update,
    collisionCount,
  };
  return { status, recheckMs: nextAvailableMs(ready, minReadySeconds, nowMs) };
}
