import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { commands } from '@orch/orchctl';
import { runCommandLine } from '@orch/orchctl/testing';
import { testCertificate } from '@orch/pki/x509/testing';
import { type CommandCluster, commandCluster } from '../cluster.ts';
import { exampleArguments, examplesOf } from '../examples.ts';
import { assertSame } from '../side-by-side.ts';

/** Objects that both programs print without creating them. */
const printed: readonly string[] = [
  'namespace a',
  'ns a -n b',
  'configmap a',
  'cm a --from-literal=k=v,w --from-literal=b==c --append-hash',
  'cm a --from-file=text.txt --from-file=other=bytes.bin -n other',
  'cm a --from-env-file=app.env',
  'secret generic a --from-literal=k=v --from-file=bytes.bin --type=example.com/t',
  'secret generic a --from-literal=k=<&> --append-hash',
  'secret docker-registry a --docker-username=u --docker-password=p --docker-email=e --docker-server=r',
  'secret docker-registry a --from-file=.dockerconfigjson=docker.json',
  'secret tls a --cert=tls.crt --key=tls.key',
  'deployment a --image=example.com/web:1',
  'deploy a --image=one,example.com/two@sha256:abc --replicas=3 --port=80 -n other',
  'deployment a --image=one -- sh -c x',
  'job a --image=one -- date',
  'job a --from=cronjob/nightly',
  'cronjob a --image=one --schedule=*/1 --restart=Never -- date -u',
  'service clusterip a --tcp=80:8080 --tcp=443',
  'service clusterip a --clusterip=None',
  'svc nodeport a --tcp=80:http --node-port=30001',
  'service loadbalancer a --tcp=80',
  'service externalname a --external-name=example.com',
  'serviceaccount a',
  'sa a -n other',
  'role a --verb=get,list --verb=get --resource=pods,po/log,deployments.apps --resource-name=x',
  'role a --verb=* --resource=*',
  'role a --verb=bind --resource=roles',
  'rolebinding a --clusterrole=edit --user=u --group=g --serviceaccount=n:s',
  'rolebinding a --role=r',
  'clusterrole a --verb=get --resource=nodes --non-resource-url=/a --non-resource-url=/b/*',
  'clusterrole a --aggregation-rule=a=b,c=d',
  'clusterrolebinding a --clusterrole=edit --user=u',
  'quota a',
  'quota a --hard=cpu=1000m,pods=1 --scopes=BestEffort',
  'pdb a --selector=a=b --min-available=50%',
  'poddisruptionbudget a --selector=a=b,c --max-unavailable=1',
  'priorityclass a --value=-5 --global-default --description=d --preemption-policy=Never',
  'pc a',
  'ingress a --rule=a.example.com/x=s:80,tls=c --rule=a.example.com/y*=s:http,tls=c --rule=b.example.com/=s:1,tls --class=i --annotation=k=v',
  'ing a --default-backend=s:80',
];

/** Command lines that are refused, as by kubectl. */
const refused: readonly string[] = [
  'namespace',
  'namespace a b',
  'cm a --from-literal=x',
  'cm a --from-literal=a=b --from-literal=a=c',
  'cm a --from-file=missing.txt',
  'cm a --from-env-file=app.env --from-literal=a=b',
  'secret tls a --cert=tls.crt --key=other.key',
  'secret tls a --cert=tls.crt',
  'deployment a',
  'deployment a --image=one,two -- date',
  'job a',
  'job a --from=pod/x',
  'job a --from=cronjob/missing',
  'cronjob a --image=one',
  'service clusterip a',
  'service nodeport a --tcp=x',
  'service externalname a --external-name=-',
  'role a --resource=pods',
  'role a --verb=get --resource=nothing',
  'role a --verb=bind --resource=pods',
  'rolebinding a',
  'rolebinding a --role=r --serviceaccount=s',
  'clusterrole a --verb=use --non-resource-url=/a',
  'clusterrole a --verb=get --non-resource-url=a',
  'clusterrole a --aggregation-rule=a=b --verb=get',
  'quota a --hard=cpu',
  'pdb a --selector=a=b',
  'pdb a --selector=a=b --min-available=x',
  'ingress a',
  'ingress a --rule=a',
  'secret',
];

