import type { kinds, Stored } from '@orch/client';
import { formatTime, timeMs } from '@orch/machinery/time';
import { withCondition, withoutCondition } from '../api/conditions.ts';
import { limitsOf, replicasOf, totalOf } from './replica-counts.ts';

type Deployment = Stored<kinds.apps.Deployment>;
type ReplicaSet = Stored<kinds.apps.ReplicaSet>;
type Status = kinds.apps.DeploymentStatus;
type Condition = kinds.apps.DeploymentCondition;

/** The deadline that stands for none. */
const NO_DEADLINE = 2_147_483_647;

export interface Observed {
  readonly deployment: Deployment;
  readonly sets: readonly ReplicaSet[];
  /** The set of the current template; undefined while it does not exist. */
  readonly next: ReplicaSet | undefined;
  /** Whether it was created just now. */
  readonly isCreated: boolean;
  readonly collisionCount: number;
  /** Whether the status has the number of pods that are being deleted. */
  readonly showsTerminating: boolean;
  readonly nowMs: number;
}

type Count = 'replicas' | 'readyReplicas' | 'availableReplicas' | 'terminatingReplicas';
const sumOf = (sets: readonly ReplicaSet[], count: Count): number =>
  sets.reduce((sum, { status }) => sum + (status?.[count] ?? 0), 0);

/** The status by the status of the sets, and the time until its deadline passes without an event. */
export function statusOf(observed: Observed): {
  readonly status: Status;
  readonly recheckMs: number | undefined;
} {
  const { deployment, sets, next, collisionCount } = observed;
  const availableReplicas = sumOf(sets, 'availableReplicas');
  const counts = {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sumOf(sets, 'replicas'),
    updatedReplicas: next?.status?.replicas ?? 0,
    readyReplicas: sumOf(sets, 'readyReplicas'),
    availableReplicas,
    unavailableReplicas: Math.max(0, totalOf(sets) - availableReplicas),
  };
  const available = withCondition(deployment.status?.conditions, availability(observed, availableReplicas));
  const progressing = progress(observed, counts, available);
  const conditions = withFailures(observed, progressing);
  const status = {
    ...counts,
    ...(observed.showsTerminating && { terminatingReplicas: sumOf(sets, 'terminatingReplicas') }),
    conditions,
    ...(collisionCount > 0 && { collisionCount }),
  };
  return { status, recheckMs: deadlineMs(observed, conditions) };
}

function conditionAt(
  nowMs: number,
  type: string,
  rest: Pick<Condition, 'status' | 'reason' | 'message'>,
): Condition {
  const now = formatTime(nowMs);
  return { type, ...rest, lastUpdateTime: now, lastTransitionTime: now };
}

function availability({ deployment, nowMs }: Observed, available: number): Condition {
  const least = replicasOf(deployment) - limitsOf(deployment).maxUnavailable;
  const isAvailable = available >= least;
  return conditionAt(nowMs, 'Available', {
    status: isAvailable ? 'True' : 'False',
    reason: isAvailable ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: `Deployment ${isAvailable ? 'has' : 'does not have'} minimum availability.`,
  });
}

const hasDeadline = ({ spec }: Deployment): boolean =>
  spec?.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds < NO_DEADLINE;

