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
import { claimsOf, usesClaim } from './claim-use.ts';
import { decideFinalizer } from './decide.ts';
import { changeFinalizer } from './finalizer.ts';

type Claim = kinds.core.PersistentVolumeClaim;
type Pod = kinds.core.Pod;

const CONCURRENCY = 5;
const INDEX = 'pvc-protection';
const claimKeysOf = (pod: Pod): readonly string[] =>
  claimsOf(pod).map((name) => keyOf(pod.metadata.namespace, name));

/** Keeps a deleted claim until no pod uses it. */
export function claimProtectionController({ client, informers }: ControllerContext): Controller {
  const finalizer = client.names.finalizers.pvcProtection;
  const { persistentvolumeclaims: claims, pods } = typed(client).core.v1;
  const claimInformer = informers.informer(claims.resource);
  const podInformer = informers.informer(pods.resource, { indexes: { [INDEX]: claimKeysOf } });
  const isDeletedClaim = (key: string): boolean => {
    const claim = claimInformer.store.get(key);
    return claim !== undefined && isBeingDeleted(claim);
  };
  const isUsed = async (live: Claim, signal: AbortSignal): Promise<boolean> =>
    podInformer.store.byIndex(INDEX, objectKey(live)).some((pod) => usesClaim(pod, live)) ||
    // A pod that the informer has not delivered may be on a node already.
    (await hasPod(pods, live.metadata.namespace ?? '', (pod) => usesClaim(pod, live), signal));
  return controller({
    name: 'pvc-protection',
    concurrency: CONCURRENCY,
    sources: [
      informerSource(claimInformer, {
        filter: ({ type, object }) => type !== 'deleted' && decideFinalizer(object, finalizer) !== 'keep',
      }),
      // A new pod uses claims and releases none.
      informerSource(podInformer, {
        filter: ({ type }) => type !== 'added',
        keys: (pod) => claimKeysOf(pod).filter(isDeletedClaim),
      }),
    ],
    async reconcile(key, signal) {
      const claim = claimInformer.store.get(key);
      if (claim === undefined || decideFinalizer(claim, finalizer) === 'keep') return;
      const { namespace = '', name } = splitKey(key);
      const api = claims.in(namespace);
      const protection = { api, finalizer, isUsed: (live: Claim) => isUsed(live, signal) };
      await changeFinalizer(name, protection, signal);
    },
  });
}
