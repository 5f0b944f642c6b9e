import type { kinds } from '@orch/client';
import { type LoadContext, nodeName, pause } from './load.ts';
import type { BoundPods } from './scheduler.ts';

const LEASE_MS = 10_000;
const STATUS_MS = 5 * 60_000;
const LEASE_NAMESPACE = 'kube-node-lease';

/** What a node reports, in about the size of real ones. */
const nodeStatus = (): NonNullable<kinds.core.Node['status']> => ({
  capacity: { cpu: '16', memory: '64Gi', pods: '110' },
  allocatable: { cpu: '15', memory: '60Gi', pods: '110' },
  conditions: ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
    type,
    status: type === 'Ready' ? 'True' : 'False',
    lastHeartbeatTime: new Date().toISOString().replace(/\.\d+/, ''),
    reason: 'Reported',
    message: `the node reports ${type}`,
  })),
  images: Array.from({ length: 20 }, (_, i) => ({
    names: [`registry.example.com/images/image-${i}:v1`],
    sizeBytes: 50_000_000 + i,
  })),
});

/** Creates a node and its Lease. */
export async function registerNode({ clientOf, latencies, signal }: LoadContext, i: number): Promise<void> {
  const { core, coordination } = clientOf(i);
  const name = nodeName(i);
  const node = { metadata: { name, labels: { zone: `zone-${i % 3}` } } };
  await latencies.time('create nodes', signal, () => core.v1.nodes.create(node));
  const lease = { metadata: { name }, spec: { holderIdentity: name, leaseDurationSeconds: 40 } };
  await latencies.time('create leases', signal, () =>
    coordination.v1.leases.in(LEASE_NAMESPACE).create(lease),
  );
}

/** The agent of a node: renews its Lease, reports its status, and runs the pods that are bound to it. */
export async function runNodeAgent(context: LoadContext, i: number, bound: BoundPods): Promise<void> {
  await Promise.all([renewLease(context, i), reportStatus(context, i), runPods(context, i, bound)]);
}

async function renewLease({ clientOf, latencies, random, signal }: LoadContext, i: number): Promise<void> {
  const leases = clientOf(i).coordination.v1.leases.in(LEASE_NAMESPACE);
  let lease = await latencies.time('get leases', signal, () => leases.get(nodeName(i)));
  await pause(random.int(LEASE_MS), signal);
  while (!signal.aborted && lease !== undefined) {
    const renewTime = new Date().toISOString().replace('Z', '000Z');
    const renewed = { ...lease, spec: { ...lease.spec, renewTime } };
    lease = (await latencies.time('update leases', signal, () => leases.update(renewed))) ?? lease;
    await pause(LEASE_MS, signal);
  }
}

async function reportStatus({ clientOf, latencies, random, signal }: LoadContext, i: number): Promise<void> {
  const nodes = clientOf(i).core.v1.nodes.subresource('status');
  await pause(random.int(STATUS_MS), signal);
  while (!signal.aborted) {
    await latencies.time('patch nodes/status', signal, () =>
      nodes.patch.strategic(nodeName(i), { status: nodeStatus() }),
    );
    await pause(STATUS_MS, signal);
  }
}

async function runPods(context: LoadContext, i: number, bound: BoundPods): Promise<void> {
  const { clientOf, signal } = context;
  const { pods } = clientOf(i).core.v1;
  while (!signal.aborted) {
    try {
      const changes = pods.watch(
        { fieldSelector: { 'spec.nodeName': nodeName(i) }, allowBookmarks: true },
        signal,
      );
      for await (const change of changes)
        if (change.type === 'ADDED' || change.type === 'MODIFIED')
          void runPod(context, i, { pod: change.object, bound });
    } catch {
      await pause(1000, signal);
    }
  }
}

/** Starts a pod, with an event, or ends one that is deleted. */
async function runPod(
  { clientOf, latencies, signal }: LoadContext,
  i: number,
  { pod, bound }: { readonly pod: kinds.core.Pod; readonly bound: BoundPods },
): Promise<void> {
  const { core } = clientOf(i);
  const { name = '', namespace = '', uid = '', deletionTimestamp } = pod.metadata ?? {};
  if (deletionTimestamp !== undefined) {
    await latencies.time('delete pods (agent)', signal, () =>
      core.v1.pods.in(namespace).delete(name, { gracePeriodSeconds: 0, preconditions: { uid } }),
    );
    return;
  }
  if (pod.status?.phase !== 'Pending') return;
  const delay = bound.arrived(uid);
  if (delay !== undefined) latencies.add('watch pods: delay of an event', delay);
  const status = {
    phase: 'Running',
    podIP: '10.0.0.1',
    startTime: new Date().toISOString().replace(/\.\d+/, ''),
  };
  await latencies.time('patch pods/status', signal, () =>
    core.v1.pods.in(namespace).subresource('status').patch.strategic(name, { status }),
  );
  await latencies.time('create events', signal, () =>
    core.v1.events.in(namespace).create({
      metadata: { name: `${name}.started` },
      involvedObject: { kind: 'Pod', namespace, name, uid },
      reason: 'Started',
      message: 'Started the containers',
      type: 'Normal',
    }),
  );
}
