import { isControlledBy, type kinds } from '@orch/client';
import { isGracePeriodOver } from '../api/deletion.ts';

type Pod = kinds.core.Pod;
type Volume = kinds.core.Volume;

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
export function usesClaim(pod: Pod, claim: kinds.core.PersistentVolumeClaim): boolean {
  if ((pod.spec?.nodeName ?? '') === '') return false;
  const { name } = claim.metadata;
  return volumesOf(pod).some((volume) => {
    const source = volume.persistentVolumeClaim;
    if (source) return source.claimName === name;
    return (
      isEphemeral(volume) &&
      ephemeralClaim(pod, volume) === name &&
      isControlledBy(claim, pod) &&
      !isGracePeriodOver(pod)
    );
  });
}

const volumesOf = ({ spec }: Pod): readonly Volume[] => spec?.volumes ?? [];

const isEphemeral = ({ ephemeral }: Volume): boolean => Boolean(ephemeral);

const ephemeralClaim = (pod: Pod, { name }: Volume): string => `${pod.metadata.name ?? ''}-${name}`;
