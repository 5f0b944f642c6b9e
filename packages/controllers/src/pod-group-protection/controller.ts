import {
  type Controller,
  type ControllerContext,
  controller,
  hasFinalizer,
  informerSource,
  isBeingDeleted,
  keyOf,
  type kinds,
  objectKey,
  type ResourceClient,
  splitKey,
  typed,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { withFinalizer } from '../api/finalizers.ts';
import { hasPod } from '../api/has-pod.ts';
import { servedSource } from '../api/served-source.ts';
import { ignoreReasons } from '../api/writes.ts';

type Pod = kinds.core.Pod;

const CONCURRENCY = 1;
const INDEX = 'podgroup-protection';

const isActive = ({ status }: Pod): boolean => status?.phase !== 'Succeeded' && status?.phase !== 'Failed';

const groupOf = ({ metadata, spec }: Pod): string | undefined => {
  const name = spec?.schedulingGroup?.podGroupName;
  return name === undefined ? undefined : keyOf(metadata.namespace, name);
};

/** Removes the finalizer of a PodGroup that is being deleted when no active pod names the group. Admission sets the finalizer. */
export function podGroupProtectionController(context: ControllerContext): Controller {
  const { client, informers } = context;
  const finalizer = client.names.finalizers.podGroupProtection;
  const { v1beta1, v1alpha3, v1alpha2 } = typed(client).scheduling;
  const clients: readonly ResourceClient<ApiObject>[] = [
    v1beta1.podgroups,
    v1alpha3.podgroups,
    v1alpha2.podgroups,
  ];
  let groups: ResourceClient<ApiObject> = v1beta1.podgroups;
  const { pods } = typed(client).core.v1;
  const activeGroupsOf = (pod: Pod): readonly string[] => {
    const group = isActive(pod) ? groupOf(pod) : undefined;
    return group === undefined ? [] : [group];
  };
  const podInformer = informers.informer(pods.resource, { indexes: { [INDEX]: activeGroupsOf } });
  const isUsed = async (group: ApiObject, signal: AbortSignal): Promise<boolean> => {
    const key = objectKey(group);
    if (podInformer.store.byIndex(INDEX, key).length > 0) return true;
    // A pod that the informer has not delivered may name the group.
    const namespace = group.metadata.namespace ?? '';
    return hasPod(pods, namespace, (pod) => activeGroupsOf(pod).includes(key), signal);
  };
  return controller({
    name: 'podgroup-protection-controller',
    concurrency: CONCURRENCY,
    sources: [
      servedSource(context, {
        versions: clients.map(({ resource }) => resource),
        onServed: (version) => {
          groups = clients.find(({ resource }) => resource === version) ?? groups;
        },
        filter: ({ type, object }) =>
          type !== 'deleted' && isBeingDeleted(object) && hasFinalizer(object, finalizer),
      }),
      // Only a pod that ends or is deleted can release a group.
      informerSource(podInformer, {
        filter: ({ type, object }) => type === 'deleted' || (type !== 'added' && !isActive(object)),
        keys: (pod) => [groupOf(pod)].filter((key) => key !== undefined),
      }),
    ],
    async reconcile(key, signal) {
      const { namespace = '', name } = splitKey(key);
      const api = groups.in(namespace);
      const live = await ignoreReasons(['NotFound'], () => api.get(name, {}, signal));
      if (live === undefined || !isBeingDeleted(live) || !hasFinalizer(live, finalizer)) return;
      if (await isUsed(live, signal)) return;
      await api.update(withFinalizer(live, finalizer, false), {}, signal);
    },
  });
}
