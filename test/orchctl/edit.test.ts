import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { CommandResult } from '@orch/orchctl/testing';
import { type CommandCluster, commandCluster } from './cluster.ts';
import { exampleArguments } from './examples.ts';

const created = [
  'create configmap first --from-literal=a=one --from-literal=b=two',
  'create configmap second --from-literal=a=one',
  'create deployment edited --image=example.com/a:1 --replicas=2',
];

describe('objects in an editor', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes');
    await cluster.server.client.post('/api/v1/namespaces', { metadata: { name: 'own' } });
    for (const line of created) {
      const { status, err } = await cluster.orchctl([...line.split(' '), '-n=own']);
      assert.equal(status, 0, err);
    }
  });
  after(() => cluster[Symbol.asyncDispose]());
  const { PATH = '' } = process.env;
  const edit = (line: string, editor: string): Promise<CommandResult> =>
    cluster.orchctl([...line.split(' '), '-n=own'], {
      environment: { PATH, KUBE_EDITOR: editor, TMPDIR: cluster.folder },
    });
  /** An editor that runs the next of some shell scripts each time; the file is `$1`. */
  const scripted = (name: string, ...scripts: readonly string[]): string => {
    const path = join(cluster.folder, name);
    const cases = scripts.map((script, i) => `${i + 1}) ${script} ;;`);
    const text = `#!/bin/sh\necho >>"$0.count"\ncp "$1" "$0.$(wc -l <"$0.count")"\ncase $(wc -l <"$0.count") in\n${cases.join('\n')}\nesac\n`;
    writeFileSync(path, text);
    chmodSync(path, 0o700);
    return path;
  };
  /** The file as the editor found it. */
  const seen = (editor: string, pass: number): string => readFileSync(`${editor}.${pass}`, 'utf8');

  it('a file that cannot be read is opened again with the error at the top and the comments of the user', async () => {
    const editor = scripted(
      'syntax',
      `printf '# my note\\n' >"$1.new"; sed -e 's/^data:/data: {/' -e 's/  a: .*/  a: x # why/' "$1" >>"$1.new"; mv "$1.new" "$1"`,
      `sed -i -e 's/^data: {/data:/' "$1"`,
    );
    const { status, out, err } = await edit('edit cm second', editor);
    assert.deepEqual([status, out], [0, 'configmap/second edited\n'], err);
    const again = seen(editor, 2);
    assert.match(again, /^# Please edit .*\n(?:#.*\n)*# The edited file had a syntax error: line \d+/);
    assert.match(again, /^# my note$/m);
    assert.match(again, /a: x # why$/m);
    assert.equal(again.match(/Please edit/g)?.length, 1);
  });

  for (const format of ['yaml', 'json'])
    it(`an object that the server finds invalid is opened again with its causes, as ${format}`, async () => {
      const editor = scripted(
        `invalid-${format}`,
        `sed -i 's/"*replicas"*: 2/"replicas": -2/' "$1"`,
        `sed -i 's/"*replicas"*: -2/"replicas": 2/; s/"*paused"*: true/"paused": false/; s/"*minReadySeconds"*: 1/"minReadySeconds": 2/' "$1"`,
      );
      const { status, err } = await edit(`edit deployment edited -o ${format}`, editor);
      assert.equal(status, 0, err);
      assert.match(seen(editor, 2), /# deployments.apps "edited" was not valid:\n# \* spec.replicas: .*-2/);
      assert.match(err, /^error: deployments.apps "edited" is invalid\nEdit cancelled, no changes made\.\n$/);
    });

  it('a second failure without a change ends the edit, and the kept file is named and private', async () => {
    const { status, err } = await edit('edit cm second', 'sed -i s/^data:$/data:{/');
    assert.equal(status, 1);
    const [, path = ''] =
      /^A copy of your changes has been stored to "(.*)"\nerror: Edit cancelled, no valid changes were saved\.\n$/.exec(
        err,
      ) ?? [];
    assert.ok(existsSync(path), err);
    assert.match(readFileSync(path, 'utf8'), /^data:\{/m);
    assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  });

  it('a change of a list is refused after a concurrent write, with a file for another attempt', async () => {
    const kubectl = `kubectl --kubeconfig=${cluster.server.adminConfig} -n own`;
    const editor = scripted(
      'concurrent',
      `sed -i 's/image: .*/image: mine/' "$1"; ${kubectl} set image deployment/edited a=theirs >/dev/null`,
    );
    const { status, err } = await edit('edit deployment edited', editor);
    assert.equal(status, 1);
    assert.match(
      err,
      /could not be patched: .*\nYou can run `orchctl replace -f \S+` to try this update again\.\n$/,
    );
    const { text } = await cluster.server.client.get('/apis/apps/v1/namespaces/own/deployments/edited');
    assert.match(text, /"theirs"/);
  });

  it('a file without content cancels the edit', async () => {
    assert.deepEqual(await edit('edit cm first', 'sed -i d'), {
      status: 0,
      out: '',
      err: 'Edit cancelled, saved file was empty.\n',
    });
  });

  it('an object that was deleted meanwhile leaves a file with the edits', async () => {
    await cluster.orchctl(['create', 'configmap', 'gone', '--from-literal=a=b', '-n=own']);
    const deletion = `kubectl --kubeconfig=${cluster.server.adminConfig} delete cm gone -n own`;
    const editor = scripted('deleted', `sed -i 's/a: b/a: c/' "$1"; ${deletion} >/dev/null`);
    const { status, err } = await edit('edit cm gone', editor);
    assert.equal(status, 1);
    assert.match(
      err,
      /^error: configmaps "gone" could not be found on the server\nThe edits you made on deleted resources have been saved to "/,
    );
  });

  it('the examples of edit succeed', async () => {
    const { commands } = await import('@orch/orchctl');
    const examples = (await commands.find(({ name }) => name === 'edit')?.load?.())?.examples ?? [];
    assert.ok(examples.length > 0);
    for (const { line } of examples) {
      const argv = exampleArguments(line.replaceAll('web', 'edited').replaceAll('/app', '/first'));
      const { status, err } = await edit(argv.join(' '), 'true');
      assert.deepEqual([status, err], [0, 'Edit cancelled, no changes made.\n']);
    }
  });
});
