import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..', '..', '..');

/** The client library as one file, as somebody would ship it. */
export interface ClientBundle extends Disposable {
  readonly path: string;
  readonly bytes: number;
  /** Runs a module in a separate process, with the bundle as `$client`, and returns what it printed. */
  run(script: string): string;
}

// Libraries in CommonJS ask for `require`, which a module has to make for itself.
const banner = `import { createRequire as bundleRequire } from 'node:module';
const require = bundleRequire(import.meta.url);`;

export async function bundleClient(): Promise<ClientBundle> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-bundle-'));
  const path = join(folder, 'client.mjs');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['packages/client/src/index.ts'],
    outfile: path,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.19',
    banner: { js: banner },
    write: false,
  });
  const [file] = outputFiles;
  writeFileSync(path, file?.contents ?? '');
  return {
    path,
    bytes: file?.contents.length ?? 0,
    run(script) {
      const main = join(folder, 'main.mjs');
      writeFileSync(main, script.replaceAll('$client', JSON.stringify(path)));
      return execFileSync(process.execPath, [main], { encoding: 'utf8', timeout: 30_000 });
    },
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
