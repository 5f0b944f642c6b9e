import { type EtcdCluster, putMany } from '@orch/storage/testing';
import type { LaunchedServer } from '@orch/testkit';
import { copiesOf, storedTemplates } from '../lib/stored-templates.ts';
import {
  configName,
  deploymentName,
  deploymentsOf,
  LEASE_NAMESPACE,
  type LoadOptions,
  namespaceName,
  namespaceOf,
  nodeName,
} from './load.ts';
import { deploymentOf, leaseOf, nodeOf, podOf, runningStatus, serviceOf } from './objects.ts';

const podName = (i: number): string => `stable-${i}`;

/** Creates what few objects a cluster has, and one of those with many. */
export async function createFirst(server: LaunchedServer, options: LoadOptions): Promise<void> {
  const create = async (path: string, object: object): Promise<void> => {
    const { status, text } = await server.client.post(path, object);
    if (status !== 201) throw new Error(`creating an object at ${path} answered ${status}: ${text}`);
  };
  const names = Array.from({ length: options.namespaces }, (_, i) => namespaceName(i));
  for (const name of names) await create('/api/v1/namespaces', { metadata: { name } });
  for (const name of names)
    for (let i = 0; i < options.references; i++) {
      const object = { metadata: { name: configName(i) } };
      await create(`/api/v1/namespaces/${name}/configmaps`, { ...object, data: { key: 'value' } });
      await create(`/api/v1/namespaces/${name}/secrets`, { ...object, stringData: { key: 'value' } });
    }
  for (let i = 0; i < deploymentsOf(options); i++) {
    const namespace = namespaceOf(options, i);
    await create(`/apis/apps/v1/namespaces/${namespace}/deployments`, deploymentOf(deploymentName(i)));
    await create(`/api/v1/namespaces/${namespace}/services`, serviceOf(deploymentName(i)));
  }
  await create('/api/v1/nodes', nodeOf(nodeName(0)));
  await create(`/apis/coordination.k8s.io/v1/namespaces/${LEASE_NAMESPACE}/leases`, leaseOf(nodeName(0)));
  const pods = `/api/v1/namespaces/${namespaceName(0)}/pods`;
  const { metadata, spec } = podOf(podName(0));
  await create(pods, { metadata, spec: { ...spec, nodeName: nodeName(0) } });
  const { status, text } = await server.client.send('PATCH', `${pods}/${podName(0)}/status`, {
    body: { status: runningStatus() },
    contentType: 'application/merge-patch+json',
  });
  if (status !== 200) throw new Error(`the status of a pod answered ${status}: ${text}`);
}

/** Adds copies of the node, the Lease and the pod to the etcd that stores each. */
export async function addCopies(
  main: EtcdCluster,
  ofLeases: EtcdCluster,
  options: LoadOptions,
): Promise<void> {
  const { nodes, podsPerNode } = options;
  const node = (i: number) => ({ [nodeName(0)]: nodeName(i) });
  const [storedNode, storedPod] = await storedTemplates(main.endpoints, [
    '/registry/nodes/',
    `/registry/pods/${namespaceName(0)}/${podName(0)}`,
  ]);
  const [storedLease] = await storedTemplates(ofLeases.endpoints, [
    `/registry/leases.coordination/${LEASE_NAMESPACE}/`,
  ]);
  if (storedNode === undefined || storedPod === undefined || storedLease === undefined)
    throw new Error('objects are missing in etcd');
  const [endpoint = ''] = main.endpoints;
  await putMany(endpoint, copiesOf(storedNode, nodes, node));
  await putMany(ofLeases.endpoints[0] ?? '', copiesOf(storedLease, nodes, node));
  const pods = copiesOf(storedPod, nodes * podsPerNode, (i) => ({
    [podName(0)]: podName(i),
    [nodeName(0)]: nodeName(i % nodes),
    [namespaceName(0)]: namespaceOf(options, i),
  }));
  await putMany(endpoint, pods);
}
