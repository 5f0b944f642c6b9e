import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { CommandResult } from '@orch/orchctl/testing';
import { type CommandCluster, commandCluster } from './cluster.ts';

const files: Readonly<Record<string, string>> = {
  'map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {key: a}\n',
  'two.yaml':
    '# two objects\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: two\n---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: two\nstringData: {password: x}\n',
  'changed.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {key: b}\n',
  'unknown-field.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bad}\ndatas: {}\n',
  'labelled.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: part-a, labels: {part: a}}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: part-b, labels: {part: b}}\n',
  'map.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"raw"}}',
  'unknown-kind.yaml': 'apiVersion: example.com/v1\nkind: Nothing\nmetadata: {name: bad}\n',
  'deploy.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 1\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec: {containers: [{name: c, image: "example.com/a:1"}]}\n',
};

/** Steps of one session: each runs with both programs, in namespaces of the same content. */
const steps: readonly string[] = [
  'create -f map.yaml',
  'create -f map.yaml',
  'create -f two.yaml --dry-run=server',
  'create -f two.yaml --dry-run=client -o name',
  'create -f two.yaml',
  'create -f deploy.yaml -o name',
  'create -f unknown-kind.yaml',
  'create -f missing.yaml',
  'label cm one app=x tier=y',
  'label cm one app=z',
  'label cm one app=z --overwrite',
  'label cm one app=z',
  'label cm one tier-',
  'label cm,secret -l app=z more=1',
  'label configmap/one secret/two both=1',
  'label cm --all every=1',
  'annotate cm one note=text',
  'annotate cm one --list',
  'annotate cm one note-',
  'label cm one none-',
  'annotate cm one none-',
  'annotate cm one listed=1 --list',
  'get cm one -o jsonpath={.metadata.annotations}',
  'label -f map.yaml local=1 --local -o yaml',
  'label -f map.yaml none-',
  'label -f two.yaml only=1 --dry-run=client -o name',
  'label cm one printed=1 --dry-run=client -o jsonpath={.metadata.labels}',
  'get cm,secret --show-labels',
  'patch cm one -p {"data":{"extra":"1"}}',
  'patch cm one --type=merge -p {"data":{"extra":"1"}}',
  'patch cm one --type=json -p [{"op":"remove","path":"/data/extra"}]',
  'patch cm one --type=json -p [{"op":"remove","path":"/data/extra"}]',
  'get cm one -o jsonpath={.data}',
  'patch cm one -p {"data":{"extra":"1"}} --dry-run=client -o jsonpath={.data}',
  'patch deployment web --subresource=scale --type=merge -p {"spec":{"replicas":4}}',
  'patch cm one --type=json -p [{"op":"remove","path":"/data/none"}]',
  'scale --replicas=3 deployment/web',
  'scale --replicas=2 --current-replicas=1 deployment/web',
  'get deployment web -o jsonpath={.spec.replicas}',
  'scale --replicas=3 deployment -l app=none',
  'scale --replicas=4 deployment/web -o name',
  'scale --replicas=5 deployment/web -o jsonpath={.kind}',
  'replace -f changed.yaml --grace-period=1',
  'replace -f changed.yaml',
  'get cm one -o jsonpath={.data}',
  'create -f unknown-field.yaml',
  'create -f unknown-field.yaml --validate=false',
  'replace -f unknown-field.yaml',
  'replace -f unknown-field.yaml --validate=false',
  'delete cm bad --grace-period=0',
  'create -f labelled.yaml -l part=a --dry-run=server',
  'create -f labelled.yaml -l part=none',
  'create -f labelled.yaml -l part in',
  'create -f labelled.yaml',
  'delete -f labelled.yaml -l part=a',
  'delete -f labelled.yaml -l part=none',
  'get cm -l part -o name',
  'delete -f labelled.yaml --ignore-not-found',
  'create --raw /none -f map.json',
  'create --raw none -f map.json',
  'delete -f two.yaml --dry-run=server',
  'delete -f two.yaml',
  'delete -f two.yaml',
  'delete -f two.yaml --ignore-not-found',
  'delete cm one -o name',
  'delete cm one',
  'delete deployment/web --cascade=orphan --wait=false',
  'delete cm -l app=none',
  'delete secrets --all --wait=false',
];

