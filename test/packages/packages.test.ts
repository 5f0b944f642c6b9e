import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type LaunchedServer, launchServer, start } from '@orch/testkit';
import { publishedDefinitions } from '../custom-resources/published-definitions.ts';
import { entries, entriesOutput } from './entries.ts';
import {
  type compilers,
  packageTools,
  programsIn,
  runtimes,
  unpackedProject,
  widgetDefinition,
} from './project.ts';

const root = join(import.meta.dirname, '..', '..');
const ownCompiler = join(root, 'node_modules', '.bin', 'tsc');

const tools = await packageTools();
const project = await unpackedProject(tools);
const name = project.nameOf('client');
const skip = 'missing' in tools ? tools.missing : false;

const { imports, use } = entries(name);

/** A test that is started by a test runs as one of its files otherwise. */
const outside = { NODE_TEST_CONTEXT: undefined };

const testingName = project.nameOf('testing');
const controlPlane = `
import { builtinResources, createClient } from '${name}';
import { startControlPlane } from '${testingName}';
async function main(): Promise<void> {
  const plane = await startControlPlane({ controllers: false });
  const client = createClient(plane.config);
  const { items } = await client.resource(builtinResources(client.names).core.v1.namespaces).list();
  console.log(items.some(({ metadata }) => metadata.name === 'default'));
  await plane.stop();
}
void main();
`;

/** Definitions of published operators, where they can be had, and one of this test. */
const definitions = [
  widgetDefinition(),
  ...publishedDefinitions(['sigs.k8s.io/gateway-api@v1.3.0'])
    .map(({ definition }) => definition)
    .filter((definition) => /"plural":"(gateways|httproutes)"/.test(JSON.stringify(definition))),
];
const customTypes = `
import { createClient } from '${name}';
import { testClient } from '${name}/testing';
import { type Widget, validateWidget, widgets } from './types/widgets.example.com.js';

const widget: Widget = { metadata: { name: 'a' }, spec: { colour: 'red', size: 1 } };
const later: Widget = { metadata: { name: 'b' }, spec: { colour: 'violet', size: '10%' } };
const { client } = testClient();
const { kind, spec } = await client.resource(widgets, 'default').create(widget);
const read: 'Widget' = kind;
// @ts-expect-error The type of the field is another one.
const wrong: Widget = { metadata: {}, spec: { colour: 1, size: 1 } };
console.log(read, spec.colour, spec.count ?? 0, typeof createClient);
for (const object of [widget, later, wrong, { spec: {} }]) console.log(JSON.stringify(validateWidget(object)));
`;

