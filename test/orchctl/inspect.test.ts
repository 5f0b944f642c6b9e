import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CommandCluster, commandCluster } from './cluster.ts';
import { assertSame } from './side-by-side.ts';

const event = (name: string, fields: object) => ({
  metadata: { name, namespace: 'default' },
  involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'web', namespace: 'default' },
  reason: 'Started',
  message: `Message of ${name}`,
  type: 'Normal',
  ...fields,
});

const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: "1"}\n';
const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: secret}\nstringData: {a: one, b: two}\n';

async function prepare({ server, folder }: CommandCluster): Promise<void> {
  const post = async (path: string, body: object) =>
    assert.equal((await server.client.post(path, body)).status, 201);
  const path = '/api/v1/namespaces/default/events';
  const start = '2026-01-01T00:00:00Z';
  await post(path, event('one', { firstTimestamp: start, lastTimestamp: start, count: 1 }));
  await post(
    path,
    event('two', { firstTimestamp: start, lastTimestamp: '2026-02-01T00:00:00Z', count: 3, type: 'Warning' }),
  );
  await post(
    path,
    event('three', {
      firstTimestamp: '2026-01-15T00:00:00Z',
      lastTimestamp: '2026-01-15T00:00:00Z',
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'map', namespace: 'default' },
    }),
  );
  writeFileSync(join(folder, 'map.yaml'), map);
  writeFileSync(join(folder, 'secret.yaml'), secret);
}

/** Command lines whose output must be that of kubectl, with its naming. */
const sameOutput: readonly string[] = [
  'explain pods',
  'explain pods --recursive',
  'explain pod.spec.containers',
  'explain pod.spec.containers.image',
  'explain pod.spec.containers.imagePullPolicy',
  'explain pod.spec.containers.resources.limits',
  'explain deployments.apps',
  'explain deploy.spec.strategy',
  'explain deploy.spec.strategy --recursive',
  'explain deploy.spec.strategy.type',
  'explain pod.spec.volumes.hostPath',
  'explain pod.spec.volumes.hostPath.type',
  'explain pvc.spec.accessModes',
  'explain pvc.status',
  'explain deploy.metadata.labels',
  'explain cm.data --recursive',
  'explain hpa --api-version=autoscaling/v2beta2',
  'explain crd.spec.versions.schema.openAPIV3Schema',
  'explain customresourcedefinitions --recursive',
  'explain networkpolicies.spec --recursive',
  'explain unicorns',
  'explain',
  'events',
  'events -A',
  'events --types=Warning',
  'events --types=other',
  'events --for=pod/web',
  'events --for=cm/map --no-headers',
  'events --for=cm/none',
  'events -n empty',
];

for (const naming of ['orch', 'kubernetes'] as const)
  describe(`reading commands on a server with --naming=${naming}`, () => {
    let cluster: CommandCluster;
    before(async () => {
      cluster = await commandCluster(naming);
      await prepare(cluster);
    });
    after(() => cluster[Symbol.asyncDispose]());

    for (const line of naming === 'kubernetes' ? sameOutput : [])
      it(`"${line}" prints what kubectl prints`, async () => {
        const argv = line.split(' ');
        const [own, other] = await Promise.all([cluster.orchctl(argv), cluster.kubectl(argv)]);
        assertSame(own, other);
      });

    it('"explain" describes a resource of a group of the naming', async () => {
      const { status, out, err } = await cluster.orchctl(['explain', 'roles.rules.verbs']);
      assert.equal(status, 0, err);
      assert.match(
        out,
        /^GROUP: +rbac\.authorization\.\S+\nKIND: +Role\nVERSION: +v1\n\nFIELD: verbs <\[\]string>/,
      );
    });

    it('"explain" refuses an unknown field', async () => {
      const { status, err } = await cluster.orchctl(['explain', 'pods.spec.nonsense']);
      assert.deepEqual([status, err], [1, 'error: field "nonsense" does not exist\n']);
    });

    it('"diff" has exit status 1 with differences and 0 without, and stores nothing', async () => {
      const first = await cluster.orchctl(['diff', '-f', 'map.yaml']);
      assert.equal(first.status, 1, first.err);
      assert.match(first.out, /^\+data:\n\+ {2}a: "1"$/m);
      assert.equal((await cluster.orchctl(['get', 'cm', 'map'])).status, 1);
      await cluster.orchctl(['apply', '-f', 'map.yaml']);
      assert.deepEqual(await cluster.orchctl(['diff', '-f', 'map.yaml']), { status: 0, out: '', err: '' });
      writeFileSync(join(cluster.folder, 'changed.yaml'), map.replace('"1"', '"2"'));
      const { status, out } = await cluster.orchctl(['diff', '-f', 'changed.yaml']);
      assert.equal(status, 1);
      assert.match(out, /^-\s+a: "1"\n\+\s+a: "2"$/m);
    });

    it('"diff" shows which values of a secret change, and none of the values', async () => {
      await cluster.orchctl(['apply', '-f', 'secret.yaml']);
      writeFileSync(join(cluster.folder, 'changed.yaml'), secret.replace('a: one', 'a: other'));
      const { status, out } = await cluster.orchctl(['diff', '-f', 'changed.yaml']);
      assert.equal(status, 1);
      assert.match(out, /^-\s+a: .*\(before\)/m);
      assert.doesNotMatch(out, /b25l|b3RoZXI|one|other/);
    });

    it('"diff" has an exit status above 1 for failures', async () => {
      const { status, err } = await cluster.orchctl(['diff', '-f', 'missing.yaml']);
      assert.equal(status, 2);
      assert.match(err, /^error: the path "missing\.yaml" does not exist/);
      writeFileSync(join(cluster.folder, 'bad.yaml'), map.replace('name: map', 'name: Bad_Name'));
      assert.equal((await cluster.orchctl(['diff', '-f', 'bad.yaml'])).status, 2);
    });

    it('"diff" has colors in a terminal and with --color=always, and none in a pipe, with NO_COLOR or by another program', async () => {
      writeFileSync(join(cluster.folder, 'colors.yaml'), map.replace('"1"', '"3"'));
      const isColored = async (argv: readonly string[], surroundings = {}) =>
        (await cluster.orchctl(['diff', '-f', 'colors.yaml', ...argv], surroundings)).out.includes(
          '\u001b[32m+',
        );
      assert.equal(await isColored([], { columns: 80 }), true);
      assert.equal(await isColored(['--color=always']), true);
      assert.equal(await isColored([]), false);
      assert.equal(await isColored(['--color=never'], { columns: 80 }), false);
      assert.equal(await isColored([], { columns: 80, environment: { NO_COLOR: '1' } }), false);
      const environment = { ORCHCTL_EXTERNAL_DIFF: 'diff -u -N' };
      assert.equal(await isColored([], { columns: 80, environment }), false);
    });

    it('"diff" uses the program of the environment', async () => {
      const environment = { ORCHCTL_EXTERNAL_DIFF: 'diff --brief -N' };
      const { status, out } = await cluster.orchctl(['diff', '-f', 'secret.yaml'], { environment });
      assert.ok(status === 0 || out.startsWith('Files '), out);
    });
  });
