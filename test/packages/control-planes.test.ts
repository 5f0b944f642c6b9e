import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { start } from '@orch/testkit';
import { packageTools, runtimes } from '@orch/testkit/package-tools';
import { programsOf, scriptsOf } from './programs.ts';
import { unpackedProject, widgetDefinition } from './project.ts';

const tools = await packageTools();
const project = await unpackedProject(tools);
const name = project.nameOf('client');
const testingName = project.nameOf('testing');
const skip = 'missing' in tools ? tools.missing : false;

/** A test that is started by a test runs as one of its files otherwise. */
const outside = { NODE_TEST_CONTEXT: undefined };

const programs = programsOf(project);

const versionOf = (one: string): string => {
  const text = readFileSync(join(project.package(one), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
};

describe(`control planes of the package ${testingName} on each Node`, { skip, timeout: 900_000 }, () => {
  if ('missing' in tools) return;
  const path = (alias: string): string => tools.paths[alias] ?? '';

  before(() => project.write(scriptsOf(programs)));
  after(() => project[Symbol.dispose]());

  for (const version of [...runtimes, 'own'])
    it(`the test of the README and a program in CommonJS start control planes on Node ${version}`, async () => {
      const node = version === 'own' ? process.execPath : path(`node-${version}`);
      const tested = await project.run(node, ['--test', join('out', `${programs.testing[0]}.mjs`)], outside);
      assert.match(tested.stdout, /^. pass 1$/m, tested.stdout + tested.stderr);
      const { code, stdout, stderr } = await project.run(node, [join('out', 'plane.cjs')]);
      assert.deepEqual([code, stdout], [0, 'true kept\n'], stderr);
      assert.doesNotMatch(stderr, /MaxListeners/);
    });

  it('a control plane on Node 20, which has no zstd, refuses backups with the reason', async () => {
    project.write({
      'backup.mjs': `
import { createClient } from '${testingName}/client';
import { startControlPlane } from '${testingName}';
const plane = await startControlPlane({ controllers: false });
const request = { method: 'GET', target: '/storage/backup' };
console.log(await createClient(plane.config).raw(request).catch(({ code, message }) => code + ' ' + message));
await plane.stop();`,
    });
    const { stdout, stderr } = await project.run(path(`node-${runtimes[0]}`), ['backup.mjs']);
    assert.equal(stdout, '400 backups need Node 22.19 or newer, which compresses with zstd\n', stderr);
  });

  for (const version of [runtimes[0], 'own'])
    it(`all programs of the README of the testing package run to their end on Node ${version}`, async () => {
      const node = version === 'own' ? process.execPath : path(`node-${version}`);
      const rest = programs.testing.slice(1);
      // In one process, which loads the server once. The runner of the tests in it would keep an error to itself.
      const parts = rest.map(
        (one) => `await import('./out/${one}.mjs').catch(fail);\nconsole.log('ended', '${one}');\n`,
      );
      const fail = 'const fail = (error) => { console.error(error); process.exit(1); };\n';
      project.write({ 'all.mjs': fail + parts.join('') });
      const { code, stdout, stderr } = await project.run(node, ['all.mjs'], outside);
      const ended = stdout.match(/(?<=^ended )\S+$/gm) ?? [];
      assert.deepEqual([code, ended], [0, rest], stdout + stderr);
    });

  for (const version of [runtimes[0], 'own'])
    it(`the testing package installs the command orch dev, whose control plane other programs and orch-types use, on Node ${version}`, async () => {
      const node = version === 'own' ? process.execPath : path(`node-${version}`);
      project.write({
        'manifests/widgets.json': JSON.stringify(widgetDefinition()),
        'manifests/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n',
        'read.mjs': `
import { createClient, loadConfig } from '${name}';
const client = createClient(await loadConfig());
const { configmaps } = (await import('${name}')).builtinResources(client.names).core.v1;
console.log((await client.resource(configmaps, 'default').get('a')).metadata.name);`,
      });
      const orch = project.command(testingName, 'orch');
      const shown = await project.run(node, [orch, '--version']);
      assert.match(shown.stdout, new RegExp(`^orch dev ${versionOf(testingName).replaceAll('.', '\\.')}`));
      const file = join(project.folder, 'dev', 'admin.conf');
      const flags = ['--manifests=manifests', `--admin-config=${file}`, '--output=json'];
      const running = start(node, [orch, 'dev', ...flags], { cwd: project.folder });
      await using _stopped = running;
      await running.waitFor(/"event":"ready"/, 300_000);
      const read = await project.run(node, ['read.mjs'], { ['KUBECONFIG']: file });
      assert.deepEqual(read, { code: 0, stdout: 'a\n', stderr: '' });
      const types = await project.run(node, [project.command(name, 'orch-types'), 'cluster'], {
        KUBECONFIG: file,
      });
      assert.deepEqual([types.code, types.stderr], [0, '']);
      assert.match(types.stdout, /^export const widgets: TypedResource<Widget> = \{$/m);
      const { code } = await running.stop('SIGTERM');
      assert.equal(code, 0, running.output());
    });
});
