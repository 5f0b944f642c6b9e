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

const blankNodeInfo = Object.fromEntries(
  ['machineID', 'systemUUID', 'bootID', 'kernelVersion', 'osImage', 'containerRuntimeVersion']
    .concat('kubeletVersion', 'kubeProxyVersion', 'operatingSystem', 'architecture')
    .map((field) => [field, '']),
);
const measured = { timestamp: '2026-01-01T00:00:00Z', window: '30s' };
const usage = (cpu: string, memory: string, swap?: string) => ({
  usage: { cpu, memory, ...(swap !== undefined && { swap }) },
});
const container = (name: string, ...used: Parameters<typeof usage>) => ({ name, ...usage(...used) });

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

/** Command lines with the output of kubectl 1.37; the kubectl that is compared above need not have the flag. */
const swapOutput: readonly (readonly [line: string, rows: readonly string[]])[] = [
  [
    'top node --show-swap',
    [
      'NAME    CPU(cores)   CPU(%)   MEMORY(bytes)   MEMORY(%)   SWAP(bytes)   SWAP(%)     ',
      'large   1500m        18%      3072Mi          37%         100Mi         9%          ',
      'small   1999m        99%      900Mi           10%         <unknown>     <unknown>   ',
    ],
  ],
  [
    'top pod --show-swap',
    [
      'NAME   CPU(cores)   MEMORY(bytes)   SWAP(bytes)   ',
      'api    1000m        32Mi            0Mi           ',
      'web    253m         68Mi            5Mi           ',
    ],
  ],
  [
    'top pod web --show-swap --containers',
    [
      'POD   NAME   CPU(cores)   MEMORY(bytes)   SWAP(bytes)   ',
      'web   log    3m           4Mi             0Mi           ',
      'web   main   250m         64Mi            5Mi           ',
    ],
  ],
];

describe('usage of nodes and pods', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes', { release: '1.34' });
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
    await createNode('large', '8', ['1500m', '3Gi', '100Mi']);
    await createNode('small', '2', ['1999m', '900Mi']);
    await createPod('default', 'web', [
      container('main', '250m', '64Mi', '5Mi'),
      container('log', '3m', '5000Ki'),
    ]);
    await createPod('default', 'api', [container('main', '1', '32Mi')]);
    await createPod('other', 'db', [container('main', '123456n', '1Gi')]);
  });
  after(() => cluster[Symbol.asyncDispose]());

  async function post(path: string, body: object): Promise<void> {
    const { status, text } = await cluster.server.client.post(path, body);
    assert.equal(status, 201, text);
  }

  async function createNode(name: string, cpu: string, used: Parameters<typeof usage>): Promise<void> {
    const metadata = { name, labels: { size: name } };
    await post('/api/v1/nodes', { metadata });
    const capacity = { cpu, memory: '16Gi' };
    const nodeInfo = { ...blankNodeInfo, ...(used[2] !== undefined && { swap: { capacity: 2 ** 30 } }) };
    const status = { capacity, allocatable: { ...capacity, memory: '8Gi' }, nodeInfo };
    const set = await cluster.server.client.put(`/api/v1/nodes/${name}/status`, { metadata, status });
    assert.equal(set.status, 200, set.text);
    const object = { apiVersion: `${group}/v1beta1`, kind: 'NodeMetrics', metadata, ...measured };
    await post(`/apis/${group}/v1beta1/nodes`, { ...object, ...usage(...used) });
  }

  async function createPod(namespace: string, name: string, containers: readonly object[]): Promise<void> {
    const metadata = { name, labels: { app: name } };
    const spec = { containers: [{ name: 'main', image: 'x' }] };
    await post(`/api/v1/namespaces/${namespace}/pods`, { metadata, spec });
    const object = { apiVersion: `${group}/v1beta1`, kind: 'PodMetrics', metadata, ...measured, containers };
    await post(`/apis/${group}/v1beta1/namespaces/${namespace}/pods`, object);
  }

  for (const [line, rows] of swapOutput)
    it(`"${line}" prints the swap space in use`, async () => {
      const { status, out, err } = await cluster.orchctl(line.split(' '));
      assert.equal(status, 0, err);
      assert.equal(out, rows.map((row) => `${row}\n`).join(''));
    });

  for (const line of sameOutput)
    it(`"${line}" prints what kubectl prints`, async () => {
      const argv = line.split(' ');
      assertSame(await cluster.orchctl(argv), await cluster.kubectl(argv), (text) =>
        text.replaceAll('kubectl', 'orchctl'),
      );
    });
});
