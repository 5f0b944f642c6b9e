import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesFor } from '@orch/machinery';
import { asObject, asText, objectAt } from '@orch/machinery/json';
import { type CommandCluster, commandCluster } from '../cluster.ts';

const { annotations } = namesFor('kubernetes');

/** The namespaces, and the suffixes of nodes, of the two programs. */
export const sides = ['own', 'other'] as const;
type Side = (typeof sides)[number];

const template = (app: string, image = 'x:1', labels: object = {}) => ({
  metadata: { labels: { app, ...labels } },
  spec: { containers: [{ name: 'x', image }] },
});

/** A cluster in which each side has the same nodes, workloads with revisions, and pods. */
export async function workloadCluster(): Promise<CommandCluster> {
  const cluster = await commandCluster('kubernetes', {
    args: ['--disable-admission-plugins=ServiceAccount,Priority'],
  });
  try {
    for (const side of sides) await prepare(cluster, side);
    const local = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'local' }, spec: template('x').spec };
    writeFileSync(join(cluster.folder, 'local.yaml'), JSON.stringify(local));
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}

async function prepare({ server: { client } }: CommandCluster, side: Side): Promise<void> {
  const put = async (path: string, object: object): Promise<string> => {
    const { status, text, json } = await client.post(path, object);
    assert.equal(status, 201, text);
    return asText(objectAt(asObject(json), 'metadata')['uid']);
  };
  const apps = `/apis/apps/v1/namespaces/${side}`;
  await put('/api/v1/namespaces', { metadata: { name: side } });
  for (const name of ['one', 'two'])
    await put('/api/v1/nodes', { metadata: { name: `${name}-${side}`, labels: { [name]: side } } });
  const uids: Record<string, string> = {};
  for (const [name, plural] of [
    ['web', 'deployments'],
    ['db', 'statefulsets'],
    ['agent', 'daemonsets'],
  ] as const)
    uids[name] = await put(`${apps}/${plural}`, {
      metadata: { name, labels: { app: name }, annotations: { note: 'kept' } },
      spec: {
        selector: { matchLabels: { app: name } },
        template: template(name),
        ...(name === 'db' && { serviceName: 'db' }),
      },
    });
  const owner = (kind: string, name: string) => [
    { apiVersion: 'apps/v1', kind, name, uid: uids[name], controller: true },
  ];
  for (const revision of [1, 2, 3]) {
    const hash = { 'pod-template-hash': `h${revision}` };
    const keys = {
      [annotations.deploymentRevision]: `${revision}`,
      ...(revision !== 2 && { [annotations.changeCause]: `cause ${revision}` }),
    };
    await put(`${apps}/replicasets`, {
      metadata: {
        ...{ name: `web-${revision}`, labels: { app: 'web', ...hash }, annotations: keys },
        ownerReferences: owner('Deployment', 'web'),
      },
      spec: {
        ...{ replicas: 0, selector: { matchLabels: { app: 'web', ...hash } } },
        template: template('web', `x:${revision}`, hash),
      },
    });
    for (const [kind, name] of [
      ['StatefulSet', 'db'],
      ['DaemonSet', 'agent'],
    ] as const)
      await put(`${apps}/controllerrevisions`, {
        metadata: {
          ...{ name: `${name}-${revision}`, labels: { app: name } },
          ownerReferences: owner(kind, name),
        },
        revision,
        data: { spec: { template: { $patch: 'replace', ...template(name, `x:${revision}`) } } },
      });
  }
  const pod = (name: string, fields: object, metadata: object = {}) =>
    put(`/api/v1/namespaces/${side}/pods`, {
      metadata: { name, ...metadata },
      spec: { nodeName: `one-${side}`, containers: [{ name: 'x', image: 'x' }], ...fields },
    });
  const scratch = { volumes: [{ name: 'scratch', emptyDir: {} }] };
  await pod('bare', {});
  await pod('scratch', scratch);
  await pod('daemon', {}, { ownerReferences: owner('DaemonSet', 'agent') });
  await pod('mirror', {}, { annotations: { [annotations.configMirror]: 'x' } });
}
