import type { kinds } from '@orch/client';
import { LEASE_NAMESPACE, REPLICAS } from './load.ts';

const now = (): string => new Date().toISOString().replace(/\.\d+/, '');

/** What a node reports, in about the size of real ones. */
export const nodeStatus = (): NonNullable<kinds.core.Node['status']> => ({
  capacity: { cpu: '16', memory: '64Gi', pods: '110' },
  allocatable: { cpu: '15', memory: '60Gi', pods: '110' },
  conditions: ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
    type,
    status: type === 'Ready' ? 'True' : 'False',
    lastHeartbeatTime: now(),
    reason: 'Reported',
    message: `the node reports ${type}`,
  })),
  images: Array.from({ length: 20 }, (_, i) => ({
    names: [`registry.example.com/images/image-${i}:v1`],
    sizeBytes: 50_000_000 + i,
  })),
});

export const nodeOf = (name: string): kinds.core.Node => ({
  metadata: { name, labels: { zone: 'zone-1' } },
  status: nodeStatus(),
});

export const leaseOf = (name: string): kinds.coordination.Lease => ({
  metadata: { name, namespace: LEASE_NAMESPACE },
  spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTime() },
});

/** The present, as a Lease has it. */
export const microTime = (): string => new Date().toISOString().replace('Z', '000Z');

const podSpec = (): NonNullable<kinds.core.Pod['spec']> => ({
  containers: [
    {
      name: 'main',
      image: 'registry.example.com/images/image-1:v1',
      env: Array.from({ length: 10 }, (_, i) => ({ name: `NAME_${i}`, value: `value ${i}` })),
      resources: { requests: { cpu: '100m', memory: '128Mi' } },
    },
  ],
});

/** A pod in about the size of those of a Deployment. */
export const podOf = (name: string): kinds.core.Pod => ({
  metadata: { name, labels: { app: name.replace(/-\d+$/, ''), tier: 'web' } },
  spec: podSpec(),
});

/** The status of a pod whose containers have started. */
export const runningStatus = (): NonNullable<kinds.core.Pod['status']> => ({
  phase: 'Running',
  podIP: '10.0.0.1',
  podIPs: [{ ip: '10.0.0.1' }],
  startTime: now(),
  conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: now() }],
});

export const deploymentOf = (name: string): kinds.apps.Deployment => ({
  metadata: { name },
  spec: {
    replicas: REPLICAS,
    selector: { matchLabels: { deployment: name } },
    template: { metadata: { labels: { deployment: name } }, spec: podSpec() },
  },
});

export const serviceOf = (name: string): kinds.core.Service => ({
  metadata: { name },
  spec: { selector: { deployment: name }, ports: [{ port: 80 }] },
});
