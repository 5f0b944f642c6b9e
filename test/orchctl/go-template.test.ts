import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findKubectls } from '@orch/testkit';
import { type CommandCluster, commandCluster } from './cluster.ts';
import { goTemplates } from './go-templates.ts';

const hasKubectl = (await findKubectls(join(import.meta.dirname, '..', '..'))).length > 0;

const manifest = `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
  labels: {app.kubernetes.io/name: web, z: "1"}
  finalizers: [a.example.com/x, b.example.com/x]
data: {a: one, b: two, b64: aGVsbG8=, num: "5"}
`;

describe('Go templates of orchctl', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes');
    writeFileSync(join(cluster.folder, 'map.yaml'), manifest);
    assert.equal((await cluster.orchctl(['apply', '-f', 'map.yaml'])).status, 0);
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  const get = (template: string) => ['get', 'configmap', 'web', '-o', `go-template=${template}`];

  for (const [template, expected] of goTemplates)
    it(`the template ${JSON.stringify(template)} prints its recorded answer`, async () => {
      const { status, out, err } = await cluster.orchctl(get(template));
      assert.deepEqual(
        { status, text: status === 0 ? out : err },
        { status: expected.status, text: expected.text },
      );
    });

  it('templates print what kubectl printed in recorded runs', {
    skip: !hasKubectl && 'needs kubectl',
  }, async () => {
    for (const [template, expected] of goTemplates) {
      const { status, out, err } = await cluster.kubectl(get(template));
      assert.deepEqual(
        { status, text: status === 0 ? out : err },
        { status: expected.status, text: expected.text },
        template,
      );
    }
  });

  const strict: readonly (readonly [line: string, status: number])[] = [
    ['get cm web -o go-template={{.data.missing}}', 1],
    ['get cm web -o go-template={{.data.a}}', 0],
    ['get cm web -o jsonpath={.data.missing}', 1],
    ['get cm web -o jsonpath={.data.a}', 0],
    ['get cm web -o jsonpath-as-json={.data.missing}', 1],
    ['get cm -o jsonpath={.items[*].missing}', 1],
    ['get cm -o jsonpath={range@.items[*]}{.missing}{end}', 1],
    ['label cm web l=1 --overwrite -o jsonpath={.data.missing}', 1],
    ['create cm new --dry-run=client -o go-template={{.data}}', 1],
  ];

  for (const [line, expected] of strict)
    it(`"${line}" tells a missing field with --allow-missing-template-keys=false, and prints nothing of it without`, async () => {
      const argv = line.split(' ');
      const own = await cluster.orchctl([...argv, '--allow-missing-template-keys=false']);
      assert.equal(own.status, expected, own.err);
      if (expected === 1) assert.match(own.err, /missing|not found|no entry/);
      assert.equal((await cluster.orchctl(argv)).status, 0);
      if (!hasKubectl) return;
      const other = await cluster.kubectl([...argv, '--allow-missing-template-keys=false']);
      assert.deepEqual(
        [own.status, own.status === 0 ? own.out : ''],
        [other.status, other.status === 0 ? other.out : ''],
      );
    });

  it('a template is read from a file, and applies to lists and to results of writes', async () => {
    writeFileSync(join(cluster.folder, 'names.tmpl'), '{{range .items}}{{.metadata.name}}\n{{end}}');
    const listed = await cluster.orchctl(['get', 'configmaps', '-o', 'go-template-file=names.tmpl']);
    assert.match(listed.out, /^web$/m);
    const written = await cluster.orchctl([
      'label',
      'cm',
      'web',
      'q=1',
      '-o',
      'go-template={{.metadata.labels.q}}',
    ]);
    assert.deepEqual(written, { status: 0, out: '1', err: '' });
  });

  it('the flag --template gives the template of the formats that take one', async () => {
    for (const argv of [
      ['--template={{.kind}}'],
      ['-o', 'go-template', '--template={{.kind}}'],
      ['-o', 'jsonpath', '--template={.kind}'],
    ])
      assert.deepEqual(await cluster.orchctl(['get', 'cm', 'web', ...argv]), {
        status: 0,
        out: 'ConfigMap',
        err: '',
      });
  });

  it('templates that use themselves, and parentheses without end, are refused', async () => {
    const looping = await cluster.orchctl(get('{{define "r"}}{{template "r"}}{{end}}{{template "r"}}'));
    assert.equal(looping.status, 1);
    assert.match(looping.err, /exceeded maximum template depth/);
    const nested = await cluster.orchctl(get(`{{${'('.repeat(5000)}1${')'.repeat(5000)}}}`));
    assert.equal(nested.status, 1);
    assert.match(nested.err, /nested too deeply/);
  });
});
