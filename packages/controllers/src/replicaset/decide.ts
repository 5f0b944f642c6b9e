import { isBeingDeleted, type kinds, type Stored } from '@orch/client';
import { formatTime } from '@orch/machinery/time';
import { withCondition, withoutCondition } from '../api/conditions.ts';
import { hasEnded, isAvailable, isReady, nextAvailableMs } from '../pods/pod-state.ts';
import { inRemovalOrder } from '../pods/removal-order.ts';

type Pod = Stored<kinds.core.Pod>;
type ReplicaSet = Stored<kinds.apps.ReplicaSet>;
type ReplicaSetStatus = kinds.apps.ReplicaSetStatus;
type ReplicaSetCondition = kinds.apps.ReplicaSetCondition;

/** Pods that one reconciliation creates or deletes at most. */
const BURST = 500;

export interface ReplicaSetState {
  readonly set: ReplicaSet;
  /** The pods that it controls. */
  readonly pods: readonly Pod[];
  /** Whether a pod is being deleted, as far as the controller knows. */
  isEnding(pod: Pod): boolean;
  readonly costAnnotation: string;
  /** Whether the status has the number of pods that are being deleted. */
  readonly showsTerminating: boolean;
}

export interface ReplicaSetDecision {
  /** Number of pods to create. */
  readonly create: number;
  readonly remove: readonly Pod[];
}

/** The pods of a set that count as replicas. */
export const replicasOf = ({ pods, isEnding }: ReplicaSetState): readonly Pod[] =>
  pods.filter((pod) => !hasEnded(pod) && !isEnding(pod));

const isTerminating =
  ({ isEnding }: ReplicaSetState) =>
  (pod: Pod): boolean =>
    isEnding(pod) && !hasEnded(pod);

/** How many pods are missing, or which are too many. A set that is being deleted stays as it is. */
export function decideReplicas(state: ReplicaSetState): ReplicaSetDecision {
  const { set, costAnnotation } = state;
  if (isBeingDeleted(set)) return { create: 0, remove: [] };
  const active = replicasOf(state);
  const missing = (set.spec?.replicas ?? 1) - active.length;
  if (missing >= 0) return { create: Math.min(missing, BURST), remove: [] };
  const surplus = Math.min(-missing, BURST);
  return { create: 0, remove: inRemovalOrder(active, costAnnotation).slice(0, surplus) };
}

/** The result of the last creations and deletions of pods. */
export interface PodFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}

/** The status by the observed pods, and the time until it changes without an event. */
export function statusOf(
  state: ReplicaSetState,
  nowMs: number,
  failure?: PodFailure,
): { readonly status: ReplicaSetStatus; readonly recheckMs: number | undefined } {
  const { set } = state;
  const active = replicasOf(state);
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  const labels = Object.entries(set.spec?.template?.metadata?.labels ?? {});
  const isLabelled = ({ metadata }: Pod): boolean =>
    labels.every(([name, value]) => metadata.labels?.[name] === value);
  const status: ReplicaSetStatus = {
    replicas: active.length,
    fullyLabeledReplicas: active.filter(isLabelled).length,
    readyReplicas: active.filter(isReady).length,
    availableReplicas: active.filter((pod) => isAvailable(pod, minReadySeconds, nowMs)).length,
    ...(state.showsTerminating && { terminatingReplicas: state.pods.filter(isTerminating(state)).length }),
    observedGeneration: set.metadata.generation ?? 0,
    conditions: conditionsOf(set.status?.conditions, nowMs, failure),
  };
  return { status, recheckMs: nextAvailableMs(active, minReadySeconds, nowMs) };
}

function conditionsOf(
  conditions: readonly ReplicaSetCondition[] | undefined,
  nowMs: number,
  failure: PodFailure | undefined,
): ReplicaSetCondition[] {
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure');
  const lastTransitionTime = formatTime(nowMs);
  return withCondition(conditions, {
    type: 'ReplicaFailure',
    status: 'True',
    ...failure,
    lastTransitionTime,
  });
}
