import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type LaunchedServer, launchServer } from '@orch/testkit';
import { packageTools, runtimes } from '@orch/testkit/package-tools';
import { entriesOutput } from './entries.ts';
import { programsOf, scriptOf, scriptsOf, writeCustomTypes } from './programs.ts';
import { unpackedProject } from './project.ts';

const tools = await packageTools();
const project = await unpackedProject(tools);
const name = project.nameOf('client');
const skip = 'missing' in tools ? tools.missing : false;

const testingName = project.nameOf('testing');

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
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
      scriptOf(readFileSync(join(project.folder, file), 'utf8'), 'esm'),
    ]);
    project.write({ ...scriptsOf(programs), ...Object.fromEntries(types) });
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
    assert.deepEqual(oldest, [`>=${runtimes[0]}`, `>=${runtimes[0]}`]);
  });

  it('a package needs no other one but types of Node', () => {
    for (const one of [name, testingName])
      assert.deepEqual(manifestOf(one).dependencies, { '@types/node': '*' }, one);
  });

  for (const one of [name, testingName])
    it(`the README of ${one} names each of its subpaths`, () => {
      const readme = readFileSync(join(project.package(one), 'README.md'), 'utf8');
      const subpaths = Object.keys(manifestOf(one).exports).filter(
        (path) => !['.', './package.json'].includes(path),
      );
      assert.deepEqual(
        subpaths.filter((path) => !readme.includes(`${one}${path.slice(1)}`)),
        [],
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
  });
});
