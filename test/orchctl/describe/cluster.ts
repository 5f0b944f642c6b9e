import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asObject, asText, type JsonObject, objectAt } from '@orch/machinery/json';
import { parseYaml } from '@orch/machinery/yaml';
import { type CommandCluster, commandCluster } from '../cluster.ts';

const documents = (file: string): readonly JsonObject[] =>
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .split(/^---$/m)
    .map((text) => asObject(parseYaml(Buffer.from(text))));

/** A cluster with objects of every kind that has a describer, and a custom resource. */
export async function describedCluster(): Promise<CommandCluster> {
  const cluster = await commandCluster('kubernetes', {
    args: ['--disable-admission-plugins=ServiceAccount,Priority'],
  });
  try {
    await prepare(cluster);
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}

async function prepare(cluster: CommandCluster): Promise<void> {
  for (const name of ['work', 'limited'])
    await cluster.server.client.post('/api/v1/namespaces', { metadata: { name } });
  await createAll(cluster, ['others.yaml', 'workloads.yaml']);
  await created(cluster, ['wait', '--for=condition=Established', 'crd/widgets.example.com']);
  await createAll(cluster, ['widget.yaml']);
  await createDependents(cluster);
}

async function created(cluster: CommandCluster, argv: readonly string[], input = ''): Promise<void> {
  const { status, err } = await cluster.orchctl(argv, { input });
  assert.equal(status, 0, `${argv.join(' ')}: ${err}`);
}

async function createAll(cluster: CommandCluster, files: readonly string[]): Promise<void> {
  for (const file of files) {
    await created(cluster, ['create', '-f', join(import.meta.dirname, file)]);
    for (const object of documents(file)) if ('status' in object) await setStatus(cluster, object);
  }
}

const setStatus = (cluster: CommandCluster, object: JsonObject): Promise<void> => {
  const { name, namespace } = objectAt(object, 'metadata');
  return created(cluster, [
    ...['patch', asText(object['kind']), asText(name), `--namespace=${asText(namespace) || 'default'}`],
    ...['--subresource=status', '--type=merge', `--patch=${JSON.stringify({ status: object['status'] })}`],
  ]);
};

/** Objects that refer to others by uid: pods and replica sets of controllers, and events. */
async function createDependents(cluster: CommandCluster): Promise<void> {
  const { client } = cluster.server;
  const get = async (path: string): Promise<JsonObject> => asObject((await client.get(path)).json);
  const deployment = await get('/apis/apps/v1/namespaces/work/deployments/web');
  const pod = await get('/api/v1/namespaces/work/pods/full');
  const node = await get('/api/v1/nodes/node-1');
  const template = objectAt(deployment, 'spec', 'template');
  for (const [name, labels] of [
    ['web-new', { 'pod-template-hash': '1' }],
    ['web-old', { old: 'x' }],
  ] as const)
    await post(
      cluster,
      '/apis/apps/v1/namespaces/work/replicasets',
      replicaSet(name, { deployment, template, labels }),
    );
  const [node1, ...others] = events(pod, node);
  await post(cluster, '/api/v1/namespaces/default/events', node1 ?? {});
  for (const event of others) await post(cluster, '/api/v1/namespaces/work/events', event);
}

async function post(cluster: CommandCluster, path: string, object: object): Promise<void> {
  const { status, text } = await cluster.server.client.post(path, object);
  assert.equal(status, 201, text);
}

interface Owned {
  readonly deployment: JsonObject;
  readonly template: JsonObject;
  readonly labels: Readonly<Record<string, string>>;
}

function replicaSet(name: string, { deployment, template, labels }: Owned): object {
  const all = { ...objectAt(template, 'metadata', 'labels'), ...labels };
  const owner = {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', controller: true },
    uid: objectAt(deployment, 'metadata')['uid'],
  };
  return {
    metadata: { name, namespace: 'work', labels: all, ownerReferences: [owner] },
    spec: {
      replicas: 1,
      selector: { matchLabels: all },
      template: { ...template, metadata: { ...objectAt(template, 'metadata'), labels: all } },
    },
  };
}

function events(pod: JsonObject, node: JsonObject): readonly object[] {
  const about = (object: JsonObject, uid?: string) => {
    const metadata = objectAt(object, 'metadata');
    return {
      kind: object['kind'],
      name: metadata['name'],
      namespace: metadata['namespace'],
      uid: uid ?? metadata['uid'],
    };
  };
  const time = '2026-01-02T03:04:05Z';
  return [
    {
      ...{
        metadata: { name: 'three' },
        involvedObject: about(node, 'node-1'),
        type: 'Normal',
        reason: 'Started',
      },
      ...{
        message: 'started',
        reportingComponent: 'example.com/agent',
        reportingInstance: 'node-1',
        action: 'Start',
      },
      ...{
        eventTime: '2026-01-02T03:04:05.000000Z',
        series: { count: 3, lastObservedTime: '2026-01-02T05:04:05.000000Z' },
      },
    },
    {
      ...{ metadata: { name: 'one' }, involvedObject: about(pod), type: 'Normal', reason: 'Pulled' },
      ...{
        message: ' pulled the image ',
        source: { component: 'agent' },
        count: 1,
        firstTimestamp: time,
        lastTimestamp: time,
      },
    },
    {
      ...{ metadata: { name: 'two' }, involvedObject: about(pod), type: 'Warning', reason: 'BackOff' },
      ...{ message: 'waits', source: { component: 'agent' }, count: 7 },
      ...{ firstTimestamp: time, lastTimestamp: '2026-01-02T04:04:05Z' },
    },
  ];
}
