import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { TargetName } from './targets/index.ts';

/** Builds the program of a target, one file that the fuzzer instruments, and returns its path. */
export async function bundleTarget(name: TargetName, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${name}.cjs`);
  const entry = [
    `import { checkInput } from './check-input.ts';`,
    `import { target } from './targets/${name}.ts';`,
    'export const fuzz = checkInput(target);',
  ];
  await build({
    stdin: { contents: entry.join('\n'), resolveDir: import.meta.dirname, loader: 'ts' },
    outfile,
    ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node22.19', logLevel: 'error' },
    // Modules that are not CommonJS know their address; that of the program serves as well.
    define: { 'import.meta.dirname': '__dirname', 'import.meta.url': '__filename' },
  });
  return outfile;
}
