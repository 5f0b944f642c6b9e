import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type CommandCluster, commandCluster } from '../cluster.ts';
import { assertSame, comparable } from '../side-by-side.ts';
import { describedCluster } from './cluster.ts';

/** Command lines whose output must be that of kubectl. */
const sameOutput: readonly string[] = [
  'describe pods',
  'describe rc,deploy,rs,sts,ds',
  'describe jobs,cj,hpa,pdb',
  'describe secrets,cm,svc,ep,endpointslices,sa',
  'describe limits,quota -n limited',
  'describe ns work limited',
  'describe pv,pvc',
  'describe ing,ingressclasses,netpol',
  'describe role,rolebinding',
  'describe clusterrole urls admin',
  'describe clusterrolebinding all',
  'describe sc,csinodes,priorityclasses',
  'describe nodes',
  'describe csr',
  'describe widgets',
  'describe crd,leases,priorityclasses,apiservices',
  'describe pod/full deployment/web',
  'describe pod full missing',
  'describe pod missing',
  'describe pod/missing',
  'describe pods fu',
  'describe deployments -l app=web',
  'describe pods -l app=none',
  'describe pods -l app=none -A',
  'describe pods full --show-events=false',
  'describe secrets -A',
  'describe pods full -A',
  'describe nosuchtype',
  'describe deployments.v1.apps plain',
];

/** The one difference on purpose: kubectl omits the colon behind this name. */
const withColons = (text: string): string =>
  comparable(text).replaceAll('ISCSIInterface ', 'ISCSIInterface:');

describe('orchctl describe beside kubectl describe', () => {
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

describe('orchctl describe on a server with --naming=orch', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('orch');
  });
  after(() => cluster?.[Symbol.asyncDispose]());

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

  it('a word without a type, and a name with a selector, are refused', async () => {
    assert.equal((await cluster.orchctl(['describe'])).status, 2);
    assert.equal((await cluster.orchctl(['describe', 'pod', 'a', '-l', 'b=c'])).status, 2);
  });
});
