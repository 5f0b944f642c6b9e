import { type EtcdCluster, putMany, startEtcd } from '@orch/storage/testing';
import { launchServerProcess } from '@orch/testkit';
import { podOf } from './pods.ts';
import { copiesOf, storedTemplates } from './stored-templates.ts';

/** An etcd with many pods, as a server stores them. */
export interface StockedEtcd extends AsyncDisposable {
  readonly endpoints: readonly string[];
  readonly pid: number;
  /** Bytes of all pods together. */
  readonly bytes: number;
}

const QUOTA_BYTES = 8 * 2 ** 30;

export const podName = (index: number): string => `pod-${String(index).padStart(6, '0')}`;

/** Starts an etcd, lets a server create one pod in it, and adds copies with different names and identifiers. */
export async function stockedEtcd(pods: number, certDir: string): Promise<StockedEtcd> {
  const cluster = await startEtcd({ flags: ['--quota-backend-bytes', String(QUOTA_BYTES)] });
  const [endpoint = ''] = cluster.endpoints;
  await createPod(cluster, certDir);
  const [first] = await storedTemplates(cluster.endpoints, ['/registry/pods/']);
  if (first === undefined) throw new Error('there is no pod in etcd');
  const copies = copiesOf(first, pods, (i) => ({
    [podName(0)]: podName(i),
    'node-0': `node-${i % 100}`,
    'app-0': `app-${i % 100}`,
  }));
  await putMany(endpoint, copies);
  return {
    endpoints: cluster.endpoints,
    pid: cluster.members[0]?.pid ?? 0,
    bytes: first.value.length * pods,
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

async function createPod({ endpoints }: EtcdCluster, certDir: string): Promise<void> {
  await using server = await launchServerProcess({ naming: 'kubernetes', etcd: endpoints, certDir });
  const { status, text } = await server.client.post('/api/v1/namespaces/default/pods', podOf(0));
  if (status !== 201) throw new Error(`creating a pod answered ${status}: ${text}`);
}