/** The condition Progressing: what the rollout has reached, or that its deadline has passed. */
function progress(observed: Observed, counts: Status, conditions: Condition[]): Condition[] {
  const { deployment, nowMs } = observed;
  if (!hasDeadline(deployment)) return withoutCondition(conditions, 'Progressing');
  const current = conditions.find(({ type }) => type === 'Progressing');
  const set = (status: string, reason: string, message: string): Condition[] =>
    withCondition(conditions, conditionAt(nowMs, 'Progressing', { status, reason, message }));
  if (deployment.spec?.paused === true) {
    if (current?.reason === 'ProgressDeadlineExceeded') return conditions;
    return set('Unknown', 'DeploymentPaused', 'Deployment is paused');
  }
  if (current?.reason === 'DeploymentPaused')
    return set('Unknown', 'DeploymentResumed', 'Deployment is resumed');
  const name =
    observed.next === undefined
      ? `Deployment "${deployment.metadata.name}"`
      : `ReplicaSet "${observed.next.metadata.name}"`;
  if (observed.isCreated)
    return set('True', 'NewReplicaSetCreated', `Created new replica set ${name.replace('ReplicaSet ', '')}`);
  if (counts.replicas === counts.updatedReplicas && current?.reason === 'NewReplicaSetAvailable')
    return conditions;
  if (isDone(deployment, counts))
    return set('True', 'NewReplicaSetAvailable', `${name} has successfully progressed.`);
  if (hasProgressed(deployment.status ?? {}, counts))
    return progressed(observed, conditions, `${name} is progressing.`);
  if (isLate(deployment, current, nowMs))
    return set('False', 'ProgressDeadlineExceeded', `${name} has timed out progressing.`);
  if (current === undefined && observed.next !== undefined)
    return set('True', 'FoundNewReplicaSet', `Found new replica set "${observed.next.metadata.name}"`);
  return conditions;
}

const isDone = (deployment: Deployment, counts: Status): boolean =>
  [counts.updatedReplicas, counts.replicas, counts.availableReplicas].every(
    (each) => each === replicasOf(deployment),
  );

function hasProgressed(before: Status, now: Status): boolean {
  const oldOf = ({ replicas = 0, updatedReplicas = 0 }: Status): number => replicas - updatedReplicas;
  return (
    (now.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    oldOf(now) < oldOf(before) ||
    (now.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (now.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

/** Each progress renews the deadline, so the time of the update changes with it. */
function progressed({ nowMs }: Observed, conditions: Condition[], message: string): Condition[] {
  const old = conditions.find(({ type }) => type === 'Progressing');
  const next = conditionAt(nowMs, 'Progressing', { status: 'True', reason: 'ReplicaSetUpdated', message });
  const { lastTransitionTime = null } = old?.status === 'True' ? old : next;
  return [...withoutCondition(conditions, 'Progressing'), { ...next, lastTransitionTime }];
}

const lateAtMs = ({ spec }: Deployment, { lastUpdateTime }: Condition): number =>
  (timeMs(lastUpdateTime ?? '') ?? Number.POSITIVE_INFINITY) + (spec?.progressDeadlineSeconds ?? 0) * 1000;

function isLate(deployment: Deployment, current: Condition | undefined, nowMs: number): boolean {
  if (current === undefined || current.reason === 'NewReplicaSetAvailable') return false;
  return current.reason === 'ProgressDeadlineExceeded' || lateAtMs(deployment, current) < nowMs;
}

/** The time until the deadline of a rollout passes; times of conditions are whole seconds. */
function deadlineMs({ deployment, nowMs }: Observed, conditions: readonly Condition[]): number | undefined {
  const current = conditions.find(({ type }) => type === 'Progressing');
  if (!hasDeadline(deployment) || current?.status !== 'True' || current.reason === 'NewReplicaSetAvailable')
    return undefined;
  const atMs = lateAtMs(deployment, current);
  return Number.isFinite(atMs) ? Math.max(1000, atMs - nowMs + 1000) : undefined;
}

/** A failure of the current set, or else of an old one, is one of the Deployment. */
function withFailures({ sets, next, nowMs }: Observed, conditions: Condition[]): Condition[] {
  const failureOf = (set: ReplicaSet | undefined) =>
    set?.status?.conditions?.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  const failure = failureOf(next) ?? sets.map(failureOf).find((each) => each !== undefined);
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure');
  const { reason = '', message = '' } = failure;
  return withCondition(conditions, conditionAt(nowMs, 'ReplicaFailure', { status: 'True', reason, message }));
}
