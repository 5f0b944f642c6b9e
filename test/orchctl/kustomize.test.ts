import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findKubectls } from '@orch/testkit';
import { type CommandCluster, commandCluster } from './cluster.ts';

/** Commands of tests have an empty environment. */
const environment = { PATH: process.env['PATH'] };
const hasKubectl = (await findKubectls(join(import.meta.dirname, '..', '..'))).length > 0;

describe('kustomizations of orchctl', { skip: !hasKubectl && 'needs kubectl' }, () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes');
    const folder = join(cluster.folder, 'overlay');
    mkdirSync(folder);
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: 'one' } };
    writeFileSync(join(folder, 'map.yaml'), JSON.stringify(map));
    writeFileSync(join(folder, 'kustomization.yaml'), 'namePrefix: test-\nresources: [map.yaml]\n');
    mkdirSync(join(cluster.folder, 'broken'));
    writeFileSync(join(cluster.folder, 'broken', 'kustomization.yaml'), 'resources: [missing.yaml]\n');
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  it('"kustomize" prints the objects of a folder, as kubectl does', async () => {
    const { status, out } = await cluster.orchctl(['kustomize', 'overlay'], { environment });
    assert.equal(status, 0);
    assert.match(out, /^ {2}name: test-settings$/m);
    assert.equal(out, (await cluster.kubectl(['kustomize', 'overlay'])).out);
  });

  it('commands that read files take the folder by -k', async () => {
    const runs = [
      [['apply', '-k', 'overlay'], /configmap\/test-settings/],
      [['get', '-k', 'overlay', '-o', 'name'], /^configmap\/test-settings$/m],
      [['diff', '-k', 'overlay'], /^$/],
      [['describe', '--kustomize=overlay'], /test-settings/],
      [['delete', '-k', 'overlay'], /test-settings/],
    ] as const;
    for (const [argv, expected] of runs) {
      const { status, out, err } = await cluster.orchctl([...argv], { environment });
      assert.deepEqual([status, err], [0, ''], argv.join(' '));
      assert.match(out, expected);
    }
  });

  it('a kustomization that cannot be built ends the command with the message of its program', async () => {
    const { status, err } = await cluster.orchctl(['apply', '-k', 'broken'], { environment });
    assert.equal(status, 1);
    assert.match(err, /missing\.yaml/);
  });

  it('--filename and --kustomize exclude each other', async () => {
    const { status, err } = await cluster.orchctl(['apply', '-k', 'overlay', '-f', 'overlay/map.yaml']);
    assert.equal(status, 2);
    assert.match(err, /only one of --filename and --kustomize/);
  });

  it('without kustomize and kubectl on the path, the message names both', async () => {
    const { status, err } = await cluster.orchctl(['kustomize', 'overlay'], {
      environment: { PATH: '/nonexistent' },
    });
    assert.equal(status, 1);
    assert.match(err, /installed kustomize or kubectl/);
  });
});
