import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { unpackedProject } from './project.ts';

const MOST_BYTES = 2_000;
const LEAST_KINDS = 60;

const project = await unpackedProject({ paths: {} }, ['client']);
const name = project.nameOf('client');

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly import: { readonly default: string } }>>;
}

/** The names of the functions of the subpath. */
async function resourceFunctions(): Promise<readonly string[]> {
  const folder = project.package(name);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const file = exports['./resources']?.import.default ?? '';
  const module = (await import(pathToFileURL(join(folder, file)).href)) as object;
  return Object.keys(module);
}

describe(`the resources of ${name} in a bundle`, { timeout: 300_000 }, () => {
  after(() => project[Symbol.dispose]());

  it(`a program with one kind becomes at most ${MOST_BYTES} bytes larger, for every kind`, async () => {
    const kinds = await resourceFunctions();
    assert.ok(kinds.length >= LEAST_KINDS, `${kinds.length} functions were found`);
    project.write(
      Object.fromEntries(kinds.map((kind) => [`${kind}.js`, `export { ${kind} } from '${name}/resources';`])),
    );
    const { outputFiles } = await build({
      absWorkingDir: project.folder,
      entryPoints: kinds.map((kind) => `${kind}.js`),
      outdir: 'bundles',
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'neutral',
      write: false,
    });
    const large = outputFiles
      .filter(({ contents }) => contents.length > MOST_BYTES)
      .map(({ path, contents }) => `${path}: ${contents.length}`);
    assert.deepEqual(large, []);
    assert.equal(outputFiles.length, kinds.length);
  });
});
