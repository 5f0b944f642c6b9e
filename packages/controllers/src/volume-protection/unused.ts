import { isBeingDeleted, type kinds } from '@orch/client';
import { formatTime } from '@orch/machinery/time';
import { hasEnded } from '../pods/pod-state.ts';
import { refersToClaim } from './claim-use.ts';

type Claim = kinds.core.PersistentVolumeClaim;
type Condition = kinds.core.PersistentVolumeClaimCondition;
type Pod = kinds.core.Pod;
type ContainerStatus = kinds.core.ContainerStatus;

const TYPE = 'Unused';

const conditionOf = ({ status }: Claim): Condition | undefined =>
  status?.conditions?.find(({ type }) => type === TYPE);

/** Reports whether a claim has the condition that tells since when no pod refers to it. Claims that are bound get it. */
export const needsUnused = (claim: Claim): boolean => isTracked(claim) && conditionOf(claim) === undefined;

const isTracked = (claim: Claim): boolean => !isBeingDeleted(claim) && claim.status?.phase === 'Bound';

/** Reports whether no container of a pod runs any more. */
const isTerminated = (pod: Pod): boolean =>
  hasEnded(pod) || (isBeingDeleted(pod) && (pod.status?.containerStatuses ?? []).every(isNotRunning));

const isNotRunning = ({ state }: ContainerStatus): boolean =>
  state?.terminated !== undefined || state?.waiting !== undefined;

/** Reports whether a pod keeps a claim from being unused, also before the pod has a node. */
export const keepsInUse = (pod: Pod, claim: Claim): boolean =>
  !isTerminated(pod) && refersToClaim(pod, claim);

/** The conditions of a claim that is used or not from this time on; undefined when they say so, and for claims that are not bound. */
export function decideUnused(claim: Claim, isUsed: boolean, nowMs: number): Condition[] | undefined {
  const known = conditionOf(claim);
  const isUnused = known?.status === 'True';
  if (!isTracked(claim) || (known !== undefined && isUnused === !isUsed)) return undefined;
  const condition: Condition = {
    type: TYPE,
    status: isUsed ? 'False' : 'True',
    lastTransitionTime: formatTime(nowMs),
    reason: isUsed ? 'PodUsingPVC' : 'NoPodsUsingPVC',
    message: isUsed
      ? 'A pod is currently referencing this PVC'
      : 'No pods are currently referencing this PVC',
  };
  const conditions = claim.status?.conditions ?? [];
  return known === undefined
    ? [...conditions, condition]
    : conditions.map((each) => (each === known ? condition : each));
}
