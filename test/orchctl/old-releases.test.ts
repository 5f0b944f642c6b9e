import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namings } from '@orch/machinery';
import { type CommandCluster, commandCluster } from './cluster.ts';

const files: Readonly<Record<string, string>> = {
  'nested.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: c, image: x, imagePulPolicy: Always}]}\n',
  'two.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: bad, labls: {}}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: good}\n',
};

/** Releases without OpenAPI version 3, and without validation of fields by the server. */
for (const naming of namings)
  describe(`orchctl with a server of release 1.20, --naming=${naming}`, () => {
    let cluster: CommandCluster;
    before(async () => {
      cluster = await commandCluster(naming, { args: ['--emulated-version=1.20'] });
      for (const [name, text] of Object.entries(files)) writeFileSync(join(cluster.folder, name), text);
    });
    after(() => cluster[Symbol.asyncDispose]());
    const run = (line: string) => cluster.orchctl(line.split(' '));

    it('"explain" reads the OpenAPI document of version 2 when there is no other one', async () => {
      assert.equal((await run('get --raw /openapi/v3')).status, 1);
      const { status, out, err } = await run('explain pods.spec.containers.image');
      assert.deepEqual([status, err], [0, '']);
      assert.match(out, /^KIND: {7}Pod\nVERSION: {4}v1\n\nFIELD: image <string>\n\n\nDESCRIPTION:\n {4}\S/);
      const same = await run('explain pods.spec.containers.image --output=plaintext-openapiv2');
      assert.equal(same.out, out);
      assert.match(
        (await run('explain deployments.spec --recursive')).out,
        /^ {2}selector\t<LabelSelector>/m,
      );
      assert.match((await run('explain pods.spec.nothing')).err, /field "nothing" does not exist/);
    });

    it('unknown fields of files are refused, and the other objects are created', async () => {
      const { status, out, err } = await run('create -f two.yaml');
      assert.deepEqual([status, out], [1, 'configmap/good created\n']);
      assert.match(
        err,
        /^error: error validating "two.yaml": unknown field "metadata.labls" in v1 ConfigMap; /,
      );
      const nested = await run('create -f nested.yaml');
      assert.match(nested.err, /unknown field "spec.containers\[0\].imagePulPolicy" in v1 Pod/);
      assert.equal((await run('get pods,cm -o name --ignore-not-found')).out.includes('pod/web'), false);
    });

    it('unknown fields are reported with --validate=warn, and ignored with --validate=false', async () => {
      const warned = await run('create -f nested.yaml --validate=warn --dry-run=server');
      assert.equal(warned.status, 0, warned.err);
      assert.match(warned.err, /^Warning: error validating "nested.yaml": unknown field /);
      const ignored = await run('create -f nested.yaml --validate=false --dry-run=server');
      assert.deepEqual([ignored.status, ignored.err], [0, '']);
    });
  });
