import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { start, temporaryFolder } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..');
const START_MS = 180_000;

/** Writes the addresses of all modules that the process has loaded when it ends. */
const listing = (file: string): string => `
import { registerHooks } from 'node:module';
import { writeFileSync } from 'node:fs';
const loaded = new Set();
registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) });
process.on('exit', () => writeFileSync(${JSON.stringify(file)}, [...loaded].sort().join('\\n')));
`;

/** The modules of the project that a start of a server at a release loads, from the sources. */
async function loadedAt(release: string): Promise<readonly string[]> {
  using folder = temporaryFolder();
  const [file, hook] = ['loaded', 'hook.mjs'].map((name) => join(folder.path, name)) as [string, string];
  writeFileSync(hook, listing(file));
  const { NODE_OPTIONS: _options, ...env } = process.env;
  await using server = start(
    process.execPath,
    [
      `--import=${hook}`,
      '--disable-warning=ExperimentalWarning',
      join(root, 'packages/apiserver/src/main.ts'),
      '--naming=kubernetes',
      `--emulated-version=${release}`,
      `--data-dir=${join(folder.path, 'data')}`,
      `--cert-dir=${join(folder.path, 'certs')}`,
      '--bind-address=127.0.0.1',
      '--secure-port=0',
    ],
    { env },
  );
  await server.waitFor(/serving on/, START_MS);
  await server.stop('SIGTERM');
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((url) => url.includes('/packages/'));
}

it('a start at the newest release loads the modules that a start at 1.24 loads, and no others', async () => {
  const [earlier, latest] = await Promise.all([loadedAt('1.24'), loadedAt('latest')]);
  assert.ok(earlier.length > 1000, `${earlier.length} modules`);
  assert.deepEqual(latest, earlier);
});
