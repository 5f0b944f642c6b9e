import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { launchServer, run } from '@orch/testkit';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const program = join(dist, 'orchctl.cjs');
const folder = mkdtempSync(join(tmpdir(), 'orchctl-bundle-'));
after(() => rmSync(folder, { recursive: true }));

/** Modules of the runtime that take longer to load than a command without a server. */
const slow = ['crypto', 'http', 'http2', 'net', 'stream', 'tls', 'zlib'];

/** Prints, at the end of the process, the sections of the program and the modules of the runtime that it loaded. */
const printSections = `data:text/javascript,${encodeURIComponent(`
const before = new Set(process.moduleLoadList);
const vm = process.getBuiltinModule('node:vm');
const { writeSync } = process.getBuiltinModule('node:fs');
const texts = [];
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options);
    texts.push({ length: text.length, isCompiled: options.cachedData !== undefined && !this.cachedDataRejected, hasYaml: text.includes('resolveBlockScalar') });
  }
};
process.on('exit', () => writeSync(2, JSON.stringify({ texts, modules: process.moduleLoadList.filter((one) => !before.has(one)) })));`)}`;

interface Loaded {
  readonly texts: readonly {
    readonly length: number;
    readonly isCompiled: boolean;
    readonly hasYaml: boolean;
  }[];
  readonly modules: readonly string[];
}

/** Prints, at the end of the process, the modules of the runtime that the program loaded. */
const printLoaded = `data:text/javascript,${encodeURIComponent(`
const before = new Set(process.moduleLoadList);
const { writeSync } = process.getBuiltinModule('node:fs');
process.on('exit', () => writeSync(2, JSON.stringify(process.moduleLoadList.filter((one) => !before.has(one)))));`)}`;

describe('orchctl bundled into one file', () => {
  it('the bundled file works alone in a folder', async () => {
    const copy = join(folder, 'orchctl.cjs');
    copyFileSync(program, copy);
    const { code, stdout, stderr } = await run(process.execPath, [copy, 'version', '--client'], {
      cwd: folder,
    });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Client Version: v\d/);
    assert.deepEqual(readdirSync(folder), ['orchctl.cjs']);
  });

  it('a command without a server loads no slow module of the runtime', async () => {
    const argv = ['--import', printLoaded, program, 'version', '--client'];
    const { code, stderr } = await run(process.execPath, argv, { cwd: folder });
    assert.equal(code, 0);
    const loaded = JSON.parse(stderr) as readonly string[];
    assert.deepEqual(
      slow.filter((name) => loaded.includes(`NativeModule ${name}`)),
      [],
    );
  });

  it('"get" with a warm cache loads few pieces and modules, all of them compiled, and no YAML parser', async () => {
    await using server = await launchServer({ naming: 'kubernetes' });
    const environment = { ...process.env, HOME: folder, KUBECONFIG: server.adminConfig };
    const get = () =>
      run(
        process.execPath,
        ['--import', printSections, join(dist, 'orchctl-start.cjs'), 'get', 'namespaces'],
        {
          cwd: folder,
          env: environment,
        },
      );
    assert.equal((await get()).code, 0);
    const { code, stdout, stderr } = await get();
    assert.equal(code, 0);
    assert.match(stdout, /^kube-system +Active/m);
    const { texts, modules } = JSON.parse(stderr) as Loaded;
    const bytes = texts.reduce((sum, { length }) => sum + length, 0);
    assert.ok(bytes < 515_000, `${bytes} bytes of ${texts.length} pieces`);
    assert.ok(texts.length < 8, `${texts.length} pieces`);
    assert.ok(modules.length < 105, `${modules.length} modules of the runtime`);
    for (const unused of ['http', 'https', 'http2', 'zlib', 'tty', 'perf_hooks'])
      assert.ok(!modules.includes(`NativeModule ${unused}`), unused);
    assert.deepEqual(
      texts.filter(({ isCompiled, hasYaml }) => !isCompiled || hasYaml),
      [],
    );
  });

  it('the start next to the program finds authorities as Node itself does, with and without its own flags', async () => {
    await using server = await launchServer({ naming: 'kubernetes' });
    const config = join(folder, 'no-authority.conf');
    writeFileSync(
      config,
      readFileSync(server.adminConfig, 'utf8').replace(/^ *certificate-authority-data: .*\n/m, ''),
    );
    const authority = join(folder, 'authority.pem');
    writeFileSync(authority, server.config.ca ?? '');
    const start = join(dist, 'orchctl-start.cjs');
    for (const argv of [[start], ['--use-openssl-ca', start]]) {
      const get = (env: Record<string, string>) =>
        run(process.execPath, [...argv, 'get', 'namespaces', `--kubeconfig=${config}`], {
          cwd: folder,
          env: { HOME: folder, ...env },
        });
      const refused = await get({});
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /certificate/);
      const accepted = await get({ NODE_EXTRA_CA_CERTS: authority });
      assert.deepEqual([accepted.code, accepted.stderr], [0, ''], argv.join(' '));
    }
  });

  it('sections of the bundled file, compressed ones included, are loaded when a command needs them', async () => {
    const { stdout } = await run(process.execPath, [program, '--help'], { cwd: folder });
    const commands = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
    assert.ok(commands.length > 20, stdout);
    for (const name of ['explain', 'check', 'convert', 'get', 'config']) {
      assert.ok(commands.includes(name), name);
      const { code, stderr } = await run(process.execPath, [program, name, '--help'], { cwd: folder });
      assert.deepEqual([code, stderr], [0, ''], name);
    }
  });

  it('compiled code of another build is not used', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    copyFileSync(program, join(other, 'orchctl.cjs'));
    const name = readdirSync(dist).find((file) => file.endsWith('.cache'));
    assert.ok(name !== undefined, 'the build stores compiled code');
    assert.equal(name, `orchctl-${process.versions.v8}-${process.arch}.cache`);
    copyFileSync(join(dist, 'licenses.txt'), join(other, name));
    const { code, stdout, stderr } = await run(process.execPath, [join(other, 'orchctl.cjs'), 'options']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /--client-config/);
  });
});
