import type { kinds } from '@orch/client';
import { type LoadContext, type LoadOptions, namespaceOf, nodeName, paced } from './load.ts';

/** A pod in about the size of those of a Deployment. */
const podOf = (name: string, node?: string): kinds.core.Pod => ({
  metadata: { name, labels: { app: name.replace(/-\d+$/, ''), tier: 'web' } },
  spec: {
    ...(node === undefined ? {} : { nodeName: node }),
    containers: [
      {
        name: 'main',
        image: 'registry.example.com/images/image-1:v1',
        env: Array.from({ length: 10 }, (_, i) => ({ name: `NAME_${i}`, value: `value ${i}` })),
        resources: { requests: { cpu: '100m', memory: '128Mi' } },
      },
    ],
  },
});

/** Creates a pod that runs already. */
export async function createRunningPod(context: LoadContext, i: number): Promise<void> {
  const { clientOf, latencies, options, signal } = context;
  const pod = podOf(`stable-${i}`, nodeName(i % options.nodes));
  const pods = clientOf(i).core.v1.pods.in(namespaceOf(options, i));
  await latencies.time('create pods', signal, () => pods.create(pod));
  const status = { phase: 'Running', podIP: '10.0.0.1' };
  await latencies.time('patch pods/status', signal, () =>
    pods.subresource('status').patch.strategic(`stable-${i}`, { status }),
  );
}

/** Creates pods at the rate of the load, and deletes each after some time. */
export async function churn(context: LoadContext): Promise<void> {
  const { clientOf, latencies, options, signal } = context;
  const { podsPerSecond } = options;
  const lifetime = 20 * podsPerSecond;
  const podsOf = (i: number) => clientOf(i).core.v1.pods.in(namespaceOf(options, i));
  await paced(podsPerSecond, signal, async (i) => {
    await latencies.time('create pods', signal, () => podsOf(i).create(podOf(`churn-${i}`)));
    const old = i - lifetime;
    if (old >= 0) await latencies.time('delete pods', signal, () => podsOf(old).delete(`churn-${old}`));
  });
}

/** People and dashboards: reads of single objects, of a namespace, and of everything. */
export async function runUsers({ clientOf, latencies, options, random, signal }: LoadContext): Promise<void> {
  const { core } = clientOf(options.nodes + 1);
  const namespace = (): string => namespaceOf(options as LoadOptions, random.int(options.namespaces));
  await Promise.all([
    paced(10, signal, async () => {
      await latencies.time('get nodes', signal, () => core.v1.nodes.get(nodeName(random.int(options.nodes))));
    }),
    paced(1, signal, async () => {
      await latencies.time('list pods (namespace)', signal, () => core.v1.pods.in(namespace()).list());
    }),
    paced(0.1, signal, async () => {
      await latencies.time('list pods (cluster)', signal, () => core.v1.pods.list());
    }),
  ]);
}
