import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namings } from '@orch/machinery';
import { type CommandCluster, commandCluster } from './cluster.ts';

const manifest = (image: string, label: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {v: ${label}}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: ${image}}]}
`;

for (const naming of namings) {
  describe(`the history of objects with orchctl, --naming=${naming}`, () => {
    let cluster: CommandCluster;
    const run = async (line: string, status = 0) => {
      const result = await cluster.orchctl(line.split(' '));
      assert.equal(result.status, status, `${line}\n${result.err}`);
      return result;
    };
    const revisions = async (): Promise<readonly string[]> =>
      JSON.parse((await run('history deployment web -o json')).out).changes.map(
        ({ revision }: { readonly revision: string }) => revision,
      );
    const apply = async (image: string, label: string): Promise<void> => {
      writeFileSync(join(cluster.folder, 'web.yaml'), manifest(image, label));
      await run('apply -f web.yaml');
    };

    before(async () => {
      cluster = await commandCluster(naming, { args: ['--history-retention=1h'] });
      await apply('nginx:1', 'a');
      await apply('nginx:2', 'b');
      await run('scale deployment web --replicas=3');
    });
    after(() => cluster[Symbol.asyncDispose]());

    it('history prints the changes of an object, the newest first', async () => {
      const { out } = await run('history deployment web');
      const [header, ...lines] = out.trimEnd().split('\n');
      assert.match(header ?? '', /^REVISION +AGE +CHANGE +USER +MANAGER +FIELDS$/);
      assert.deepEqual(
        lines.map((line) => line.split(/ {2,}/).slice(2)),
        [
          ['updated', 'admin', 'orchctl', 'spec.replicas'],
          ['updated', 'admin', 'orchctl', 'metadata.labels.v,spec.template.spec.containers[c].image'],
          ['created', 'admin', 'orchctl', '<none>'],
        ].map((cells) =>
          cells.map((cell) => (cell === 'admin' ? (lines[0]?.split(/ {2,}/)[3] ?? '') : cell)),
        ),
      );
      assert.match((await run('history deployment/web -o wide')).out, /apply/);
      assert.match((await run('history deployments --limit=1')).out, /^NAME +REVISION.*\nweb +\d+/);
      assert.match((await run('history deploy -A --no-headers -o wide')).out, /^default +web/);
      assert.equal((await run('history deployments --since=1000h')).out.split('\n').length, 5);
    });

    it('commands without an object say how one is named', async () => {
      for (const line of ['history', 'undo', 'diff --at=1s'])
        assert.match((await run(line, 2)).err, /^error: .*one object.* must be named: .*TYPE\/NAME$/m);
    });

    it('a resourceVersion that the server has not reached is refused, and not read as the present', async () => {
      const future = '900000000';
      for (const line of ['get deployment web', 'diff deployment web', 'undo deployment web'])
        assert.match(
          (
            await cluster.orchctl([
              ...line.split(' '),
              line.startsWith('undo') ? `--to=${future}` : `--at=${future}`,
            ])
          ).err,
          /the resourceVersion 900000000 is in the future: the present one is \d+\n/,
        );
    });

    it('get --at prints an earlier state in each format of get', async () => {
      const [, second = '', first = ''] = await revisions();
      const image = '-o=jsonpath={.spec.template.spec.containers[0].image}';
      assert.equal((await run(`get deployment web --at=${first} ${image}`)).out, 'nginx:1');
      assert.equal((await run(`get deployment web --at=${second} ${image}`)).out, 'nginx:2');
      assert.match((await run(`get deployment/web --at=${first}`)).out, /^NAME +READY.*\nweb +0\/1/);
      assert.match((await run(`get deployment/web --at=${first} -o yaml`)).out, /image: nginx:1/);
      assert.doesNotMatch((await run(`get deployment/web --at=${first} -o yaml`)).out, /managedFields/);
      await run('get deployment web --at=9h', 1);
      await run('get deployment web --at=yesterday', 2);
      await run('get deployments --at=10m', 2);
    });

    it('diff --at compares an earlier state with the present one, or with another', async () => {
      const [, second = '', first = ''] = await revisions();
      const all = await run(`diff deployment web --at=${first}`, 1);
      assert.match(all.out, /^- +- image: nginx:1$/m);
      assert.match(all.out, /^\+ +- image: nginx:2$/m);
      assert.match(all.out, /^\+ +replicas: 3$/m);
      const one = await run(`diff deployment/web --at=${first} --to=${second}`, 1);
      assert.doesNotMatch(one.out, /^\+ +replicas: 3$/m);
      assert.equal((await run(`diff deployment web --at=${(await revisions())[0]}`)).out, '');
    });

    it('undo restores the state before the last change, or that of --to, and can be undone', async () => {
      const replicas = async () => (await run('get deployment web -o=jsonpath={.spec.replicas}')).out;
      const image = async () =>
        (await run('get deployment web -o=jsonpath={.spec.template.spec.containers[0].image}')).out;
      const [, , first = ''] = await revisions();
      assert.match(
        (await run('undo deployment web --dry-run=server')).out,
        /restored to \d+ \(server dry run\)/,
      );
      assert.equal(await replicas(), '3');
      assert.match((await run('undo deployment web')).out, /^deployment\.apps\/web restored to \d+\n$/);
      assert.equal(await replicas(), '1');
      await run('undo deployment web');
      assert.equal(await replicas(), '3');
      await run(`undo deployment/web --to=${first}`);
      assert.equal(await image(), 'nginx:1');
    });

    it('undo creates a deleted object again, without owners that are gone', async () => {
      writeFileSync(
        join(cluster.folder, 'owner.yaml'),
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: owner}\n',
      );
      await run('create -f owner.yaml');
      const { out: uid } = await run('get configmap owner -o=jsonpath={.metadata.uid}');
      const owned = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'owned',
          labels: { kept: 'yes' },
          ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }],
        },
        data: { x: '1' },
      };
      writeFileSync(join(cluster.folder, 'owned.json'), JSON.stringify(owned));
      await run('create -f owned.json');
      await run('delete configmap owned owner');
      const { err } = await run('undo configmap owned');
      assert.match(err, /Warning: the owner ConfigMap "owner" does not exist any more/);
      const { out } = await run('get configmap owned -o json');
      const restored = JSON.parse(out);
      assert.deepEqual([restored.data, restored.metadata.labels], [owned.data, owned.metadata.labels]);
      assert.equal(restored.metadata.ownerReferences, undefined);
      assert.match((await run('undo configmap owned', 1)).err, /delete it to undo that/);
    });

    it('events --since prints changes and events of a namespace as one timeline', async () => {
      const { out } = await run('events --since=10m');
      assert.match(out, /^LAST SEEN +TYPE +REASON +OBJECT +MESSAGE$/m);
      assert.match(out, /Change +Created +Deployment\/web +by .* with orchctl$/m);
      assert.match(out, /Change +Updated +Deployment\/web +by .*: spec\.replicas/m);
      assert.match(out, /Change +Deleted +ConfigMap\/owner/);
      const only = await run('events --since=10m --for=deployment/web');
      assert.doesNotMatch(only.out, /ConfigMap/);
      await run('events --since=5', 2);
    });
  });
}

describe('orchctl with a server without a history', () => {
  it('the error names the flag that the server needs', async () => {
    await using cluster = await commandCluster('orch');
    for (const line of [
      'history configmap a',
      'get configmap a --at=1',
      'undo configmap a',
      'diff configmap a --at=1',
    ]) {
      const { status, err } = await cluster.orchctl(line.split(' '));
      assert.ok(status > 0);
      assert.match(err, /--history-retention/, line);
    }
    const { status, err } = await cluster.orchctl(['events', '--since=1h']);
    assert.equal(status, 0);
    assert.match(err, /keeps no history/);
  });
});
