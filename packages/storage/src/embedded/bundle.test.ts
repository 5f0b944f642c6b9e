import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { tempDir } from '../testing/temp-dir.ts';

const source = (file: string) => fileURLToPath(new URL(file, import.meta.url));

describe('the bundled embedded store', () => {
  it('the embedded store runs from two bundles: the program, and the writer thread whose URL the program passes', async () => {
    await using dir = await tempDir('orch-bundle-');
    await writeFile(
      join(dir.path, 'program.ts'),
      `import { systemEnv } from '@orch/machinery/env';
       import { openEmbeddedStore } from ${JSON.stringify(source('./index.ts'))};
       const workerUrl = new URL('./writer-thread.mjs', import.meta.url);
       const store = await openEmbeddedStore({ dir: process.argv[2], env: systemEnv(), workerUrl });
       const { signal } = new AbortController();
       const result = await store.commit({ op: 'create', key: '/a', value: Buffer.from('x') }, signal);
       await store.close();
       console.log(JSON.stringify(result));`,
    );
    await build({
      entryPoints: [join(dir.path, 'program.ts'), source('./writer/writer-thread.ts')],
      outdir: dir.path,
      entryNames: '[name]',
      outExtension: { '.js': '.mjs' },
      nodePaths: [source('../../../../node_modules')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node22',
      // CommonJS dependencies in the bundle load Node's modules with `require`.
      banner: {
        js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
      },
    });
    const program = join(dir.path, 'program.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [program, join(dir.path, 'data')]);
    assert.deepEqual(JSON.parse(stdout), { ok: true, rev: 2 });
  });
});
