import { deepEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { run, temporaryFolder } from '@orch/testkit';
import { build, type Plugin } from 'esbuild';
import { httpModule } from './http-module.ts';

const folder = temporaryFolder();
after(() => folder[Symbol.dispose]());

/** Bundles a program that imports a part of `node:http`; returns what it prints. */
async function outputOf(name: string, plugins: Plugin[]): Promise<string> {
  const contents = `import http, { createServer } from 'node:http';
    const isLoaded = process.moduleLoadList.some((module) => module.includes('undici'));
    console.log(createServer === http.createServer, isLoaded);`;
  const outfile = join(folder.path, `${name}.mjs`);
  const stdin = { contents, resolveDir: folder.path };
  await build({ stdin, outfile, plugins, bundle: true, format: 'esm', platform: 'node', logLevel: 'silent' });
  return (await run(process.execPath, [outfile])).stdout;
}

describe('imports of node:http in bundles', () => {
  it('a bundled program gets node:http without the client for fetch, which Node loads for other programs', async () => {
    deepEqual(
      [await outputOf('replaced', [httpModule]), await outputOf('plain', [])],
      ['true false\n', 'true true\n'],
    );
  });
});