async function prepare({ server, folder }: CommandCluster): Promise<void> {
  const { cert, key } = testCertificate({ commonName: 'a', use: 'server' });
  const files = {
    ...{ 'text.txt': 'one\ntwo\n', 'bytes.bin': Buffer.from([0xff, 0, 1]), 'docker.json': '{"auths":{}}' },
    'app.env': '# comment\n\n  A=1\nB=x=y\nHOME_OF_TEST\n',
    ...{ 'tls.crt': cert, 'tls.key': key },
    'other.key': testCertificate({ commonName: 'b', use: 'server' }).key,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const template = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x', command: ['date'] }] },
  };
  const { status, text } = await server.client.post('/apis/batch/v1/namespaces/default/cronjobs', {
    metadata: { name: 'nightly' },
    spec: { schedule: '0 0 * * *', jobTemplate: { metadata: { labels: { a: 'b' } }, spec: { template } } },
  });
  assert.equal(status, 201, text);
}

const argvOf = (line: string, ...flags: readonly string[]): readonly string[] => {
  const [before = '', ...command] = line.split(' -- ');
  return [
    'create',
    ...before.split(' '),
    ...flags,
    ...command.flatMap((words) => ['--', ...words.split(' ')]),
  ];
};

describe('generators of orchctl create compared with those of kubectl', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes');
    await prepare(cluster);
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  for (const line of printed)
    it(`"create ${line}" makes the object that kubectl makes`, async () => {
      const argv = argvOf(line, '--dry-run=client', '-o=yaml');
      const [own, other] = await Promise.all([cluster.orchctl(argv), cluster.kubectl(argv)]);
      assert.equal(other.status, 0, other.err);
      assertSame(own, other);
    });
});

const generators = commands.find(({ name }) => name === 'create')?.commands ?? [];
const examples = await examplesOf(generators.filter(({ name }) => name !== 'token'));

describe('generators of orchctl create on a server with --naming=orch', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('orch');
    await prepare(cluster);
    const { cert, key } = testCertificate({ commonName: 'a', use: 'server' });
    for (const [name, content] of Object.entries({ 'server.crt': cert, 'server.key': key, id_rsa: key }))
      writeFileSync(join(cluster.folder, name), content);
    mkdirSync(join(cluster.folder, 'config'));
    writeFileSync(join(cluster.folder, 'config', 'a.conf'), 'x');
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  for (const line of examples)
    it(`the server accepts the object of the example "${line}"`, async () => {
      const [first = '', ...rest] = exampleArguments(line);
      const { status, out, err } = await cluster.orchctl([first, '--dry-run=server', ...rest]);
      assert.deepEqual([status, err], [0, '']);
      assert.match(out, / created \(server dry run\)\n$/);
    });

  for (const line of refused)
    it(`"create ${line}" is refused`, async () => {
      const { status, out, err } = await cluster.orchctl(argvOf(line, '--dry-run=client'));
      assert.notEqual(status, 0, out);
      assert.match(err, /^error: |^Error from server/);
    });

  it('an object is created in the namespace of the flag, and creating it again is refused', async () => {
    const argv = ['create', 'configmap', 'twice', '--from-literal=a=b', '-n', 'default'];
    assert.deepEqual(await cluster.orchctl(argv), { status: 0, out: 'configmap/twice created\n', err: '' });
    const { status, err } = await cluster.orchctl(argv);
    assert.deepEqual(
      [status, err],
      [1, 'Error from server (AlreadyExists): configmaps "twice" already exists\n'],
    );
    const stored = await cluster.orchctl(['get', 'configmap', 'twice', '-o', 'jsonpath={.data.a}']);
    assert.equal(stored.out, 'b');
  });

  it('groups and types of the naming are used', async () => {
    const binding = [
      'create',
      'rolebinding',
      'a',
      '--role=r',
      '--dry-run=client',
      '-o',
      'jsonpath={.apiVersion}',
    ];
    assert.match((await cluster.orchctl(binding)).out, /orch\.io\/v1$/);
  });
});

describe('generators of orchctl create without a server', () => {
  for (const line of [
    'namespace a',
    'configmap a --from-literal=a=b',
    'deployment a --image=x',
    'service clusterip a --tcp=80',
  ])
    it(`"create ${line} --dry-run=client" needs no client configuration`, async () => {
      const { status, err } = await runCommandLine([
        'create',
        ...line.split(' '),
        '--dry-run=client',
        '-o=yaml',
      ]);
      assert.deepEqual([status, err], [0, '']);
    });
});
