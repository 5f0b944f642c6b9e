import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor, namings } from '@orch/machinery';
import { parseYaml } from '@orch/machinery/yaml';
import { findKubectls } from '@orch/testkit';
import { commandCluster } from './cluster.ts';
import { type NodeCluster, nodeCluster } from './node-cluster.ts';

const hasKubectl = (await findKubectls(join(import.meta.dirname, '..', '..'))).length > 0;

const namespaceFiles = [
  ...['daemonsets', 'deployments', 'events', 'pods', 'replicasets', 'replication-controllers', 'services'],
];

/** The kinds and names of a dump with its logs. The wording of errors is that of the program. */
const comparable = (dump: string): string =>
  dump.replace(/^\{\n.*?^\}$/gms, listNames).replace(/^(Request log error): .*/gm, '$1');

function listNames(json: string): string {
  const { kind, apiVersion, items } = JSON.parse(json) as {
    readonly kind: string;
    readonly apiVersion: string;
    readonly items: readonly { readonly metadata: { readonly name: string } }[] | null;
  };
  return [apiVersion, kind, ...(items ?? []).map(({ metadata }) => metadata.name)].join(' ');
}

for (const naming of namings)
  describe(`orchctl cluster-info dump, --naming=${naming}`, () => {
    const { namespaces } = namesFor(naming);
    let cluster: NodeCluster;
    before(async () => {
      cluster = await nodeCluster(naming, () => 1);
      const path = '/api/v1/namespaces/default/pods';
      const spec = { containers: [{ name: 'c', image: 'x' }], initContainers: [{ name: 'i', image: 'x' }] };
      for (const [name, rest] of [
        ['lost', { nodeName: 'gone' }],
        ['waiting', {}],
      ] as const) {
        const made = await cluster.server.client.post(path, {
          metadata: { name },
          spec: { ...spec, ...rest },
        });
        assert.equal(made.status, 201, made.text);
      }
    });
    after(() => cluster?.[Symbol.asyncDispose]());

    it('the dump has the lists of the system and of the context, and the logs of all containers', async () => {
      const { status, out, err } = await cluster.orchctl(['cluster-info', 'dump']);
      assert.deepEqual([status, err], [0, '']);
      const kinds = [...out.matchAll(/^ {4}"kind": "(\w+)"/gm)].map(([, kind]) => kind);
      const each = [
        'Event',
        'ReplicationController',
        'Service',
        'DaemonSet',
        'Deployment',
        'ReplicaSet',
        'Pod',
      ];
      assert.deepEqual(
        kinds,
        ['Node', ...each, ...each].map((kind) => `${kind}List`),
      );
      assert.match(
        out,
        /==== START logs for container b of pod default\/two ====\nline 1\nline 2\nline 3\n==== END logs for container b of pod default\/two ====\n/,
      );
      assert.doesNotMatch(out, /managedFields/);
    });

    it('the log of a container without a node is empty, and is replaced by the error when the node is gone', async () => {
      const { out } = await cluster.orchctl(['cluster-info', 'dump', '--namespaces=default']);
      for (const [pod, log] of [
        ['lost', 'Request log error: [^\n]+\n'],
        ['waiting', '\n?'],
      ])
        for (const name of ['i', 'c']) {
          const title = `logs for container ${name} of pod default/${pod} ====`;
          assert.match(out, new RegExp(`START ${title}\n${log}==== END ${title}`));
        }
    });

    it('each list and each log is a file of --output-directory', async () => {
      const folder = join(cluster.folder, 'state');
      const argv = ['cluster-info', 'dump', '-A', '-o', 'yaml', '--output-directory=state'];
      const { status, out, err } = await cluster.orchctl(argv);
      assert.deepEqual([status, out, err], [0, 'Cluster info dumped to state\n', '']);
      const found = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
        .filter((one) => one.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
      const spaces = Object.values(namespaces);
      const expected = [
        'nodes.yaml',
        ...spaces.flatMap((space) => namespaceFiles.map((file) => `${space}/${file}.yaml`)),
        ...['lost', 'one', 'two', 'waiting'].map((pod) => `default/${pod}/logs.txt`),
      ];
      assert.deepEqual(found.toSorted(), expected.toSorted());
      const pods = parseYaml(readFileSync(join(folder, 'default', 'pods.yaml'))) as { readonly kind: string };
      assert.equal(pods.kind, 'PodList');
    });

    it('templates print each list, and formats without a meaning for lists are refused', async () => {
      const dump = ['cluster-info', 'dump', '--namespaces=none', '-o'];
      const { out } = await cluster.orchctl([...dump, 'jsonpath={.kind}{"\\n"}']);
      assert.match(out, /^NodeList\nEventList\n/);
      for (const format of ['name', 'wide', 'custom-columns=A:.kind']) {
        const { status, err } = await cluster.orchctl([...dump, format]);
        assert.deepEqual([status, err.split('\n').length], [2, 2], err);
      }
    });

    it('the dump is that of kubectl', {
      skip: (naming !== 'kubernetes' || !hasKubectl) && 'needs kubectl and its names',
    }, async () => {
      for (const line of ['cluster-info dump', 'cluster-info dump --namespaces=default,none -o json']) {
        const [own, other] = [await cluster.orchctl(line.split(' ')), await cluster.kubectl(line.split(' '))];
        assert.deepEqual([own.status, own.err], [other.status, other.err]);
        assert.equal(comparable(own.out), comparable(other.out));
      }
    });
  });

it('a kind that the server does not serve is left out of a dump', async () => {
  await using cluster = await commandCluster('orch', { args: ['--runtime-config=apps/v1=false'] });
  const { status, out, err } = await cluster.orchctl(['cluster-info', 'dump']);
  assert.deepEqual([status, err], [0, '']);
  assert.match(out, /"kind": "PodList"/);
  assert.doesNotMatch(out, /"kind": "DeploymentList"/);
});
