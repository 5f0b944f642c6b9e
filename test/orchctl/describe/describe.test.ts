import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { commands } from '@orch/orchctl';
import { type CommandCluster, commandCluster } from '../cluster.ts';
import { exampleArguments, examplesOf } from '../examples.ts';
import { assertSame, comparable } from '../side-by-side.ts';
import { describedCluster } from './cluster.ts';

/** Command lines whose output must be that of kubectl. */
const sameOutput: readonly string[] = [
  'describe pods',
  'describe rc,deploy,rs,sts,ds,jobs,cj,hpa,pdb',
  'describe secrets,cm,svc,ep,endpointslices,sa,pvc,ing,netpol,role,rolebinding',
  'describe limits,quota -n limited',
  'describe ns work limited',
  'describe pv,ingressclasses,sc,csinodes,priorityclasses,nodes,csr',
  'describe clusterrole urls admin',
  'describe clusterrolebinding all',
  'describe widgets,crd,leases,apiservices',
  'describe pod/full deployment/web',
  'describe pod full missing',
  'describe pod missing',
  'describe pods fu',
  'describe deployments.v1.apps -l app=web --show-events=false',
  'describe pods -l app=none',
  'describe secrets -A',
];

/** The one difference on purpose: kubectl omits the colon behind this name. */
const withColons = (text: string): string =>
  comparable(text).replaceAll('ISCSIInterface ', 'ISCSIInterface:');

describe('orchctl describe compared with kubectl describe', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await describedCluster();
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  for (const line of sameOutput)
    it(`"${line}" prints what kubectl prints`, async () => {
      const argv = [...line.split(' '), ...(line.includes(' -n') ? [] : ['-n=work'])];
      const [own, other] = await Promise.all([cluster.orchctl(argv), cluster.kubectl(argv)]);
      assertSame(own, other, withColons);
    });
});

const examples = await examplesOf(commands.filter(({ name }) => name === 'describe'));

describe('orchctl describe on a server with --naming=orch', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('orch');
    const pod = {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-1', labels: { app: 'web' } } },
      spec: { containers: [{ name: 'c', image: 'x' }] },
    };
    const { status, text } = await cluster.server.client.post('/api/v1/namespaces/default/pods', pod);
    assert.equal(status, 201, text);
    await cluster.server.client.post('/api/v1/nodes', { metadata: { name: 'n' } });
    writeFileSync(join(cluster.folder, 'pod.yaml'), JSON.stringify(pod));
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  for (const line of examples)
    it(`the example "${line}" describes objects`, async () => {
      const { status, out, err } = await cluster.orchctl(exampleArguments(line));
      assert.deepEqual([status, err], [0, '']);
      assert.match(out, /^Name: /m);
    });

  it('every kind that the server serves is described', async () => {
    const { status, out, err } = await cluster.orchctl(['api-resources', '--verbs=list,get', '-o', 'name']);
    assert.equal(status, 0, err);
    const types = out.trim().split('\n').join(',');
    const described = await cluster.orchctl(['describe', types, '-A']);
    assert.equal(described.status, 0, described.err);
    assert.doesNotMatch(described.err, /rror/);
    assert.match(described.out, /^Name: +orch\nNamespace: +default\n/m);
    assert.doesNotMatch(described.out, /undefined|\[object/);
  });

  it('control characters of values are made visible', async () => {
    const data = { key: '\u001b[31mred\r' };
    await cluster.server.client.post('/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'red' },
      data,
    });
    const { out } = await cluster.orchctl(['describe', 'configmap', 'red']);
    assert.ok(out.includes('^[[31mred\\r\n'), out);
  });

  it('unknown types and names, and names with selectors, are refused', async () => {
    assert.equal((await cluster.orchctl(['describe'])).status, 2);
    assert.equal((await cluster.orchctl(['describe', 'pod', 'a', '-l', 'b=c'])).status, 2);
    assert.equal((await cluster.orchctl(['describe', 'pod', 'a', '-A'])).status, 2);
    assert.equal((await cluster.orchctl(['describe', 'nosuchtype'])).status, 1);
    assert.equal((await cluster.orchctl(['describe', 'pod/missing'])).status, 1);
  });
});
