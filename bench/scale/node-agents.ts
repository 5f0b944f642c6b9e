import type { kinds } from '@orch/client';
import { unlessGone, WATCH_DELAY } from './latencies.ts';
import {
  configName,
  LEASE_NAMESPACE,
  type LoadContext,
  namespaceOf,
  nodeName,
  pause,
  unaborted,
} from './load.ts';
import { microTime, nodeStatus, runningStatus } from './objects.ts';
import type { BoundPods } from './scheduler.ts';

const LEASE_MS = 10_000;
const STATUS_MS = 5 * 60_000;

/** The agent of a node: renews its Lease, reports its status, runs the pods that are bound to it, and watches what they refer to. */
export function startNodeAgent(context: LoadContext, node: number, bound: BoundPods): void {
  void renewLease(context, node);
  void reportStatus(context, node);
  void runPods(context, node, bound);
  void watchReferences(context, node);
}

async function renewLease({ agentClient, latencies, random }: LoadContext, node: number): Promise<void> {
  const leases = agentClient(node).client.coordination.v1.leases.in(LEASE_NAMESPACE);
  const read = () => latencies.time('get leases', () => leases.get(nodeName(node)));
  await pause(random.int(LEASE_MS));
  for (let lease = await read(); ; ) {
    const began = performance.now();
    if (lease !== undefined) {
      const renewed = { ...lease, spec: { ...lease.spec, renewTime: microTime() } };
      lease = await latencies.time('update leases', () => leases.update(renewed));
    }
    lease ??= await read();
    await pause(LEASE_MS - (performance.now() - began));
  }
}

async function reportStatus({ agentClient, latencies, random }: LoadContext, node: number): Promise<void> {
  const nodes = agentClient(node).client.core.v1.nodes.subresource('status');
  await pause(random.int(STATUS_MS));
  for (;;) {
    await latencies.time('patch nodes/status', () =>
      nodes.patch.strategic(nodeName(node), { status: nodeStatus() }),
    );
    await pause(STATUS_MS);
  }
}

/** Follows a watch, which is opened again when it ends. */
async function follow<T>(open: () => AsyncIterable<T>, take: (change: T) => void): Promise<void> {
  for (;;) {
    try {
      for await (const change of open()) take(change);
    } catch {
      await pause(1000);
    }
  }
}

async function runPods(context: LoadContext, node: number, bound: BoundPods): Promise<void> {
  const { pods } = context.agentClient(node).client.core.v1;
  const selection = { fieldSelector: { 'spec.nodeName': nodeName(node) }, allowBookmarks: true };
  await follow(
    () => pods.watch(selection, unaborted()),
    (change) => {
      if (change.type === 'ADDED' || change.type === 'MODIFIED')
        void runPod(context, node, { pod: change.object, bound });
    },
  );
}

/** The config maps and secrets of a namespace, a watch for each. */
async function watchReferences({ agentClient, options }: LoadContext, node: number): Promise<void> {
  const { core } = agentClient(node).client;
  const namespace = namespaceOf(options, node);
  const ignore = (): void => {};
  const follows = Array.from({ length: options.references }, (_, i) => {
    const selection = { fieldSelector: { 'metadata.name': configName(i) }, allowBookmarks: true };
    return [
      follow(() => core.v1.configmaps.in(namespace).watch(selection, unaborted()), ignore),
      follow(() => core.v1.secrets.in(namespace).watch(selection, unaborted()), ignore),
    ];
  });
  await Promise.all(follows.flat());
}

/** Starts a pod, with an event, or ends one that is deleted. */
async function runPod(
  { agentClient, latencies }: LoadContext,
  node: number,
  { pod, bound }: { readonly pod: kinds.core.Pod; readonly bound: BoundPods },
): Promise<void> {
  const { core } = agentClient(node).client;
  const { name = '', namespace = '', uid = '', deletionTimestamp } = pod.metadata ?? {};
  if (deletionTimestamp !== undefined) {
    if (bound.isEnding(uid))
      await latencies.time('delete pods (agent)', () =>
        core.v1.pods
          .in(namespace)
          .delete(name, { gracePeriodSeconds: 0, preconditions: { uid } })
          .catch(unlessGone),
      );
    return;
  }
  if (pod.status?.phase !== 'Pending' || !bound.isStarting(uid)) return;
  latencies.add(WATCH_DELAY, bound.arrived(uid));
  await latencies.time('patch pods/status', () =>
    core.v1.pods
      .in(namespace)
      .subresource('status')
      .patch.strategic(name, { metadata: { uid }, status: runningStatus() })
      .catch(unlessGone),
  );
  await latencies.time('create events', () =>
    core.v1.events.in(namespace).create({
      metadata: { name: `${name}.${uid.slice(0, 8)}` },
      involvedObject: { kind: 'Pod', namespace, name, uid },
      reason: 'Started',
      message: 'Started the containers',
      type: 'Normal',
    }),
  );
}
