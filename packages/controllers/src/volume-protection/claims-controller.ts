import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isBeingDeleted,
  keyOf,
  type kinds,
  objectKey,
  splitKey,
  typed,
} from '@orch/client';
import { hasPod } from '../api/has-pod.ts';
import { writeStatus } from '../api/write-status.ts';
import { claimsOf, usesClaim } from './claim-use.ts';
import { decideFinalizer } from './decide.ts';
import { changeFinalizer } from './finalizer.ts';
import { decideUnused, keepsInUse } from './unused.ts';

type Claim = kinds.core.PersistentVolumeClaim;
type Pod = kinds.core.Pod;

const CONCURRENCY = 5;
const INDEX = 'pvc-protection';
const claimKeysOf = (pod: Pod): readonly string[] =>
  claimsOf(pod).map((name) => keyOf(pod.metadata.namespace, name));

export interface ClaimSettings {
  /** Bound claims tell in the condition `Unused` since when no pod refers to them. */
  readonly tracksUse: boolean;
}

/** Keeps a deleted claim until no pod uses it. */
export function claimProtectionController(
  { client, informers, env }: ControllerContext,
  { tracksUse }: ClaimSettings,
): Controller {
  const finalizer = client.names.finalizers.pvcProtection;
  const { persistentvolumeclaims: claims, pods } = typed(client).core.v1;
  const claimInformer = informers.informer(claims.resource);
  const podInformer = informers.informer(pods.resource, { indexes: { [INDEX]: claimKeysOf } });
  const isAffected = (key: string): boolean => {
    const claim = claimInformer.store.get(key);
    return claim !== undefined && (tracksUse || isBeingDeleted(claim));
  };
  const hasKnownUser = (by: typeof usesClaim, claim: Claim): boolean =>
    podInformer.store.byIndex(INDEX, objectKey(claim)).some((pod) => by(pod, claim));
  const isUsed = async (by: typeof usesClaim, claim: Claim, signal: AbortSignal): Promise<boolean> =>
    hasKnownUser(by, claim) ||
    // The informer may not have delivered every pod.
    (await hasPod(pods, claim.metadata.namespace ?? '', (pod) => by(pod, claim), signal));
  // This includes what the controller wrote itself: an event of a pod that it handled since may have met the claim as it was before.
  const saysWrong = (claim: Claim): boolean =>
    tracksUse && decideUnused(claim, hasKnownUser(keepsInUse, claim), 0) !== undefined;
  return controller({
    name: 'pvc-protection',
    concurrency: CONCURRENCY,
    sources: [
      informerSource(claimInformer, {
        filter: ({ type, object }) =>
          type !== 'deleted' && (decideFinalizer(object, finalizer) !== 'keep' || saysWrong(object)),
      }),
      // A new pod uses claims and releases none.
      informerSource(podInformer, {
        filter: ({ type }) => tracksUse || type !== 'added',
        keys: (pod) => claimKeysOf(pod).filter(isAffected),
      }),
    ],
    async reconcile(key, signal) {
      const claim = claimInformer.store.get(key);
      if (claim === undefined) return;
      const nowMs = env.clock.now();
      // The state of claims that say the right thing already is not read from the server.
      if (tracksUse && decideUnused(claim, hasKnownUser(keepsInUse, claim), nowMs) !== undefined) {
        const conditions = decideUnused(claim, await isUsed(keepsInUse, claim, signal), nowMs);
        if (conditions !== undefined)
          await writeStatus(claims, { read: claim, status: { ...claim.status, conditions } }, signal);
      }
      if (decideFinalizer(claim, finalizer) === 'keep') return;
      const { namespace = '', name } = splitKey(key);
      const api = claims.in(namespace);
      const protection = { api, finalizer, isUsed: (live: Claim) => isUsed(usesClaim, live, signal) };
      await changeFinalizer(name, protection, signal);
    },
  });
}
