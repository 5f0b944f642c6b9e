import type { kinds, Names } from '@orch/client';
import { formatTime } from '@orch/machinery/time';

/** Nodes on which pods can run: ready, with much of everything. Their names are `node-1`, `node-2` and so on. */
export function simulatedNodes(names: Names, count: number, nowMs: number): readonly kinds.core.Node[] {
  return Array.from({ length: count }, (_, i) => nodeOf(`node-${i + 1}`, names, formatTime(nowMs)));
}

const nodeOf = (name: string, { labels }: Names, now: string): kinds.core.Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { [labels.hostname]: name, [labels.os]: 'linux', [labels.arch]: 'amd64' } },
  status: nodeStatus(name, now),
});

/** The status of a node that is ready. */
export function nodeStatus(name: string, now: string): kinds.core.NodeStatus {
  const amounts = { cpu: '64', memory: '256Gi', pods: '1000' };
  const condition = (type: string, status: string, reason: string) => ({
    type,
    status,
    reason,
    message: '',
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  });
  return {
    capacity: amounts,
    allocatable: amounts,
    conditions: [
      condition('MemoryPressure', 'False', 'NodeHasSufficientMemory'),
      condition('DiskPressure', 'False', 'NodeHasNoDiskPressure'),
      condition('PIDPressure', 'False', 'NodeHasSufficientPID'),
      condition('Ready', 'True', 'NodeReady'),
    ],
    addresses: [{ type: 'Hostname', address: name }],
  };
}
