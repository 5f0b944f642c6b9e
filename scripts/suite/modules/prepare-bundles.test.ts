import { deepEqual, equal, match, notEqual, throws } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { deferred } from '@orch/machinery/concurrency';
import { BUNDLES_VARIABLE, type BundleTable, nameInBundle } from './bundle-table.ts';
import { prepareBundles } from './prepare-bundles.ts';
import { withSourcePositions } from './source-positions.ts';

const sources = {
  'packages/a/package.json': JSON.stringify({ name: '@orch/a', exports: { '.': './src/index.ts' } }),
  'packages/a/src/index.ts': `export { fail } from './fail.ts';
export { address, folder } from './address.ts';`,
  'packages/a/src/fail.ts': `// A comment.

export function fail(reason: string): never {
  throw new Error(reason);
}`,
  'packages/a/src/address.ts': `export const address = import.meta.url;
export const folder: string = import.meta.dirname;`,
  'packages/a/src/index.test.ts': `throw new Error('tests are not bundled');`,
};

/** A checkout with one package. */
function checkout() {
  const root = mkdtempSync(join(tmpdir(), 'orch-bundles-'));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const [file, text] of Object.entries(sources)) write(file, text);
  return { root, write, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

const readTable = (path: string): BundleTable => JSON.parse(readFileSync(path, 'utf8'));

describe('bundles of the modules of packages', () => {
  it('modules that are loaded together are in one bundle, with the addresses of their sources', async () => {
    using tree = checkout();
    const table = readTable(await prepareBundles(tree.root));
    const path = 'packages/a/src/address.ts';
    deepEqual(Object.keys(table).sort(), [path, 'packages/a/src/fail.ts', 'packages/a/src/index.ts']);
    equal(new Set(Object.values(table).map(({ bundle }) => bundle)).size, 1);
    const { bundle, index, names } = table[path] ?? { bundle: '', index: 0, names: [] };
    deepEqual([...names].sort(), ['address', 'folder']);
    const loaded = await import(pathToFileURL(join(tree.root, bundle)).href);
    equal(loaded[nameInBundle(index, 'address')], pathToFileURL(join(tree.root, path)).href);
    equal(loaded[nameInBundle(index, 'folder')], join(tree.root, 'packages/a/src'));
  });

  it('a changed module has a new bundle, and others keep theirs', async () => {
    using tree = checkout();
    const bundleOf = async (path: string) => readTable(await prepareBundles(tree.root))[path]?.bundle;
    const path = 'packages/a/src/fail.ts';
    const before = await bundleOf(path);
    equal(await bundleOf(path), before);
    tree.write(path, `export const fail = () => 'no error';`);
    const after = await bundleOf(path);
    notEqual(after, before);
    tree.write('packages/a/src/index.test.ts', '');
    equal(await bundleOf(path), after);
  });

  it('files that runs use are kept, and others are removed after a day', async () => {
    using tree = checkout();
    const table = await prepareBundles(tree.root);
    const { bundle = '' } = readTable(table)['packages/a/src/fail.ts'] ?? {};
    const unused = join(dirname(table), 'a/unused.mjs');
    writeFileSync(unused, '');
    const longAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
    const files = [table, join(tree.root, bundle), unused];
    for (const file of files) utimesSync(file, longAgo, longAgo);
    equal(await prepareBundles(tree.root), table);
    deepEqual(files.map(existsSync), [true, true, false]);
  });

  it('a stack trace has positions in sources, also after a change of a comment', async () => {
    using tree = checkout();
    const path = 'packages/a/src/fail.ts';
    for (const [line, comments] of [
      [4, ''],
      [5, '// Another comment.\n'],
    ] as const) {
      tree.write(path, comments + sources[path]);
      const { bundle = '', index = 0 } = readTable(await prepareBundles(tree.root))[path] ?? {};
      const loaded = await import(pathToFileURL(join(tree.root, bundle)).href);
      throws(
        () => loaded[nameInBundle(index, 'fail')]('the reason'),
        (error: Error) => withSourcePositions(error.stack ?? '').includes(`${path}:${line}:9`),
      );
    }
  });

  it('a module has one instance, whether a test imports it from its package or by its path', async () => {
    const path = 'packages/machinery/src/concurrency/deferred.ts';
    notEqual(readTable(process.env[BUNDLES_VARIABLE] ?? '')[path], undefined);
    const ofFile = await import(pathToFileURL(join(import.meta.dirname, '../../..', path)).href);
    equal(deferred, ofFile.deferred);
  });

  for (const name of ['@opentelemetry/api', 'jose', 'yaml']) {
    it(`the dependency ${name} is in a bundle that exports the names that Node finds`, async () => {
      const { bundle = '' } = readTable(process.env[BUNDLES_VARIABLE] ?? '')[name] ?? {};
      match(bundle, /dependencies/);
      const program = `console.log(JSON.stringify(Object.keys(await import('${name}'))))`;
      const args = ['--input-type=module', '--eval', program];
      const ofNode = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' });
      const names: string[] = JSON.parse(ofNode);
      const loaded = await import(name);
      deepEqual(Object.keys(loaded).sort(), names.filter((each) => each !== 'module.exports').sort());
    });
  }
});
