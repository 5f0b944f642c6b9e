import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CommandCluster, commandCluster } from './cluster.ts';

const definition = (group: string) => `apiVersion: ${group}/v1
kind: CustomResourceDefinition
metadata: {name: stars.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: stars, kind: Star}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
`;

const deployment = (replicas: number, image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: ${image}}]}
`;

for (const naming of ['orch', 'kubernetes'] as const)
  describe(`orchctl apply on a server with --naming=${naming}`, () => {
    let cluster: CommandCluster;
    const write = (name: string, text: string) => writeFileSync(join(cluster.folder, name), text);
    before(async () => {
      cluster = await commandCluster(naming);
      await cluster.server.client.post('/api/v1/namespaces', { metadata: { name: 'own' } });
    });
    after(() => cluster[Symbol.asyncDispose]());
    const whereKubectl = naming === 'kubernetes' ? it : (): void => {};
    const run = (...argv: string[]) => cluster.orchctl([...argv, '-n=own']);

    it('an applied object is created, changed, and loses fields that are removed from the file', async () => {
      write('map.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: "1", b: "2"}\n');
      const applied = { status: 0, out: 'configmap/map serverside-applied\n', err: '' };
      assert.deepEqual(await run('apply', '-f', 'map.yaml'), applied);
      write('map.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: "3"}\n');
      assert.deepEqual(await run('apply', '-f', 'map.yaml'), applied);
      assert.equal((await run('get', 'cm', 'map', '-o', 'jsonpath={.data}')).out, '{"a":"3"}');
    });

    it('a namespace, a definition and its objects are applied from one file in any order', async () => {
      const group = naming === 'orch' ? 'apiextensions.orch.io' : 'apiextensions.k8s.io';
      write(
        'all.yaml',
        `apiVersion: example.com/v1\nkind: Star\nmetadata: {name: sun, namespace: sky}\nspec: {size: 1}\n---\n${definition(group)}---\napiVersion: v1\nkind: Namespace\nmetadata: {name: sky}\n`,
      );
      const { status, out, err } = await cluster.orchctl(['apply', '-f', 'all.yaml']);
      assert.deepEqual([status, err], [0, '']);
      const lines = out.trimEnd().split('\n');
      assert.equal(lines.at(-1), 'star.example.com/sun serverside-applied');
      assert.equal(lines.length, 3);
    });

    it('a conflict names field, owner and both values, and --force-conflicts takes the field over', async () => {
      write('web.yaml', deployment(2, 'a:1'));
      assert.equal((await run('apply', '-f', 'web.yaml')).status, 0);
      const scaled = await run('scale', '--replicas=5', 'deployment/web', '--field-manager=scaler');
      assert.equal(scaled.status, 0, scaled.err);
      const { status, out, err } = await run('apply', '-f', 'web.yaml');
      assert.deepEqual([status, out], [1, '']);
      assert.match(
        err,
        /^FIELD +OWNER +YOURS +THEIRS\n\.spec\.replicas +"scaler".* +2 +5\nerror: .*--force-conflicts/,
      );
      assert.equal((await run('apply', '-f', 'web.yaml', '--force-conflicts')).status, 0);
      assert.equal((await run('get', 'deployment', 'web', '-o', 'jsonpath={.spec.replicas}')).out, '2');
    });

    it('an apply takes over the fields that other commands of orchctl have set, and says when they were set', async () => {
      write('web.yaml', deployment(2, 'a:1'));
      assert.equal((await run('apply', '-f', 'web.yaml', '--force-conflicts')).status, 0);
      for (const argv of [
        ['scale', '--replicas=5', 'deployment/web'],
        ['set', 'image', 'deployment/web', 'c=b:2'],
        ['label', 'deployment/web', 'extra=kept'],
      ])
        assert.equal((await run(...argv)).status, 0, argv.join(' '));
      const { status, out, err } = await run('apply', '-f', 'web.yaml');
      assert.deepEqual([status, out], [0, 'deployment.apps/web serverside-applied\n'], err);
      assert.match(
        err,
        /^deployment\.apps\/web: \.spec\.replicas was 5, set by another command of orchctl at \d{4}-\S+Z, and is 2 again$/m,
      );
      assert.match(err, /containers\[name="c"\]\.image was "b:2", set by .* and is "a:1" again$/m);
      const template = 'jsonpath={.spec.replicas} {.metadata.labels.extra}';
      assert.equal((await run('get', 'deployment', 'web', '-o', template)).out, '2 kept');
    });

    whereKubectl(
      'an apply over an object of kubectl apply removes the fields that are no longer in the file',
      async () => {
        const file = join(cluster.folder, 'csa.yaml');
        const map = (data: string) =>
          `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: csa2}\ndata: ${data}\n`;
        write('csa.yaml', map('{a: "1", b: "2"}'));
        const applied = await cluster.kubectl(['apply', '-n=own', '-f', file]);
        assert.equal(applied.status, 0, applied.err);
        for (const data of ['{a: "1"}', '{a: "3"}']) {
          write('csa.yaml', map(data));
          const { status, err } = await run('apply', '-f', 'csa.yaml');
          assert.deepEqual([status, err], [0, '']);
        }
        assert.equal((await run('get', 'cm', 'csa2', '-o', 'jsonpath={.data}')).out, '{"a":"3"}');
      },
    );

    whereKubectl('an apply over a changed field of kubectl apply is not a conflict', async () => {
      const map = (data: string) =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: csa3}\ndata: ${data}\n`;
      write('csa3.yaml', map('{a: "1", b: "2"}'));
      const applied = await cluster.kubectl(['apply', '-n=own', '-f', join(cluster.folder, 'csa3.yaml')]);
      assert.equal(applied.status, 0, applied.err);
      write('csa3.yaml', map('{a: "9"}'));
      const { status, err } = await run('apply', '-f', 'csa3.yaml');
      assert.deepEqual([status, err], [0, '']);
      assert.equal((await run('get', 'cm', 'csa3', '-o', 'jsonpath={.data}')).out, '{"a":"9"}');
    });

    it('diff shows conflicts as apply does, with an exit status above 1, and changes nothing', async () => {
      const scaled = await run('scale', '--replicas=7', 'deployment/web', '--field-manager=scaler');
      assert.equal(scaled.status, 0, scaled.err);
      const { status, out, err } = await run('diff', '-f', 'web.yaml');
      assert.deepEqual([status, out], [2, '']);
      assert.match(
        err,
        /^FIELD +OWNER +YOURS +THEIRS\n\.spec\.replicas +"scaler".* +2 +7\nerror: deployment\.apps\/web cannot be compared: .*--force-conflicts/,
      );
      const forced = await run('diff', '-f', 'web.yaml', '--force-conflicts');
      assert.equal(forced.status, 1, forced.err);
      assert.match(forced.out, /^- +replicas: 7\n\+ +replicas: 2$/m);
      assert.equal((await run('get', 'deployment', 'web', '-o', 'jsonpath={.spec.replicas}')).out, '7');
    });

    it('a conflict in an item of a list shows the values of that item', async () => {
      await run('apply', '-f', 'web.yaml', '--force-conflicts');
      write('image.yaml', deployment(2, 'b:2'));
      const { status, err } = await run('apply', '-f', 'image.yaml', '--field-manager=other');
      assert.equal(status, 1);
      assert.match(err, /\.spec\.template\.spec\.containers\[name="c"\]\.image +"orchctl".* b:2 +a:1\n/);
    });

    it('--prune deletes what an earlier apply of the inventory applied, and nothing else', async () => {
      const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n---\n`;
      await run('create', '-f', 'map.yaml');
      write('set.yaml', map('one') + map('two') + map('three'));
      assert.equal((await run('apply', '-f', 'set.yaml', '--prune', '--inventory=set')).status, 0);
      write('set.yaml', map('two'));
      const dry = await run('apply', '-f', 'set.yaml', '--prune', '--inventory=set', '--dry-run=server');
      assert.match(
        dry.out,
        /configmap\/three pruned \(server dry run\)\nconfigmap\/one pruned \(server dry run\)/,
      );
      const { status, out } = await run('apply', '-f', 'set.yaml', '--prune', '--inventory=set');
      assert.equal(status, 0);
      assert.equal(out, 'configmap/two serverside-applied\nconfigmap/three pruned\nconfigmap/one pruned\n');
      assert.equal((await run('get', 'cm', '-o', 'name')).out.includes('configmap/map\n'), true);
    });

    it('an object with the name of a pruned one, but created by another client, is kept', async () => {
      const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n---\n`;
      write('again.yaml', map('kept') + map('replaced'));
      await run('apply', '-f', 'again.yaml', '--inventory=again');
      await run('delete', 'cm', 'replaced');
      write('replaced.yaml', map('replaced'));
      await run('create', '-f', 'replaced.yaml');
      write('again.yaml', map('kept'));
      assert.equal((await run('apply', '-f', 'again.yaml', '--prune', '--inventory=again')).status, 0);
      assert.equal((await run('get', 'cm', 'replaced', '-o', 'name')).out, 'configmap/replaced\n');
    });

    it('a refused object does not prevent the others, and nothing is pruned then', async () => {
      write(
        'part.yaml',
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: part}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: Not_A_Name}\n',
      );
      const { status, out, err } = await run('apply', '-f', 'part.yaml', '--prune', '--inventory=set');
      assert.equal(status, 1);
      assert.equal(out, 'configmap/part serverside-applied\n');
      assert.match(err, /Not_A_Name/);
      assert.match(err, /nothing was pruned/);
      assert.equal((await run('get', 'cm', 'two', '-o', 'name')).out, 'configmap/two\n');
    });

    for (const [argv, message] of [
      [['apply'], /must specify --filename/],
      [['apply', '-f', 'map.yaml', '--prune'], /--prune requires --inventory/],
      [['apply', '-f', 'map.yaml', '--server-side=false'], /--server-side=false is not supported/],
    ] as const)
      it(`"${argv.join(' ')}" is refused with exit status 2`, async () => {
        const { status, err } = await run(...argv);
        assert.equal(status, 2);
        assert.match(err, message);
      });

    it('a syntax error of a file names file, line and column', async () => {
      write('broken.yaml', 'apiVersion: v1\nkind: ConfigMap\n---\nkind: [\n');
      const { status, err } = await run('apply', '-f', 'broken.yaml');
      assert.equal(status, 1);
      assert.match(err, /^error: broken\.yaml:\d+:\d+: /);
    });
  });
