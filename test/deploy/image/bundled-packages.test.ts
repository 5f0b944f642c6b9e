import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '@orch/testkit';

const root = join(import.meta.dirname, '..', '..', '..');
/** Scripts are not part of the project of the tests. */
const path = join(root, 'scripts/bundled-packages.ts');
const { bundledPackages, licensesText } = (await import(path)) as {
  bundledPackages(reports: readonly unknown[], root: string): readonly { readonly name: string }[];
  licensesText(packages: readonly { readonly name: string }[]): string;
};

const report = (...inputs: readonly string[]): unknown => ({
  outputs: { 'dist/a.mjs': { inputs: Object.fromEntries(inputs.map((input) => [input, {}])) } },
});

/** A folder with installed packages, by their folder: their files. */
function installed(packages: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const folder = temporaryFolder();
  for (const [name, files] of Object.entries(packages)) {
    mkdirSync(join(folder.path, 'node_modules', name), { recursive: true });
    for (const [file, text] of Object.entries(files))
      writeFileSync(join(folder.path, 'node_modules', name, file), text);
  }
  return folder;
}

const manifest = (name: string, license?: string): string =>
  JSON.stringify({ name, version: '1.0.0', license });

describe('packages of others in the bundled programs', () => {
  it('each is listed once with its licence and notice, also when it is nested or scoped', () => {
    using folder = installed({
      '@a/b': { 'package.json': manifest('@a/b', 'MIT'), 'LICENSE.md': 'Text of b.' },
      '@a/b/node_modules/c': {
        'package.json': manifest('c', 'ISC'),
        LICENCE: 'Text of c.',
        NOTICE: 'Notice of c.',
      },
    });
    const inputs = ['packages/x/src/x.ts', 'node_modules/@a/b/b.js', 'node_modules/@a/b/lib/c.js'];
    const nested = 'node_modules/@a/b/node_modules/c/c.js';
    const found = bundledPackages([report(...inputs), report(nested, ...inputs)], folder.path);
    assert.deepEqual(
      found.map(({ name }) => name),
      ['@a/b', 'c'],
    );
    const text = licensesText(found);
    for (const part of ['@a/b 1.0.0 (MIT)', 'Text of b.', 'c 1.0.0 (ISC)', 'Text of c.\n\nNotice of c.'])
      assert.ok(text.includes(part), part);
  });

  for (const [title, files] of [
    ['declares no licence', { 'package.json': manifest('a'), LICENSE: 'Text.' }],
    ['contains no text of its licence', { 'package.json': manifest('a', 'MIT') }],
  ] as const)
    it(`a package that ${title} fails the build`, () => {
      using folder = installed({ a: files });
      assert.throws(
        () => bundledPackages([report('node_modules/a/a.js')], folder.path),
        /a 1\.0\.0 has no licence/,
      );
    });
});
