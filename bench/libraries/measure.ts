import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** One comparison: CPU of this process per call. */
export interface Comparison {
  readonly what: string;
  readonly ours: number;
  readonly library: string;
  readonly theirs: number;
  readonly unit: 'µs' | 'ms' | 'kB';
  readonly note?: string;
}

/** The libraries are installed in this folder, not in the project. */
export const library = createRequire(import.meta.url);

/** CPU per call in µs: the best of several rounds, after a warm-up. */
export function cpuMicros(run: () => unknown, calls = 2000, rounds = 20): number {
  for (let i = 0; i < calls; i += 1) run();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const start = process.cpuUsage();
    for (let i = 0; i < calls; i += 1) run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / calls);
  }
  return best;
}

/** CPU in ms of importing modules in a new process, without its start: the best of five. */
export function importMillis(...specifiers: readonly string[]): number {
  const best = (code: string): number => {
    const script = `${code}; const { user, system } = process.cpuUsage(); console.log(user + system)`;
    const once = () =>
      Number(
        execFileSync(process.execPath, ['--input-type=module', '-e', script], {
          cwd: import.meta.dirname,
          encoding: 'utf8',
        }),
      );
    return Math.min(...Array.from({ length: 5 }, once)) / 1000;
  };
  const imports = specifiers.map((specifier) => `await import('${specifier}')`);
  return best(imports.join('; ')) - best('');
}

/** Minified size in kB of one export of a module, with all that it imports. */
export function bundleKilobytes(specifier: string, name: string): number {
  const { outputFiles } = buildSync({
    stdin: { contents: `export { ${name} } from '${specifier}';`, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  return (outputFiles[0]?.contents.length ?? 0) / 1000;
}

/** A module of the project by its path, for measurements of its size. */
export const sourceFile = (path: string): string => join(import.meta.dirname, '..', '..', path);