describe(`the packages ${name} and ${testingName}`, { skip, timeout: 900_000 }, () => {
  if ('missing' in tools) return;
  const programs = programsIn(join(project.package(name), 'README.md'));
  const names = programs.map((_, i) => `readme-${i + 1}`);
  const compared = programsIn(join(root, 'docs', 'coming-from-other-clients.md'));
  const comparedNames = compared.map((_, i) => `compared-${i + 1}`);
  const testPrograms = programsIn(join(project.package(testingName), 'README.md'));
  const testNames = testPrograms.map((_, i) => `testing-readme-${i + 1}`);
  let server: LaunchedServer;
  const path = (alias: string): string => tools.paths[alias] ?? '';

  before(async () => {
    project.write({
      'entries.mts': imports + use,
      'entries.cts': imports + use,
      'plane.cts': controlPlane,
      'custom.mts': customTypes,
      'definitions.yaml': definitions.map((one) => JSON.stringify(one)).join('\n---\n'),
      ...Object.fromEntries(testPrograms.map((text, i) => [`${testNames[i]}.mts`, text])),
      ...Object.fromEntries(compared.map((text, i) => [`${comparedNames[i]}.mts`, text])),
      ...Object.fromEntries(programs.map((text, i) => [`${names[i]}.mts`, text])),
    });
    const types = project.command(name, 'orch-types');
    const written = await project.run(process.execPath, [types, 'definitions.yaml', '--output', 'types']);
    assert.equal(written.code, 0, written.stderr);
    server = await launchServer();
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    project[Symbol.dispose]();
  });

  /** The compilers with the ways in which they resolve modules, and `exactOptionalPropertyTypes`. */
  const compilations = [
    ['5.4', 'node16', true],
    ['5.9', 'bundler', false],
    ['own', 'nodenext', true],
  ] as const satisfies readonly (readonly [(typeof compilers)[number] | 'own', string, boolean])[];
  for (const [version, resolution, exact] of compilations)
    it(`programs compile with TypeScript ${version} and the resolution ${resolution}`, async () => {
      const [program, first] =
        version === 'own' ? [ownCompiler] : [process.execPath, path(`typescript-${version}`)];
      const module = resolution === 'bundler' ? 'esnext' : resolution;
      const flags = ['--strict', '--target', 'es2022', '--module', module, '--moduleResolution', resolution];
      const checks = [
        '--skipLibCheck',
        'false',
        // The libraries of a compiler are not those of the packages.
        '--skipDefaultLibCheck',
        '--exactOptionalPropertyTypes',
        String(exact),
        '--outDir',
        'out',
      ];
      const files = [...names, ...comparedNames, ...testNames, 'entries', 'custom'].map(
        (one) => `${one}.mts`,
      );
      files.push(...globSync('types/*.ts', { cwd: project.folder }));
      const common = resolution === 'bundler' ? [] : ['entries.cts', 'plane.cts'];
      const args = [...(first === undefined ? [] : [first]), ...flags, ...checks, ...files, ...common];
      const { code, stdout } = await project.run(program ?? '', args);
      assert.equal(`${code} ${stdout}`, '0 ');
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
      const { code, stdout, stderr } = await project.run(path('node-20'), [file]);
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
        names.slice(0, 2).map((one) => project.run(node, [join('out', `${one}.mjs`)], env)),
      );
      assert.deepEqual(first, { code: 0, stdout: "colours { sky: 'blue' }\n", stderr: '' });
      assert.match(
        second?.stdout ?? '',
        /^404 NotFound nothing\nrefused: .*"no\/name" cannot be part of a path\n$/,
      );
    });

  for (const version of ['22', 'own'] as const)
    it(`the test of the README and a program in CommonJS start control planes on Node ${version}`, async () => {
      const node = version === 'own' ? process.execPath : path(`node-${version}`);
      const tested = await project.run(node, ['--test', join('out', `${testNames[0]}.mjs`)], outside);
      assert.match(tested.stdout, /^. pass 1$/m, tested.stdout + tested.stderr);
      const { code, stdout, stderr } = await project.run(node, [join('out', 'plane.cjs')]);
      assert.deepEqual([code, stdout], [0, 'true\n'], stderr);
    });

  it('all programs of the README of the testing package run to their end', async () => {
    // In one process, which loads the server once.
    const parts = testNames
      .slice(1)
      .map((one) => `await import('./out/${one}.mjs');\nconsole.log('ended', '${one}');\n`);
    project.write({ 'all.mjs': parts.join('') });
    const { code, stdout, stderr } = await project.run(process.execPath, ['all.mjs'], outside);
    const ended = stdout.match(/(?<=^ended )\S+$/gm) ?? [];
    assert.deepEqual([code, ended], [0, testNames.slice(1)], stdout + stderr);
  });

  it('the testing package installs the command orch dev, whose control plane other programs use', async () => {
    project.write({
      'manifests/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n',
      'read.mjs': `
import { createClient, loadConfig } from '${name}';
const client = createClient(await loadConfig());
const { configmaps } = (await import('${name}')).builtinResources(client.names).core.v1;
console.log((await client.resource(configmaps, 'default').get('a')).metadata.name);`,
    });
    const orch = project.command(testingName, 'orch');
    const { version } = JSON.parse(readFileSync(join(project.package(testingName), 'package.json'), 'utf8'));
    const shown = await project.run(process.execPath, [orch, '--version']);
    assert.match(shown.stdout, new RegExp(`^orch dev ${version.replaceAll('.', '\\.')}`));
    const file = join(project.folder, 'dev', 'admin.conf');
    const flags = ['--manifests=manifests', `--admin-config=${file}`, '--output=json'];
    const running = start(process.execPath, [orch, 'dev', ...flags], { cwd: project.folder });
    await using _stopped = running;
    await running.waitFor(/"event":"ready"/, 60_000);
    const read = await project.run(process.execPath, ['read.mjs'], { ['KUBECONFIG']: file });
    assert.deepEqual(read, { code: 0, stdout: 'a\n', stderr: '' });
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
    const manifest = JSON.parse(text('package.json')) as Record<string, unknown>;
    assert.deepEqual(manifest['dependencies'], { '@types/node': '*' });
  });
});
