import {
  deploymentName,
  deploymentsOf,
  type LoadClient,
  type LoadContext,
  namespaceOf,
  nodeName,
  paced,
  pause,
  REPLICAS,
  rolledPerSecond,
  unaborted,
} from './load.ts';
import { podOf } from './objects.ts';

const LIFETIME_MS = 20_000;

/** Creates single pods at their share of the rate, and deletes each after some time. */
export async function churn({ userClient, latencies, options }: LoadContext): Promise<void> {
  await paced(options.podsPerSecond - rolledPerSecond(options), async (i) => {
    const pods = userClient(i).client.core.v1.pods.in(namespaceOf(options, i));
    await latencies.time('create pods', () => pods.create(podOf(`churn-${i}`)));
    await pause(LIFETIME_MS);
    await latencies.time('delete pods', () => pods.delete(`churn-${i}`));
  });
}

/** Changes the template of one Deployment after the other, so that its controllers replace all of its pods. */
export async function rollOut({ userClient, latencies, options }: LoadContext): Promise<void> {
  const count = deploymentsOf(options);
  await paced(rolledPerSecond(options) / REPLICAS, async (i) => {
    const at = i % count;
    const deployments = userClient(i).client.apps.v1.deployments.in(namespaceOf(options, at));
    const template = { metadata: { annotations: { rollout: `${i}` } } };
    await latencies.time('patch deployments', () =>
      deployments.patch.strategic(deploymentName(at), { spec: { template } }),
    );
  });
}

/** Reads a list without parsing it, as one that only shows some of it would. */
async function readList({ transport }: LoadClient, target: string): Promise<void> {
  const headers = { accept: 'application/json' };
  const { status, body } = await transport.send({ method: 'GET', target, headers }, unaborted());
  let bytes = 0;
  for await (const chunk of body) bytes += chunk.byteLength;
  if (status !== 200 || bytes === 0) throw new Error(`${status} with ${bytes} bytes`);
}

/** People and dashboards: reads of single objects, of a namespace, and of everything, and applied config maps. */
export async function runUsers({ userClient, latencies, options, random }: LoadContext): Promise<void> {
  const namespace = (): string => namespaceOf(options, random.int(options.namespaces));
  await Promise.all([
    paced(10, async (i) => {
      const { nodes } = userClient(i).client.core.v1;
      await latencies.time('get nodes', () => nodes.get(nodeName(random.int(options.nodes))));
    }),
    paced(1, async (i) => {
      const maps = userClient(i).client.core.v1.configmaps.in(namespace());
      const name = `applied-${i % 100}`;
      const object = { metadata: { name }, data: { turn: `${i}` } };
      await latencies.time('apply configmaps', () =>
        maps.patch.apply(name, object, { fieldManager: 'user' }),
      );
    }),
    paced(0.5, async (i) => {
      const path = `/api/v1/namespaces/${namespace()}/pods`;
      await latencies.time('list pods (namespace)', () => readList(userClient(i), path));
    }),
    paced(1 / 30, async (i) => {
      await latencies.time('list pods (cluster)', () => readList(userClient(i), '/api/v1/pods'));
    }),
  ]);
}
