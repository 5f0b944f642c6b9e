import { type ApiObject, hasDeletionTimestamp, isJsonObject } from '@orch/machinery';

/** Names of the claims of its namespace that a pod may use; names of its own volumes' claims among them. */
export function claimsOf(pod: ApiObject): readonly string[] {
  return volumesOf(pod).flatMap((volume) => {
    const claim = volume['persistentVolumeClaim'];
    if (isJsonObject(claim) && typeof claim['claimName'] === 'string') return [claim['claimName']];
    if (isJsonObject(volume['ephemeral'])) return [ephemeralClaim(pod, volume)];
    return [];
  });
}

/**
 * Whether a pod uses a claim. One without a node does not: where a claim is being deleted, no node starts a pod with
 * it. A claim that was made for a volume of the pod is its own only when the pod owns it, and no longer used when all
 * containers have ended.
 */
export function usesClaim(pod: ApiObject, claim: ApiObject): boolean {
  const spec = pod['spec'];
  if (!isJsonObject(spec) || typeof spec['nodeName'] !== 'string' || spec['nodeName'] === '') return false;
  const { name } = claim.metadata;
  return volumesOf(pod).some((volume) => {
    const source = volume['persistentVolumeClaim'];
    if (isJsonObject(source)) return source['claimName'] === name;
    return (
      isJsonObject(volume['ephemeral']) &&
      ephemeralClaim(pod, volume) === name &&
      isOwnedBy(claim, pod) &&
      !isShutDown(pod)
    );
  });
}

function volumesOf({ spec }: ApiObject): readonly Readonly<Record<string, unknown>>[] {
  const volumes = isJsonObject(spec) ? spec['volumes'] : undefined;
  return Array.isArray(volumes) ? volumes.filter(isJsonObject) : [];
}

const ephemeralClaim = (pod: ApiObject, volume: Readonly<Record<string, unknown>>): string =>
  `${pod.metadata.name ?? ''}-${String(volume['name'])}`;

const isOwnedBy = (claim: ApiObject, pod: ApiObject): boolean =>
  (claim.metadata.ownerReferences ?? []).some(
    (owner) => owner.controller === true && owner.uid === pod.metadata.uid,
  );

/** Its node has ended all of it, and waits for finalizers alone. */
const isShutDown = ({ metadata }: ApiObject): boolean =>
  hasDeletionTimestamp(metadata) && metadata.deletionGracePeriodSeconds === 0;
