import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type LaunchedServer, launchServer, run, temporaryFolder } from '@orch/testkit';
import { executableFolder } from '@orch/testkit/orchctl-executable';
import { executable, runBuilt } from './programs.ts';

const [path = ''] = executable.argv;

/** Files of the runtime that would change a program that reads them; `MODULE` is a module that leaves a mark. */
const hostile: Readonly<Record<string, string>> = {
  '.env': 'BUN_OPTIONS=--preload=MODULE\nORCHCONFIG=/nowhere\nHTTPS_PROXY=http://127.0.0.1:1\n',
  '.env.local': 'ORCHCONFIG=/nowhere\nHTTPS_PROXY=http://127.0.0.1:1\n',
  '.env.production': 'ORCHCONFIG=/nowhere\n',
  'bunfig.toml': 'preload = ["MODULE"]\n[run]\npreload = ["MODULE"]\n',
  '.bunfig.toml': 'preload = ["MODULE"]\n',
  'package.json': '{"type": "commonjs", "imports": {"#a": "./mark.cjs"}, "exports": "./mark.cjs"}',
  'tsconfig.json': '{"extends": "./none.json", "compilerOptions": {"paths": {"*": ["MODULE"]}}}',
  'node_modules/yaml/index.js': 'require("MODULE")',
  'node_modules/ws/index.js': 'require("MODULE")',
};

describe('the executable of orchctl', { skip: executable.skip, timeout: 60_000 }, () => {
  const folder = temporaryFolder();
  const module = join(folder.path, 'mark.cjs');
  const mark = join(folder.path, 'mark');
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer({ naming: 'orch' });
    writeFileSync(module, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, 'loaded');`);
    for (const [name, text] of Object.entries(hostile)) {
      mkdirSync(join(folder.path, name, '..'), { recursive: true });
      writeFileSync(join(folder.path, name), text.replaceAll('MODULE', module));
    }
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  async function assertUnchanged(argv: readonly string[], env: Readonly<Record<string, string>>) {
    const usual = { ORCHCONFIG: server.adminConfig };
    const list = await runBuilt(executable, argv, { folder: folder.path, env: { ...usual, ...env } });
    assert.deepEqual([list.code, list.stderr], [0, '']);
    assert.match(list.stdout, /^namespace\/default$/m);
    assert.equal(existsSync(mark), false, 'a module of others was loaded');
  }
  const get = ['get', 'namespaces', '-o', 'name'];

  it('files of the runtime in the current folder and the home folder change nothing', async () => {
    await assertUnchanged(get, {});
    await assertUnchanged(get, {
      XDG_CONFIG_HOME: folder.path,
      NODE_PATH: join(folder.path, 'node_modules'),
    });
  });

  for (const [name, value] of [
    ['BUN_OPTIONS', '--preload=MODULE'],
    ['BUN_OPTIONS', '--config=FOLDER/bunfig.toml'],
    ['BUN_OPTIONS', '--version'],
    ['BUN_BE_BUN', '1'],
    ['BUN_INSPECT', 'ws://127.0.0.1:0/'],
    ['BUN_INSPECT_PRELOAD', 'MODULE'],
    ['BUN_BYTECODE_ORDER_OUT', 'FOLDER/mark'],
    ['BUN_BYTECODE_DIGEST_OUT', 'FOLDER/mark'],
    ['BUN_RUNTIME_TRANSPILER_CACHE_PATH', 'FOLDER/mark'],
    ['BUN_CONFIG_VERBOSE_FETCH', 'curl'],
    ['NODE_OPTIONS', '--require=MODULE'],
    ['NODE_V8_COVERAGE', 'FOLDER/mark'],
    ['NODE_TLS_REJECT_UNAUTHORIZED', '0'],
  ] as const)
    it(`the variable ${name}=${value} of the runtime changes nothing`, () =>
      assertUnchanged(get, {
        // With this one, the runtime prints a warning and verifies nevertheless.
        ...(name === 'NODE_TLS_REJECT_UNAUTHORIZED' ? { NODE_NO_WARNINGS: '1' } : {}),
        [name]: value.replace('MODULE', module).replace('FOLDER', folder.path),
      }));

  it('what looks like an option of the runtime is an argument of the program', async () => {
    for (const flag of [`--preload=${module}`, '--eval=1', '-e', '--inspect', '--smol']) {
      const { code, stdout } = await runBuilt(executable, [flag, 'version'], { folder: folder.path });
      assert.deepEqual([code, stdout], [2, ''], flag);
    }
    assert.equal(existsSync(mark), false, 'a module of others was loaded');
  });

  it('licences and a bill of materials that name the runtime are next to the executable', () => {
    const licenses = readFileSync(join(executableFolder, 'licenses.txt'), 'utf8');
    assert.match(licenses, /^bun \d+\.\d+\.\d+ \(MIT AND LGPL-2\.1-or-later\)$/m);
    assert.match(licenses, /GNU LESSER GENERAL PUBLIC LICENSE/);
    const { packages } = JSON.parse(readFileSync(join(executableFolder, 'sbom.spdx.json'), 'utf8')) as {
      readonly packages: readonly { readonly name: string }[];
    };
    const names = packages.map(({ name }) => name);
    for (const name of ['orch', 'bun', 'yaml']) assert.ok(names.includes(name), name);
    assert.equal(names.includes('jose'), false, 'only what is in the executable');
  });
});

// By its own option: a run without the executable reports this test as skipped, with the reason, for all that need it.
it('the executable works alone, without Node on the path', { skip: executable.skip }, async () => {
  const { code, stdout, stderr } = await run('env', ['-i', 'PATH=/none', path, 'version', '--client'], {
    cwd: '/',
  });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^Client Version: v\d/);
});
