import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { CommandResult } from '@orch/orchctl/testing';
import { type CommandCluster, commandCluster } from './cluster.ts';
import { editTests } from './edit-tests.ts';

const files: Readonly<Record<string, string>> = {
  'map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {key: a}\n',
  'two.yaml':
    '# two objects\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: two\n---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: two\nstringData: {password: x}\n',
  'changed.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {key: b}\n',
  'unknown-field.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bad}\ndatas: {}\n',
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
  'annotate cm one note-',
  'get cm,secret --show-labels',
  'patch cm one -p {"data":{"extra":"1"}}',
  'patch cm one --type=merge -p {"data":{"extra":"1"}}',
  'patch cm one --type=json -p [{"op":"remove","path":"/data/extra"}]',
  'patch cm one --type=json -p [{"op":"remove","path":"/data/extra"}]',
  'get cm one -o jsonpath={.data}',
  'scale --replicas=3 deployment/web',
  'scale --replicas=2 --current-replicas=1 deployment/web',
  'get deployment web -o jsonpath={.spec.replicas}',
  'replace -f changed.yaml',
  'get cm one -o jsonpath={.data}',
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

describe('writing commands of orchctl beside those of kubectl', () => {
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

  editTests(() => cluster);
});
