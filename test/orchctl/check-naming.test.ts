import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Naming, namesFor } from '@orch/machinery';
import { runCommandLine } from '@orch/orchctl/testing';
import { type CommandCluster, commandCluster } from './cluster.ts';

const ingress =
  'apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: web}\nspec: {backend: {serviceName: web, servicePort: http}}\n';
const annotated = ingress.replace(
  '{name: web}',
  '{name: web, annotations: {"kubernetes.io/ingress.class": nginx}}',
);
const leaseOf = (naming: Naming): string =>
  `apiVersion: ${namesFor(naming).apiVersion('coordination', 'v1')}\nkind: Lease\nmetadata: {name: a}\n`;
const versionIn = (naming: Naming): string => namesFor(naming).apiVersion('networking', 'v1');

/** Files without a hint on the command line, and the naming that tells. */
const cases: readonly [string, { text: string; other?: string; server?: Naming; naming: Naming }][] = [
  ['no sign of a naming', { text: ingress, naming: 'kubernetes' }],
  [
    'an object with a group of Kubernetes',
    { text: `${leaseOf('kubernetes')}---\n${ingress}`, naming: 'kubernetes' },
  ],
  ['an object with a group of this project', { text: `${leaseOf('orch')}---\n${ingress}`, naming: 'orch' }],
  ['an annotation of Kubernetes', { text: annotated, naming: 'kubernetes' }],
  ['another file with a group of this project', { text: ingress, other: leaseOf('orch'), naming: 'orch' }],
  ['a configured server of this project', { text: ingress, server: 'orch', naming: 'orch' }],
  ['a configured server of Kubernetes', { text: ingress, server: 'kubernetes', naming: 'kubernetes' }],
  [
    'a configured server that is preferred to other files',
    { text: ingress, other: leaseOf('kubernetes'), server: 'orch', naming: 'orch' },
  ],
  [
    'objects of Kubernetes in the file, whatever the server serves',
    { text: `${ingress}---\n${leaseOf('kubernetes')}`, server: 'orch', naming: 'kubernetes' },
  ],
];

describe('Naming of converted objects', () => {
  let folder: string;
  const clusters = new Map<Naming, CommandCluster>();
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'orchctl-naming-'));
    for (const naming of ['orch', 'kubernetes'] as const) clusters.set(naming, await commandCluster(naming));
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    for (const cluster of clusters.values()) await cluster[Symbol.asyncDispose]();
  });

  for (const [sign, { text, other, server, naming }] of cases)
    it(`"convert" and "check --fix" follow ${sign}`, async () => {
      const files = other === undefined ? ['a.yaml'] : ['a.yaml', 'b.yaml'];
      writeFileSync(join(folder, 'a.yaml'), text);
      writeFileSync(join(folder, 'b.yaml'), other ?? '');
      const cluster = server === undefined ? undefined : clusters.get(server);
      const run = (...argv: string[]) =>
        cluster === undefined ? runCommandLine(argv, { folder }) : cluster.orchctl(argv, { folder });
      const converted = await run('convert', ...files.flatMap((file) => ['-f', file]));
      assert.deepEqual([converted.status, converted.err], [0, '']);
      assert.ok(converted.out.includes(`apiVersion: ${versionIn(naming)}\nkind: Ingress`), converted.out);
      assert.equal((await run('check', '--from=1.21', '--to=1.25', '--fix', ...files)).status, 0);
      const fixed = readFileSync(join(folder, 'a.yaml'), 'utf8');
      assert.ok(fixed.includes(`apiVersion: ${versionIn(naming)}\nkind: Ingress`), fixed);
    });

  it('a server that does not answer does not keep "convert" from its work', async () => {
    writeFileSync(join(folder, 'a.yaml'), ingress);
    const { status, out } = await runCommandLine(['convert', '-f', 'a.yaml', '--server=http://127.0.0.1:1'], {
      folder,
    });
    assert.equal(status, 0);
    assert.ok(out.startsWith(`apiVersion: ${versionIn('kubernetes')}\n`), out);
  });
});