describe('writing commands of orchctl compared with those of kubectl', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes');
    for (const name of ['own', 'other'])
      await cluster.server.client.post('/api/v1/namespaces', { metadata: { name } });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cluster.folder, name), text);
  });
  after(() => cluster[Symbol.asyncDispose]());

  const comparable = (text: string): string =>
    text
      .replaceAll('kubectl', 'orchctl')
      .replaceAll('"other"', '"own"')
      .replaceAll('other namespace', 'own namespace')
      .replace(/(?<= )\d+(?:s|m|m\d+s)(?=\s) */g, 'AGE ');
  const both = (line: string): Promise<[CommandResult, CommandResult]> => {
    const argv = line.split(' ');
    return Promise.all([cluster.orchctl([...argv, '-n=own']), cluster.kubectl([...argv, '-n=other'])]);
  };

  for (const [i, line] of steps.entries())
    it(`step ${i + 1}, "${line}", prints what kubectl prints`, async () => {
      const [own, other] = await both(line);
      assert.equal(comparable(own.out), comparable(other.out), `${own.err}\n${other.err}`);
      assert.equal(own.status === 0, other.status === 0, `${own.err}\n${other.err}`);
      if (other.status === 0) assert.equal(comparable(own.err), comparable(other.err));
    });

  for (const [answer, question] of [
    ['n\n', 'cancelled'],
    ['', 'cancelled'],
    ['y\n', 'carried out'],
  ] as const)
    it(`a deletion with --interactive is ${question} after the answer ${JSON.stringify(answer)}, as by kubectl`, async () => {
      const argv = ['delete', '-i', 'cm/asked', 'secret/asked'];
      for (const kind of ['configmap', 'secret generic']) await both(`create ${kind} asked --dry-run=none`);
      const own = await cluster.orchctl([...argv, '-n=own'], { input: answer });
      const other = await cluster.kubectl([...argv, '-n=other'], answer);
      assert.deepEqual([own.status, comparable(own.out)], [other.status, comparable(other.out)], own.err);
      const { status } = await cluster.orchctl(['get', 'cm', 'asked', '-n=own']);
      assert.equal(status, question === 'cancelled' ? 0 : 1);
    });

  it('requests of create and replace with --raw print the response of the server', async () => {
    const path = '/api/v1/namespaces/own/configmaps';
    const created = await cluster.orchctl(['create', '--raw', path, '-f', 'map.json']);
    assert.equal(JSON.parse(created.out).metadata.name, 'raw', created.err);
    const input = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"raw"},"data":{"a":"b"}}';
    const replaced = await cluster.orchctl(['replace', '--raw', `${path}/raw`, '-f', '-'], { input });
    assert.deepEqual(JSON.parse(replaced.out).data, { a: 'b' }, replaced.err);
  });

  it('a failure names the file of its object, and an invalid object lists all causes', async () => {
    // A deletion above may not have ended yet.
    const { err } = await cluster.orchctl(['create', '-f', 'deploy.yaml', '-n=own']);
    const again = await cluster.orchctl(['create', '-f', 'deploy.yaml', '-n=own']);
    assert.match(
      `${err}${again.err}`,
      /^Error from server \(AlreadyExists\): error when creating "deploy.yaml": (object is being deleted: )?deployments.apps "web" already exists\n/m,
    );
    const argv = ['run', 'Not_Valid', '--image=x'];
    const [own, other] = await Promise.all([cluster.orchctl(argv), cluster.kubectl(argv)]);
    assert.equal(own.err.trimEnd(), other.err.trimEnd());
    assert.match(own.err, /^The Pod "Not_Valid" is invalid: \n\* metadata\.name: /);
  });
});
