import {
  type Client,
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  keyOf,
  objectKey,
  type Resource,
  splitKey,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { claimsOf, usesClaim } from './claim-use.ts';
import { decideFinalizer } from './decide.ts';
import { changeFinalizer } from './finalizer.ts';

const claims: Resource = {
  group: '',
  version: 'v1',
  resource: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  namespaced: true,
};
const pods: Resource = { group: '', version: 'v1', resource: 'pods', kind: 'Pod', namespaced: true };

const PODS_A_PAGE = 500;
const CONCURRENCY = 5;
const INDEX = 'pvc-protection';
const keysOfClaims = (pod: ApiObject): readonly string[] =>
  claimsOf(pod).map((name) => keyOf(pod.metadata.namespace, name));

/** Keeps a claim that was deleted until no pod uses it. */
export function claimProtectionController({ client, informers }: ControllerContext): Controller {
  const finalizer = client.names.finalizers.pvcProtection;
  const claimInformer = informers.informer(claims);
  const podInformer = informers.informer(pods, { indexes: { [INDEX]: keysOfClaims } });
  const isEnding = (key: string): boolean =>
    typeof claimInformer.store.get(key)?.metadata.deletionTimestamp === 'string';
  return controller({
    name: 'pvc-protection',
    concurrency: CONCURRENCY,
    sources: [
      informerSource(claimInformer, {
        filter: ({ type, object }) => type !== 'deleted' && decideFinalizer(object, finalizer) !== 'keep',
      }),
      // A pod that comes uses claims, it frees none.
      informerSource(podInformer, {
        filter: ({ type }) => type !== 'added',
        keys: (pod: ApiObject) => keysOfClaims(pod).filter(isEnding),
      }),
    ],
    async reconcile(key, signal) {
      const claim = claimInformer.store.get(key);
      if (claim === undefined || decideFinalizer(claim, finalizer) === 'keep') return;
      await changeFinalizer(
        client.resource(claims, splitKey(key).namespace),
        claim,
        {
          finalizer,
          isUsed: async (live) =>
            podInformer.store.byIndex(INDEX, objectKey(live)).some((pod) => usesClaim(pod, live)) ||
            (await isUsedNow(client, live, signal)),
        },
        signal,
      );
    },
  });
}

/** Asks the server: a pod that is not seen yet may be on a node already. */
async function isUsedNow(client: Client, claim: ApiObject, signal: AbortSignal): Promise<boolean> {
  const pages = client.resource(pods, claim.metadata.namespace).pages({ limit: PODS_A_PAGE }, signal);
  for await (const { items } of pages) if (items.some((pod) => usesClaim(pod, claim))) return true;
  return false;
}
