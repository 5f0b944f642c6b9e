import { controllerOf, isOwnedBy, type kinds, ownerReferenceTo, type Stored } from '@orch/client';
import type { OwnerReference } from '@orch/machinery';

type StatefulSet = Stored<kinds.apps.StatefulSet>;
type Pod = Stored<kinds.core.Pod>;
type Claim = Stored<kinds.core.PersistentVolumeClaim>;

/** The set and the pod that a claim belongs to. */
export interface ClaimPlace {
  readonly set: StatefulSet;
  /** The pod that uses it; undefined without one. */
  readonly pod: Pod | undefined;
  /** The set has fewer replicas than its pod needs. */
  readonly isScaledDown: boolean;
}

/** Whether claims are deleted with their set, or with pods that a scale removes. */
export function deletesClaims({ spec }: StatefulSet): boolean {
  const { whenDeleted, whenScaled } = spec?.persistentVolumeClaimRetentionPolicy ?? {};
  return whenDeleted === 'Delete' || whenScaled === 'Delete';
}

/**
 * The owners of a claim by the retention policy of its set: the garbage collector deletes the claim with them. Undefined if the
 * claim has them, or another controller. `whenScaled` decides for pods that are too many, `whenDeleted` for all others.
 */
export function ownersByPolicy(
  claim: Claim,
  { set, pod, isScaledDown }: ClaimPlace,
): OwnerReference[] | undefined {
  const controller = controllerOf(claim);
  const mayOwn = [set, pod].some((one) => one !== undefined && controller?.uid === one.metadata.uid);
  if (controller !== undefined && !mayOwn) return undefined;
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const byScale = isScaledDown && whenScaled === 'Delete';
  const owner = byScale ? pod : whenDeleted === 'Delete' ? set : undefined;
  const others = (claim.metadata.ownerReferences ?? []).filter(
    ({ uid }) => uid !== set.metadata.uid && uid !== pod?.metadata.uid,
  );
  const wanted = owner === undefined ? others : [...others, ownerReferenceTo(owner)];
  const has = (one: StatefulSet | Pod | undefined): boolean => one !== undefined && isOwnedBy(claim, one);
  const isRight = has(set) === (owner === set) && has(pod) === (owner !== undefined && owner === pod);
  return isRight ? undefined : wanted;
}

/** Whether a claim goes with an earlier pod of the same name: a new pod has to wait until it is gone. */
export const isOfEarlierPod = ({ metadata }: Claim, podName: string): boolean =>
  metadata.ownerReferences?.some(({ kind, name }) => kind === 'Pod' && name === podName) === true;
