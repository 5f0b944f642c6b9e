import { isControlledBy, type kinds } from '@orch/client';
import { isGracePeriodOver } from '../api/deletion.ts';

type Pod = kinds.core.Pod;
type Volume = kinds.core.Volume;
type Claim = kinds.core.PersistentVolumeClaim;

/** Names of the claims that a pod refers to, those of its ephemeral volumes included. */
export function claimsOf(pod: Pod): readonly string[] {
  return volumesOf(pod).flatMap((volume) => {
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined) return [claim];
    return isEphemeral(volume) ? [ephemeralClaim(pod, volume)] : [];
  });
}

/**
 * Reports whether a pod uses a claim. A pod without a node does not: no node starts a pod whose claim is being deleted. The claim
 * of an ephemeral volume counts only when the pod owns it, and only until all containers of the pod have ended.
 */
export const usesClaim = (pod: Pod, claim: Claim): boolean =>
  (pod.spec?.nodeName ?? '') !== '' &&
  volumesOf(pod).some(
    (volume) => isOf(volume, pod, claim) && !(isEphemeral(volume) && isGracePeriodOver(pod)),
  );

/** Reports whether a volume of a pod is a claim. The claim of an ephemeral volume counts only when the pod owns it. */
export const refersToClaim = (pod: Pod, claim: Claim): boolean =>
  volumesOf(pod).some((volume) => isOf(volume, pod, claim));

function isOf(volume: Volume, pod: Pod, claim: Claim): boolean {
  const { name } = claim.metadata;
  const source = volume.persistentVolumeClaim;
  if (source) return source.claimName === name;
  return isEphemeral(volume) && ephemeralClaim(pod, volume) === name && isControlledBy(claim, pod);
}

const volumesOf = ({ spec }: Pod): readonly Volume[] => spec?.volumes ?? [];

const isEphemeral = ({ ephemeral }: Volume): boolean => Boolean(ephemeral);

const ephemeralClaim = (pod: Pod, { name }: Volume): string => `${pod.metadata.name ?? ''}-${name}`;
