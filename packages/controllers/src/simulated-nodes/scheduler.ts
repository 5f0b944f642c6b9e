import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isBeingDeleted,
  keyOf,
  type kinds,
  objectKey,
  type ResourceClient,
  type Stored,
  typed,
} from '@orch/client';
import { formatTime } from '@orch/machinery/time';
import { ignoreReasons } from '../api/writes.ts';
import { hasEnded, podCondition } from '../pods/pod-state.ts';
import { claimsOf } from '../volume-protection/claim-use.ts';
import { type Choice, chooseNode } from './choose-node.ts';

type Pod = kinds.core.Pod;

const NAME = 'default-scheduler';
const PENDING = 'simulated-scheduler-pending';
const NODE = 'simulated-scheduler-node';
const ALL = 'pending';

/** Reports whether a pod waits for a node from this scheduler. */
const isPending = (pod: Pod): boolean =>
  (pod.spec?.nodeName ?? '') === '' &&
  (pod.spec?.schedulerName ?? NAME) === NAME &&
  (pod.spec?.schedulingGates ?? []).length === 0 &&
  !isBeingDeleted(pod) &&
  !hasEnded(pod);

const byPending = (pod: Pod): readonly string[] => (isPending(pod) ? [ALL] : []);
const byNode = (pod: Pod): readonly string[] => {
  const node = pod.spec?.nodeName ?? '';
  return node === '' || hasEnded(pod) ? [] : [node];
};

/** Assigns nodes to pods, as a scheduler does, by selectors, affinity to nodes, taints, requests and bound claims. */
export function schedulerController({ client, informers, env }: ControllerContext): Controller {
  const { pods, nodes, persistentvolumeclaims } = typed(client).core.v1;
  const podInformer = informers.informer(pods.resource, {
    indexes: { [PENDING]: byPending, [NODE]: byNode },
  });
  const nodeInformer = informers.informer(nodes.resource);
  const claimInformer = informers.informer(persistentvolumeclaims.resource);
  const pendingKeys = (): readonly string[] => podInformer.store.byIndex(PENDING, ALL).map(objectKey);
  /** Pods that were bound just now. */
  const assumed = new Map<string, Stored<Pod>>();
  podInformer.subscribe(({ object }) => {
    if (!isPending(object)) assumed.delete(object.metadata.uid);
  });
  const podsOn = (node: string): readonly Pod[] => [
    ...podInformer.store.byIndex(NODE, node),
    ...[...assumed.values()].filter(({ spec }) => spec?.nodeName === node),
  ];
  const choose = (pod: Stored<Pod>): Choice => {
    const { namespace } = pod.metadata;
    const unbound = claimsOf(pod).find(
      (claim) => claimInformer.store.get(keyOf(namespace, claim))?.status?.phase !== 'Bound',
    );
    if (unbound !== undefined) return { message: `persistentvolumeclaim "${unbound}" is not bound` };
    return chooseNode(pod, [...nodeInformer.store.values()], podsOn);
  };
  return controller({
    name: 'simulated-scheduler',
    sources: [
      informerSource(podInformer, { filter: ({ object, type }) => type !== 'deleted' && isPending(object) }),
      // What a pod has left may be enough for another.
      informerSource(podInformer, {
        filter: ({ object, type }) => type === 'deleted' || hasEnded(object),
        keys: pendingKeys,
      }),
      informerSource(nodeInformer, { keys: pendingKeys }),
      informerSource(claimInformer, { keys: pendingKeys }),
    ],
    async reconcile(key, signal) {
      const pod = podInformer.store.get(key);
      if (pod === undefined || !isPending(pod) || assumed.has(pod.metadata.uid)) return;
      const choice = choose(pod);
      if ('message' in choice) {
        await reportUnschedulable(pods, pod, { ...choice, now: formatTime(env.clock.now()) }, signal);
        return;
      }
      assumed.set(pod.metadata.uid, { ...pod, spec: { containers: [], ...pod.spec, nodeName: choice.node } });
      try {
        await bind(pods, pod, choice.node, signal);
      } catch (error) {
        assumed.delete(pod.metadata.uid);
        throw error;
      }
    },
  });
}

async function bind(
  pods: ResourceClient<Pod>,
  pod: Stored<Pod>,
  node: string,
  signal: AbortSignal,
): Promise<void> {
  const { name, namespace = '', uid } = pod.metadata;
  const binding = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, namespace, uid },
    target: { apiVersion: 'v1', kind: 'Node', name: node },
  };
  const api = pods.in(namespace).subresource('binding');
  await ignoreReasons(['NotFound', 'Conflict'], () => api.create(name, binding, {}, signal));
}

async function reportUnschedulable(
  pods: ResourceClient<Pod>,
  pod: Stored<Pod>,
  { message, now }: { readonly message: string; readonly now: string },
  signal: AbortSignal,
): Promise<void> {
  const old = podCondition(pod, 'PodScheduled');
  if (old?.status === 'False' && old.message === message) return;
  const { name, namespace = '', uid } = pod.metadata;
  const lastTransitionTime = old?.status === 'False' ? (old.lastTransitionTime ?? now) : now;
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message,
    lastTransitionTime,
  };
  const patch = { metadata: { uid }, status: { conditions: [condition] } };
  const api = pods.in(namespace).subresource<Pod>('status');
  await ignoreReasons(['NotFound', 'Conflict'], () => api.patch.strategic(name, patch, {}, signal));
}
