import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CommandCluster, commandCluster } from './cluster.ts';

/** Flags that kubectl has since 1.34; the kubectl of this machine need not have them. */
describe('flags of later releases of kubectl', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes', { release: 'latest' });
    await output('create deployment web --image=x');
    await output('create secret generic s --from-literal=a=b');
  });
  after(() => cluster[Symbol.asyncDispose]());

  async function output(line: string): Promise<string> {
    const { status, out, err } = await cluster.orchctl(line.split(' '));
    assert.equal(status, 0, err);
    return out;
  }

  async function failure(line: string): Promise<string> {
    const { status, err } = await cluster.orchctl(line.split(' '));
    assert.notEqual(status, 0);
    return err;
  }

  const utilization = (name: string, averageUtilization: number) => ({
    type: 'Resource',
    resource: { name, target: { type: 'Utilization', averageUtilization } },
  });
  const average = (name: string, averageValue: string) => ({
    type: 'Resource',
    resource: { name, target: { type: 'AverageValue', averageValue } },
  });

  for (const [targets, spec] of [
    ['--cpu=80%', { targetCPUUtilizationPercentage: 80 }],
    ['--cpu=500m', { metrics: [average('cpu', '500m')] }],
    ['--cpu=500', { metrics: [average('cpu', '500m')] }],
    ['--memory=200', { metrics: [average('memory', '200Mi')] }],
    ['--memory=70% --cpu=60%', { metrics: [utilization('cpu', 60), utilization('memory', 70)] }],
    ['--memory=1Gi --cpu-percent=60', { metrics: [utilization('cpu', 60), average('memory', '1Gi')] }],
  ] as const)
    it(`"autoscale ${targets}" aims at the use of CPU and memory`, async () => {
      const object = JSON.parse(
        await output(`autoscale deployment web --max=4 ${targets} --dry-run=client -o json`),
      );
      const { maxReplicas, scaleTargetRef, ...own } = object.spec;
      assert.deepEqual([maxReplicas, scaleTargetRef.name, own], [4, 'web', spec]);
      assert.equal(object.apiVersion, 'metrics' in spec ? 'autoscaling/v2' : 'autoscaling/v1');
    });

  for (const [targets, message] of [
    ['--cpu=abc', /invalid value "abc" for --cpu/],
    ['--memory=-1Mi', /invalid value "-1Mi" for --memory/],
    ['--cpu=5.5%', /invalid percentage "5.5%"/],
    ['--cpu=1 --cpu-percent=5', /mutually exclusive/],
  ] as const)
    it(`"autoscale ${targets}" is refused`, async () => {
      assert.match(await failure(`autoscale deployment web --max=4 ${targets}`), message);
    });

  it('an autoscaler of memory is created on the server', async () => {
    await output('autoscale deployment web --max=4 --memory=70% --name=by-memory');
    const path = '{.spec.metrics[0].resource.target.averageUtilization}';
    assert.equal(await output(`get hpa by-memory -o jsonpath=${path}`), '70');
  });

  it('"explain --recursive --max-depth" prints the fields of that many levels', async () => {
    const fields = (text: string) => text.split('FIELDS:\n')[1]?.match(/^ +\w+/gm) ?? [];
    const first = fields(await output('explain deployments.spec -R --max-depth=1'));
    assert.ok(first.length > 5 && first.every((field) => /^ {2}\w/.test(field)), first.join());
    const second = fields(await output('explain deployments.spec --recursive --max-depth=2'));
    assert.ok(second.some((field) => /^ {4}\w/.test(field)));
    assert.ok(second.every((field) => /^ {2}(?: {2})?\w/.test(field)));
    assert.match(await output('explain pods.spec.volumes.hostPath -R'), /enum: "", BlockDevice, /);
    assert.match(await failure('explain pods --max-depth=1'), /--max-depth requires --recursive/);
  });

  it('"api-resources -o json" prints a list of resources with group and version', async () => {
    const list = JSON.parse(await output('api-resources -o json --api-group=apps'));
    assert.deepEqual([list.kind, list.groupVersion], ['APIResourceList', '']);
    const { verbs, ...deployments } = list.resources.find(
      ({ name }: { name: string }) => name === 'deployments',
    );
    assert.deepEqual(deployments, {
      ...{ name: 'deployments', singularName: 'deployment', namespaced: true },
      ...{ group: 'apps', version: 'v1', kind: 'Deployment' },
      ...{ shortNames: ['deploy'], categories: ['all'] },
    });
    assert.ok(verbs.includes('watch'));
    assert.match(await output('api-resources -o yaml'), /^apiVersion: v1\ngroupVersion: ""\n/);
  });

  it('"diff --show-secrets" prints the values of secrets', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { a: 'Yw==' } };
    writeFileSync(join(cluster.folder, 's.json'), JSON.stringify(secret));
    const changes = async (flags: readonly string[]) =>
      (await cluster.orchctl(['diff', '-f', 's.json', '--force-conflicts', ...flags])).out.match(
        /^[-+] .*/gm,
      );
    assert.deepEqual(await changes([]), ["-  a: '*** (before)'", "+  a: '*** (after)'"]);
    assert.deepEqual(await changes(['--show-secrets']), ['-  a: Yg==', '+  a: Yw==']);
  });

  it('"--as-user-extra" sets extra values of the user to impersonate', async () => {
    const extra = '--as-user-extra=acme.test/a=1,2 --as-user-extra=acme.test/a=3';
    const answer = JSON.parse(
      await output(`auth whoami -o json --as=ann --as-group=system:masters ${extra}`),
    );
    assert.deepEqual(answer.status.userInfo.extra, { 'acme.test/a': ['1,2', '3'] });
    assert.match(await failure('get ns --as-user-extra=a=b'), /require --as/);
    assert.match(await failure('get ns --as=ann --as-user-extra=a'), /must be KEY=VALUE/);
  });

  it('"--proxy-url" names the proxy of connections', async () => {
    assert.match(await failure('get ns --proxy-url=http://127.0.0.1:1'), /ECONNREFUSED|refused/);
    assert.match(
      await failure('get ns --proxy-url=ftp://proxy.test'),
      /must be an http, https or socks5 URL/,
    );
  });

  it('"-o kyaml" prints objects, lists and versions as KYAML', async () => {
    const { metadata, ...rest } = JSON.parse(await output('get secret s -o json'));
    assert.deepEqual(rest.data, { a: 'Yg==' });
    assert.equal(
      await output('get secret s -o kyaml'),
      [
        ...['---', '{', '  apiVersion: "v1",', '  data: {', '    a: "Yg==",', '  },', '  kind: "Secret",'],
        ...['  metadata: {', `    creationTimestamp: "${metadata.creationTimestamp}",`, '    name: "s",'],
        ...['    namespace: "default",', `    resourceVersion: "${metadata.resourceVersion}",`],
        ...[`    uid: "${metadata.uid}",`, '  },', '  type: "Opaque",', '}', ''],
      ].join('\n'),
    );
    assert.match(await output('get secrets -o kyaml'), /^---\n\{\n {2}apiVersion: "v1",\n {2}items: \[\{\n/);
    assert.match(await output('version -o kyaml'), /^---\n\{\n {2}clientVersion: \{\n/);
  });
});
