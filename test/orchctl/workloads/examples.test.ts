import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { commands } from '@orch/orchctl';
import { type CommandCluster, commandCluster } from '../cluster.ts';
import { exampleArguments, examplesOf } from '../examples.ts';

const names = [
  'run',
  'expose',
  'autoscale',
  'rollout',
  'set',
  'cordon',
  'uncordon',
  'drain',
  'taint',
  'cluster-info',
];
const examples = await examplesOf(commands.filter(({ name }) => names.includes(name)));

/** Objects that the examples refer to, as arguments of `create`. */
const objects: readonly string[] = [
  'deployment web --image=example.com/web:1',
  'configmap app --from-literal=A=b',
  'rolebinding readers --clusterrole=view --user=bob',
  'clusterrolebinding readers --clusterrole=view --user=bob',
];

/** Examples that need revisions, a paused deployment, a node, or a controller; the side-by-side session has such command lines. */
const needsMore = /rollout (?:undo|resume)|--timeout|run -it/;

/** A paused deployment cannot be restarted by the next example, nor one that was restarted within the same second. */
const flagsOf = (line: string): readonly string[] =>
  / pause | restart deployment\/web/.test(line) ? ['--dry-run=server'] : [];

describe('examples of commands about nodes and workloads on a server with --naming=orch', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('orch');
    for (const line of objects) {
      const { status, err } = await cluster.orchctl(['create', ...line.split(' ')]);
      assert.equal(status, 0, err);
    }
    const node = { metadata: { name: 'node-1', labels: { pool: 'old' } } };
    assert.equal((await cluster.server.client.post('/api/v1/nodes', node)).status, 201);
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  for (const line of examples.filter((one) => !needsMore.test(one)))
    it(`the example "${line}" succeeds`, async () => {
      const { status, err } = await cluster.orchctl([...exampleArguments(line), ...flagsOf(line)]);
      assert.deepEqual([status, err], [0, '']);
    });

  it('the name of the naming is in the text of cluster-info', async () => {
    assert.match((await cluster.orchctl(['cluster-info'])).out, /^Orch control plane is running at https?:/);
  });

  it('a restart writes the annotation of the naming', async () => {
    const { out } = await cluster.orchctl([
      'get',
      'deployment',
      'web',
      '-o',
      'jsonpath={.spec.template.metadata}',
    ]);
    assert.match(out, /orchctl\.orch\.io\/restartedAt/);
  });

  it('control characters in the cause of a change are made visible in the history', async () => {
    const { client } = cluster.server;
    const path = '/apis/apps/v1/namespaces/default';
    const { json } = await client.get(`${path}/deployments/web`);
    const { metadata, spec } = json as { metadata: { uid: string }; spec: { template: object } };
    const { status, text } = await client.post(`${path}/replicasets`, {
      metadata: {
        ...{ name: 'web-1', labels: { app: 'web' } },
        annotations: { 'deployment.orch.io/revision': '1', 'orch.io/change-cause': '\u001b[31mred' },
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: metadata.uid, controller: true },
        ],
      },
      spec: { replicas: 0, selector: { matchLabels: { app: 'web' } }, template: spec.template },
    });
    assert.equal(status, 201, text);
    const { out } = await cluster.orchctl(['rollout', 'history', 'deployment/web']);
    assert.match(out, /\^\[\[31mred/);
  });
});
