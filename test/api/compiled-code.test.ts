import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { tempDir } from '@orch/storage/testing';

const root = join(import.meta.dirname, '..', '..');

/** A copy of the programs, without what earlier processes have left. */
function installIn(folder: string): { readonly program: string; readonly cache: string } {
  const cache = join(folder, 'dist', 'compile-cache');
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  const isPart = (path: string): boolean => !path.endsWith('.map') && !path.includes('compile-cache');
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true, filter: isPart });
  for (const shared of ['scripts', 'node_modules']) symlinkSync(join(root, shared), join(folder, shared));
  return { program: join(folder, 'bin', 'orch-apiserver'), cache };
}

const help = async (program: string): Promise<{ readonly stdout: string; readonly stderr: string }> =>
  await promisify(execFile)(program, ['--help'], { env: { PATH: process.env['PATH'] } });

/** Returns a module of the programs and the files that it loads before it runs. */
function loadedBefore(name: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(join(root, 'dist', name), 'utf8');
  for (const [, other = ''] of text.matchAll(/(?<![\w$.])import\b[^;'"()]*["']\.\/([\w.-]+\.mjs)["']/g))
    loadedBefore(other, found);
  return found;
}

/** Smaller files cost little, whatever their characters are. */
const LARGE_BYTES = 100_000;

describe('the text of a program', () => {
  it('large files that every thread loads are ASCII, as the engine keeps other texts with two bytes for a character', () => {
    const texts = [...loadedBefore('serving-thread.mjs')]
      .map((name) => ({ name, bytes: readFileSync(join(root, 'dist', name)) }))
      .filter(({ bytes }) => bytes.length > LARGE_BYTES);
    assert.ok(texts.length > 2);
    const others = texts.filter(({ bytes }) => bytes.some((byte) => byte > 0x7f));
    assert.deepEqual(
      others.map(({ name }) => name),
      [],
    );
  });
});

describe('the compiled code of a program', () => {
  it('a process leaves its compiled code beside the programs', async () => {
    await using folder = await tempDir('orch-programs-');
    const { program, cache } = installIn(folder.path);
    assert.ok(!existsSync(cache));
    await help(program);
    const [one] = readdirSync(cache);
    assert.ok(one !== undefined && readdirSync(join(cache, one)).length > 10);
  });

  it('a program starts without a message where it cannot leave compiled code', async () => {
    await using folder = await tempDir('orch-programs-');
    const { program, cache } = installIn(folder.path);
    writeFileSync(cache, 'not a folder');
    const { stdout, stderr } = await help(program);
    assert.match(stdout, /--etcd-servers/);
    assert.equal(stderr, '');
  });
});
