import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { type CommandCluster, commandCluster } from './cluster.ts';
import { assertSame } from './side-by-side.ts';

const names = namesFor('kubernetes');
const group = 'metrics.k8s.io';
const definitions = `/apis/${names.group('apiextensions')}/v1/customresourcedefinitions`;

/** A resource of the metrics API, whose objects the test writes instead of an extension server. */
const definition = (plural: string, kind: string, scope: string) => ({
  metadata: {
    name: `${plural}.${group}`,
    annotations: { [names.annotations.apiApproved]: 'unapproved, for a test' },
  },
  spec: {
    ...{ group, scope, names: { plural, kind } },
    versions: [
      {
        ...{ name: 'v1beta1', served: true, storage: true },
        schema: {
          openAPIV3Schema: { type: 'object', [names.schemaExtensions.preserveUnknownFields]: true },
        },
      },
    ],
  },
});

const measured = { timestamp: '2026-01-01T00:00:00Z', window: '30s' };
const usage = (cpu: string, memory: string) => ({ usage: { cpu, memory } });
const container = (name: string, cpu: string, memory: string) => ({ name, ...usage(cpu, memory) });

/** Command lines whose output must be that of kubectl. */
const sameOutput: readonly string[] = [
  'top node',
  'top node --sort-by=memory',
  'top node --sort-by=cpu --no-headers',
  'top node large',
  'top node missing',
  'top node -l size=small',
  'top node --show-capacity',
  'top node --sort-by=name',
  'top pod',
  'top pod -A --sum',
  'top pod web --containers',
  'top pod --sort-by=cpu',
  'top pod --sort-by=memory --no-headers',
  'top pod -l app=api',
  'top pod -n other',
  'top pod missing',
];

describe('usage of nodes and pods', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes');
    for (const one of [
      definition('nodes', 'NodeMetrics', 'Cluster'),
      definition('pods', 'PodMetrics', 'Namespaced'),
    ])
      await post(definitions, one);
    for (const name of ['nodes', 'pods']) {
      const { status, err } = await cluster.kubectl([
        'wait',
        '--for=condition=Established',
        `crd/${name}.${group}`,
      ]);
      assert.equal(status, 0, err);
    }
    await post('/api/v1/namespaces', { metadata: { name: 'other' } });
    await createNode('large', '8', ['1500m', '3Gi']);
    await createNode('small', '2', ['1999m', '900Mi']);
    await createPod('default', 'web', [container('main', '250m', '64Mi'), container('log', '3m', '5000Ki')]);
    await createPod('default', 'api', [container('main', '1', '32Mi')]);
    await createPod('other', 'db', [container('main', '123456n', '1Gi')]);
  });
  after(() => cluster[Symbol.asyncDispose]());

  async function post(path: string, body: object): Promise<void> {
    const { status, text } = await cluster.server.client.post(path, body);
    assert.equal(status, 201, text);
  }

  async function createNode(
    name: string,
    cpu: string,
    [used, memory]: readonly [string, string],
  ): Promise<void> {
    const metadata = { name, labels: { size: name } };
    await post('/api/v1/nodes', { metadata });
    const capacity = { cpu, memory: '16Gi' };
    const status = { capacity, allocatable: { ...capacity, memory: '8Gi' } };
    const set = await cluster.server.client.put(`/api/v1/nodes/${name}/status`, { metadata, status });
    assert.equal(set.status, 200, set.text);
    const object = { apiVersion: `${group}/v1beta1`, kind: 'NodeMetrics', metadata, ...measured };
    await post(`/apis/${group}/v1beta1/nodes`, { ...object, ...usage(used, memory) });
  }

  async function createPod(namespace: string, name: string, containers: readonly object[]): Promise<void> {
    const metadata = { name, labels: { app: name } };
    const spec = { containers: [{ name: 'main', image: 'x' }] };
    await post(`/api/v1/namespaces/${namespace}/pods`, { metadata, spec });
    const object = { apiVersion: `${group}/v1beta1`, kind: 'PodMetrics', metadata, ...measured, containers };
    await post(`/apis/${group}/v1beta1/namespaces/${namespace}/pods`, object);
  }

  for (const line of sameOutput)
    it(`"${line}" prints what kubectl prints`, async () => {
      const argv = line.split(' ');
      assertSame(await cluster.orchctl(argv), await cluster.kubectl(argv), (text) =>
        text.replaceAll('kubectl', 'orchctl'),
      );
    });
});
