import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { run, temporaryFolder } from '@orch/testkit';
import { copyBuildContext } from './build-context.ts';
import { Builder, type BuiltImage } from './builder.ts';
import { Container } from './container.ts';
import { execForm, lastOf } from './dockerfile.ts';
import { fileSystemObstacle } from './obstacle.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const facts = { VERSION: '0.1.0', REVISION: 'c0ffee', CREATED: '2026-11-23T12:00:00+01:00' };
const programs = ['orch', 'orch-apiserver', 'orch-controller-manager', 'orchctl'];
const MEBIBYTE = 2 ** 20;

interface SpdxDocument {
  readonly packages: readonly {
    readonly name: string;
    readonly versionInfo: string;
    readonly licenseDeclared: string;
  }[];
}

describe('the image, its Dockerfile carried out without a builder', {
  skip: fileSystemObstacle('npm'),
}, () => {
  const folder = temporaryFolder();
  const builder = new Builder(join(folder.path, 'context'), folder.path, facts);
  let image: BuiltImage;

  before(async () => {
    copyBuildContext(root, join(folder.path, 'context'));
    image = await builder.build(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  });
  after(() => folder[Symbol.dispose]());

  const files = (): readonly string[] =>
    globSync('**', { cwd: image.files.path('/opt/orch') }).filter((path) =>
      statSync(join(image.files.path('/opt/orch'), path)).isFile(),
    );
  const text = (path: string): string => readFileSync(join(image.files.path('/opt/orch'), path), 'utf8');
  const bill = (): SpdxDocument => JSON.parse(text('dist/sbom.spdx.json')) as SpdxDocument;

  it('the image contains the programs, their licences and nothing else: no source, source map or test', () => {
    const expected = [
      ...programs.map((name) => `bin/${name}`),
      'healthcheck.mjs',
      'LICENSE',
      'package.json',
      'scripts/node',
    ];
    const others = files().filter((path) => !path.startsWith('dist/'));
    assert.deepEqual([...others].sort(), expected.sort());
    const built = files().filter((path) => path.startsWith('dist/'));
    const unknown = built.filter(
      (path) => !/\.[cm]js$|\.LEGAL\.txt$|^dist\/(licenses\.txt|sbom\.spdx\.json)$/.test(path),
    );
    assert.deepEqual(unknown, []);
    assert.ok(built.every((path) => !text(path).includes('sourceMappingURL')));
    assert.deepEqual(globSync('usr/local/{lib,include}/**', { cwd: image.files.root }), []);
  });

  it('the image is small: the programs take less than 11.5 MiB besides Node', () => {
    const bytes = files().reduce(
      (sum, path) => sum + statSync(join(image.files.path('/opt/orch'), path)).size,
      0,
    );
    assert.ok(bytes < 11.5 * MEBIBYTE, `${bytes} bytes`);
  });

  it('the bill of materials lists each bundled package, and its licence is in the image', () => {
    const licenses = text('dist/licenses.txt');
    const bundled = bill().packages.filter(({ name }) => name !== 'orch');
    const known = [
      'jose',
      'yaml',
      'express',
      'prom-client',
      're2js',
      'ipaddr.js',
      '@noble/ciphers',
      '@opentelemetry/api',
    ];
    const names = bundled.map(({ name }) => name);
    assert.deepEqual(
      known.filter((name) => !names.includes(name)),
      [],
    );
    for (const { name, versionInfo, licenseDeclared } of bundled)
      assert.ok(
        licenses.includes(`\n${name} ${versionInfo} (${licenseDeclared})\n`),
        `${name} ${versionInfo}`,
      );
    // Licences that require more than their text and the copyright notice need a decision first.
    const permitted = ['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0'];
    assert.deepEqual(
      bundled.filter((each) => !permitted.includes(each.licenseDeclared)),
      [],
    );
  });

  it('installed dependencies depend on manifests and the lock file only, and checks and tests are not installed', () => {
    const manifests = builder.stage('manifests').files.path('/src');
    const kept = globSync('**', { cwd: manifests }).filter((path) =>
      statSync(join(manifests, path)).isFile(),
    );
    assert.ok(kept.length > 20);
    assert.deepEqual(
      kept.filter((path) => !/^(package(-lock)?|packages\/[\w-]+\/package)\.json$/.test(path)),
      [],
    );
    const installed = globSync('*', { cwd: builder.stage('dependencies').files.path('/src/node_modules') });
    assert.deepEqual(
      ['typescript', 'fast-check', 'oidc-provider'].filter((name) => installed.includes(name)),
      [],
    );
  });

  it('the API server runs as another user than root, on a file system for reading only, and is healthy', async () => {
    const { stage } = image;
    const argv = [...execForm(lastOf(stage, 'ENTRYPOINT')), ...execForm(lastOf(stage, 'CMD'))];
    await using server = Container.start(image, join(folder.path, 'volume'), argv);
    await server.process.waitFor(/serving on https/, 30_000);

    const health = execForm(lastOf(stage, 'HEALTHCHECK').replace(/^.*CMD /, ''));
    const healthy = await server.exec(...health);
    assert.equal(healthy.code, 0, healthy.stderr);
    const elsewhere = await server.exec(...health, 'http://127.0.0.1:8081/livez');
    assert.equal(elsewhere.code, 1);
    assert.match(elsewhere.stderr, /8081\/livez: connect ECONNREFUSED/);

    const id = await server.exec('id', '-u');
    assert.equal(id.stdout.trim(), '65532');
    for (const path of ['/opt/orch/dist/x', '/usr/local/bin/x', '/etc/x', '/tmp/x'])
      assert.match((await server.exec('touch', path)).stderr, /Read-only file system/, path);
    assert.equal((await server.exec('test', '-f', 'certs/admin.conf')).code, 0);

    assert.deepEqual(await server.process.stop(), { code: 0, signal: null });
  });

  it('each program says its version, and servers the commit that they were built from', async () => {
    const versionOf = async (command: string): Promise<string> => {
      const script = `chroot ${image.files.root} /opt/orch/bin/${command}`;
      const [program = '', ...args] = image.files.chrooted(script);
      const { stdout, stderr } = await run(program, args);
      return stdout + stderr;
    };
    const [client = '', ...servers] = programs.toReversed();
    for (const name of servers)
      assert.equal(await versionOf(`${name} --version`), `${name} 0.1.0 (${facts.REVISION})\n`);
    assert.match(await versionOf(`${client} version --client`), /0\.1\.0/);
  });
});
