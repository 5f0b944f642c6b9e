import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { prefixRange, type ReadableKeyValue, readable } from '@orch/storage';
import { openEtcdStore } from '@orch/storage/etcd';
import { type EtcdCluster, type PutEntry, putMany, startEtcd } from '@orch/storage/testing';
import { launchServerProcess } from '@orch/testkit';
import { podOf } from './pods.ts';

/** An etcd with many pods, as a server stores them. */
export interface StockedEtcd extends AsyncDisposable {
  readonly endpoints: readonly string[];
  readonly pid: number;
  /** Bytes of all pods together. */
  readonly bytes: number;
}

const env = { clock: systemClock, random: systemRandom, log: silentLogger };
const QUOTA_BYTES = 8 * 2 ** 30;

export const podName = (index: number): string => `pod-${String(index).padStart(6, '0')}`;

/** Starts an etcd, lets a server create one pod in it, and adds copies with different names and identifiers. */
export async function stockedEtcd(pods: number, certDir: string): Promise<StockedEtcd> {
  const cluster = await startEtcd({ flags: ['--quota-backend-bytes', String(QUOTA_BYTES)] });
  const [endpoint = ''] = cluster.endpoints;
  const first = await firstPod(cluster, certDir);
  await putMany(endpoint, copiesOf(first, pods));
  return {
    endpoints: cluster.endpoints,
    pid: cluster.members[0]?.pid ?? 0,
    bytes: first.value.length * pods,
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

async function firstPod({ endpoints }: EtcdCluster, certDir: string): Promise<ReadableKeyValue> {
  {
    await using server = await launchServerProcess({ naming: 'kubernetes', etcd: endpoints, certDir });
    const { status, text } = await server.client.post('/api/v1/namespaces/default/pods', podOf(0));
    if (status !== 201) throw new Error(`creating a pod answered ${status}: ${text}`);
  }
  const store = await openEtcdStore({ endpoints, env });
  try {
    const range = prefixRange('/registry/pods/');
    const { items } = await store.list(range, { limit: 1 }, new AbortController().signal);
    const [pod] = items;
    if (pod === undefined) throw new Error('there is no pod in etcd');
    return readable(pod);
  } finally {
    await store.close();
  }
}

function* copiesOf({ key, value }: ReadableKeyValue, pods: number): Generator<PutEntry> {
  const text = String(value);
  for (let index = 1; index < pods; index++) {
    const copy = text
      .replaceAll(podName(0), podName(index))
      .replaceAll('node-0', `node-${index % 100}`)
      .replaceAll('app-0', `app-${index % 100}`)
      .replace(/("uid":"[^"]*)[^"]{12}"/, `$1${String(index).padStart(12, '0')}"`);
    yield { key: key.replace(podName(0), podName(index)), value: Buffer.from(copy) };
  }
}
