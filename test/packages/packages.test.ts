import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type LaunchedServer, launchServer, start } from '@orch/testkit';
import { packageTools, runtimes } from '@orch/testkit/package-tools';
import { transformSync } from 'esbuild';
import { entriesOutput } from './entries.ts';
import { programsOf, writeCustomTypes } from './programs.ts';
import { unpackedProject, widgetDefinition } from './project.ts';

const tools = await packageTools();
const project = await unpackedProject(tools);
const name = project.nameOf('client');
const skip = 'missing' in tools ? tools.missing : false;

/** A test that is started by a test runs as one of its files otherwise. */
const outside = { NODE_TEST_CONTEXT: undefined };

const testingName = project.nameOf('testing');

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
}
const manifestOf = (one: string): Manifest =>
  JSON.parse(readFileSync(join(project.package(one), 'package.json'), 'utf8')) as Manifest;

const programs = programsOf(project);

describe(`the packages ${name} and ${testingName}`, { skip, timeout: 900_000 }, () => {
  if ('missing' in tools) return;
  let server: LaunchedServer;
  const path = (alias: string): string => tools.paths[alias] ?? '';

  before(async () => {
    await writeCustomTypes(project);
    const types = globSync('types/*.ts', { cwd: project.folder }).map((file) => [
      `out/${file.replace(/\.ts$/, '.js')}`,
      readFileSync(join(project.folder, file), 'utf8'),
    ]);
    project.write(
      Object.fromEntries([
        ...[...named(programs.modules, '.mjs'), ...types].map(([file, text = '']) => [
          file,
          scriptOf(text, 'esm'),
        ]),
        ...named(programs.commons, '.cjs').map(([file, text]) => [file, scriptOf(text, 'cjs')]),
      ]),
    );
    server = await launchServer();
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    project[Symbol.dispose]();
  });

  for (const version of [...runtimes, 'own'])
    it(`modules and CommonJS run on Node ${version}`, async () => {
      const node = version === 'own' ? process.execPath : path(`node-${version}`);
      for (const file of ['entries.mjs', 'entries.cjs']) {
        const { code, stdout, stderr } = await project.run(node, [join('out', file)]);
        assert.deepEqual([file, code, stdout, stderr], [file, 0, entriesOutput, '']);
      }
    });

  it('the testing package can be imported on Node 20, and the start of a control plane says that it needs a newer one', async () => {
    const start = "startControlPlane().catch(({ message }) => console.log(message.split(';')[0]));";
    project.write({
      'old.mjs': `import { startControlPlane } from '${testingName}';\n${start}`,
      'old.cjs': `const { startControlPlane } = require('${testingName}');\n${start}`,
    });
    for (const file of ['old.mjs', 'old.cjs']) {
      const { code, stdout, stderr } = await project.run(path('node-20.18.0'), [file]);
      assert.deepEqual([code, stdout, stderr], [0, 'a control plane needs Node 22.19 or newer\n', ''], file);
    }
  });

  it('validators that orch-types has written name the fields that a server would refuse', async () => {
    const { code, stdout, stderr } = await project.run(process.execPath, [join('out', 'custom.mjs')]);
    const lines = [
      'Widget red 0 function',
      '[]',
      '[{"path":"spec.colour","message":"must be one of \\"red\\", \\"blue\\""}]',
      '[{"path":"spec.colour","message":"must be a string"},{"path":"spec.colour","message":"must be one of \\"red\\", \\"blue\\""}]',
      '[{"path":"spec.colour","message":"is required"},{"path":"spec.size","message":"is required"}]',
    ];
    assert.deepEqual([code, stdout.trimEnd().split('\n'), stderr], [0, lines, '']);
  });

  for (const version of [...runtimes, 'own'])
    it(`the programs of the README run against a server on Node ${version}`, async () => {
      const node = version === 'own' ? process.execPath : path(`node-${version}`);
      const env = { ['KUBECONFIG']: server.adminConfig, ['ORCHCONFIG']: '' };
      const [first, second] = await Promise.all(
        programs.readme.slice(0, 2).map((one) => project.run(node, [join('out', `${one}.mjs`)], env)),
      );
      assert.deepEqual(first, { code: 0, stdout: "colours { sky: 'blue' }\n", stderr: '' });
      assert.match(
        second?.stdout ?? '',
        /^404 NotFound nothing\nrefused: .*"no\/name" cannot be part of a path\n$/,
      );
    });

  for (const version of ['22.19.0', 'own'] as const)
    it(`the test of the README and a program in CommonJS start control planes on Node ${version}`, async () => {
      const node = version === 'own' ? process.execPath : path(`node-${version}`);
      const tested = await project.run(node, ['--test', join('out', `${programs.testing[0]}.mjs`)], outside);
      assert.match(tested.stdout, /^. pass 1$/m, tested.stdout + tested.stderr);
      const { code, stdout, stderr } = await project.run(node, [join('out', 'plane.cjs')]);
      assert.deepEqual([code, stdout], [0, 'true\n'], stderr);
    });

  it('all programs of the README of the testing package run to their end', async () => {
    const rest = programs.testing.slice(1);
    // In one process, which loads the server once. The runner of the tests in it would keep an error to itself.
    const parts = rest.map(
      (one) => `await import('./out/${one}.mjs').catch(fail);\nconsole.log('ended', '${one}');\n`,
    );
    const fail = 'const fail = (error) => { console.error(error); process.exit(1); };\n';
    project.write({ 'all.mjs': fail + parts.join('') });
    const { code, stdout, stderr } = await project.run(process.execPath, ['all.mjs'], outside);
    const ended = stdout.match(/(?<=^ended )\S+$/gm) ?? [];
    assert.deepEqual([code, ended], [0, rest], stdout + stderr);
  });

  it('the testing package installs the command orch dev, whose control plane other programs and orch-types use', async () => {
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
    const { version } = manifestOf(testingName);
    const shown = await project.run(process.execPath, [orch, '--version']);
    assert.match(shown.stdout, new RegExp(`^orch dev ${version.replaceAll('.', '\\.')}`));
    const file = join(project.folder, 'dev', 'admin.conf');
    const flags = ['--manifests=manifests', `--admin-config=${file}`, '--output=json'];
    const running = start(process.execPath, [orch, 'dev', ...flags], { cwd: project.folder });
    await using _stopped = running;
    await running.waitFor(/"event":"ready"/, 60_000);
    const read = await project.run(process.execPath, ['read.mjs'], { ['KUBECONFIG']: file });
    assert.deepEqual(read, { code: 0, stdout: 'a\n', stderr: '' });
    const types = await project.run(process.execPath, [project.command(name, 'orch-types'), 'cluster'], {
      KUBECONFIG: file,
    });
    assert.deepEqual([types.code, types.stderr], [0, '']);
    assert.match(types.stdout, /^export const widgets: TypedResource<Widget> = \{$/m);
    const { code } = await running.stop('SIGTERM');
    assert.equal(code, 0, running.output());
  });

  for (const one of [name, testingName])
    it(`the package ${one} contains no test, no source and no reference to a source map`, () => {
      const files = globSync('**/*', { cwd: project.package(one) });
      const foreign = files.filter((file) => /\.test\.|\.map$|(?<!\.d)\.[cm]?ts$/.test(file));
      assert.deepEqual(foreign, []);
      for (const file of files.filter((one) => one.endsWith('.js')))
        assert.doesNotMatch(
          readFileSync(join(project.package(one), file), 'utf8'),
          /^\/\/# sourceMappingURL/m,
          file,
        );
    });

  it('the oldest Node that a package names is one that its programs run on here', () => {
    const oldest = [name, testingName].map((one) => manifestOf(one).engines.node);
    assert.deepEqual(oldest, [`>=${runtimes[0]}`, `>=${runtimes[1]}`]);
  });

  it('a package needs no other one but types of Node', () => {
    for (const one of [name, testingName])
      assert.deepEqual(manifestOf(one).dependencies, { '@types/node': '*' }, one);
  });

  it('the client package contains its README, its changelog and every licence', () => {
    const text = (file: string): string => readFileSync(join(project.package(name), file), 'utf8');
    assert.match(text('LICENSE'), /Apache License/);
    assert.match(text('CHANGELOG.md'), /^# Changelog/);
    for (const bundled of ['yaml', 'js-yaml', 'ipaddr.js'])
      assert.match(text('licenses.txt'), new RegExp(`^${bundled} `, 'm'));
    for (const page of ['index', 'browser', 'extension-server', 'login', 'resources', 'testing', 'webhooks'])
      assert.match(text(`reference/${page}.md`), /^# @[^\n]*\n\n## Functions\n\n### \w+\n\n\w/, page);
    assert.match(
      text('reference/index.md'),
      /^### loadConfig\n\nFinds the server .*?```ts\nfunction loadConfig\(/ms,
    );
  });
});

const named = (texts: Readonly<Record<string, string>>, ending: string): (readonly [string, string])[] =>
  Object.entries(texts).map(([name, text]) => [`out/${name}${ending}`, text]);

/** A program without its types, which `declarations.test.ts` checks. */
const scriptOf = (text: string, format: 'esm' | 'cjs'): string =>
  transformSync(text, { loader: 'ts', format, target: 'es2022' }).code;
