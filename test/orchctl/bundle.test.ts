import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { run } from '@orch/testkit';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const program = join(dist, 'orchctl.cjs');
const folder = mkdtempSync(join(tmpdir(), 'orchctl-bundle-'));
after(() => rmSync(folder, { recursive: true }));

/** Modules of the runtime that take longer to load than a command without a server. */
const slow = ['crypto', 'http', 'http2', 'net', 'stream', 'tls', 'zlib'];

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
